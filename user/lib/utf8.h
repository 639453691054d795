/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which bytes of a foreign text are a character. */
#ifndef JPBPF_USER_LIB_UTF8_H
#define JPBPF_USER_LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the valid UTF-8 character that starts the NUL-terminated text s;
 * 0 when there is none. */
size_t utf8_length(const char *s);
/* Is the character of that length at s one that moves a terminal's cursor or
 * worse: C0, DEL, C1?  len as utf8_length() gave it, not 0. */
bool utf8_is_control(const char *s, size_t len);

#endif
