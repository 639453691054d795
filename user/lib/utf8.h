/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which bytes of a foreign text form a character. */
#ifndef JPBPF_USER_LIB_UTF8_H
#define JPBPF_USER_LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct buf;

/* Length of the valid UTF-8 character at the start of the NUL-terminated text s; 0 if
 * there is none. */
size_t utf8_length(const char *s);
/* The code point of the character at s.  len: as utf8_length() gave it, not 0. */
u32 utf8_code(const char *s, size_t len);
/* Whether the character must not be written as it is: a control character, which can
 * move a terminal's cursor or worse; one that changes the direction of others; one that
 * does not show, or shows as a blank and is none. */
bool utf8_is_hidden(u32 code);
/* Appends the character at s as it is, or its first byte as \xNN if that is hidden
 * and kept does not have it, an ASCII character that special has, or no valid UTF-8.
 * Returns the number of bytes taken of s, which is not empty. */
size_t utf8_add(struct buf *out, const char *s, const char *special,
		const char *kept);

#endif
