/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Escaping of foreign names within a line of text.
 *
 * These bytes become \xNN (lower-case hexadecimal, one escape a byte): characters that
 * the output format gives a meaning, control characters (C0, DEL, and C1 in their UTF-8
 * form), and bytes that are not valid UTF-8.  All other bytes, the backslash included,
 * are written unchanged.
 */
#ifndef JPBPF_USER_OUTPUT_ESCAPE_H
#define JPBPF_USER_OUTPUT_ESCAPE_H

#include <stddef.h>

struct buf;

/* The most bytes that one name takes; a longer name ends in "...". */
#define ESCAPE_NAME_MAX 1024

/* Append at most the first len bytes of text; a NUL ends it earlier.  special: the
 * ASCII characters to escape in this format. */
void escape_name(const char *text, size_t len, const char *special,
		 struct buf *out);

#endif
