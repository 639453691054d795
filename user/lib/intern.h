/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Maps bytes to a dense id: equal bytes have equal ids, counted from 0 in the order of
 * first sight.  Each entry also has some numbers for the caller, which begin as 0.
 *
 * The bytes never move and stay until intern_free().  A NUL follows them, and they
 * start at a multiple of 8.
 */
#ifndef JPBPF_USER_LIB_INTERN_H
#define JPBPF_USER_LIB_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#define INTERN_NONE    (~0u) /* no id */
#define INTERN_NUMBERS 2

struct intern; /* opaque */

/* A key may come in two pieces, so that callers need not copy the pieces together.  A
 * piece of length 0 may be NULL. */
struct intern_key {
	const void *head;
	size_t head_len;
	const void *tail;
	size_t tail_len;
};

struct intern *intern_new(void);
/* A store of texts.  It contains the empty text, with the id 0. */
struct intern *intern_new_texts(void);
void intern_free(struct intern *in);
/* The id of these bytes.  New bytes get a new id if add is true, else the result is
 * INTERN_NONE.  A key is at most 4 GiB long. */
u32 intern_id(struct intern *in, const struct intern_key *key, bool add);
/* The id of a text, which is added if it is new. */
u32 intern_text(struct intern *in, const char *text);
/* The bytes behind an id.  len may be NULL. */
const void *intern_get(const struct intern *in, u32 id, size_t *len);
/* The entry's numbers, INTERN_NUMBERS of them. */
u64 *intern_numbers(struct intern *in, u32 id);
/* A hash that nobody outside can foresee. */
u64 intern_hash(const void *bytes, size_t len);
size_t intern_count(const struct intern *in);
size_t intern_bytes(const struct intern *in); /* bytes of memory held */

#endif
