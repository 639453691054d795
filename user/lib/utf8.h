/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which bytes of a foreign text form a character. */
#ifndef JPBPF_USER_LIB_UTF8_H
#define JPBPF_USER_LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Length of the valid UTF-8 character at the start of the NUL-terminated text s; 0 if
 * there is none. */
size_t utf8_length(const char *s);
/* Whether the character at s is a control character (C0, DEL or C1), which can move a
 * terminal's cursor or worse.  len: as utf8_length() gave it, not 0. */
bool utf8_is_control(const char *s, size_t len);
/* Appends the character at s as it is, or its first byte as \xNN if that is a control
 * character that kept does not have, an ASCII character that special has, or no valid
 * UTF-8.  Returns the number of bytes taken of s, which is not empty. */
size_t utf8_add(struct buf *out, const char *s, const char *special,
		const char *kept);

#endif
