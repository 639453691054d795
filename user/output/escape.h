/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A foreign name within a line of text.  What would break the line or a terminal
 * becomes \xNN (lower-case hex, one for each byte): the characters that the
 * format gives a meaning, control characters (C0, DEL, and C1 in their UTF-8
 * form) and bytes that are not valid UTF-8.  All else, the backslash too, stands
 * as it is.
 */
#ifndef JPBPF_USER_OUTPUT_ESCAPE_H
#define JPBPF_USER_OUTPUT_ESCAPE_H

#include <stddef.h>

struct buf;

/* Bytes that one name takes at most; a longer one ends in "...". */
#define ESCAPE_NAME_MAX 1024

/* Append the first len bytes of the text (at most; a NUL ends it too), special:
 * the ASCII characters that cannot stand in that format. */
void escape_name(const char *text, size_t len, const char *special,
		 struct buf *out);

#endif
