/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A growable string, always terminated by a NUL.  { 0 } is an empty string.  data is
 * NULL until something is added; buf_text() never returns NULL.
 */
#ifndef JPBPF_USER_LIB_BUF_H
#define JPBPF_USER_LIB_BUF_H

#include <stddef.h>

struct buf {
	char *data;
	size_t len; /* bytes in use, without the NUL */
	size_t capacity;
};

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_adds(struct buf *b, const char *text);
void buf_addc(struct buf *b, char c);
void buf_addhex(struct buf *b, const void *bytes, size_t len); /* "0a1f" */
void buf_addf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_reset(struct buf *b);	 /* the string is empty, its memory stays */
void buf_release(struct buf *b); /* the memory is freed */
const char *buf_text(const struct buf *b);

/* Releases a variable when it leaves its scope, as in guard.h. */
#define _cleanup_buf_ __attribute__((cleanup(buf_release)))

#endif
