/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Escaping of foreign names within a line of text.
 *
 * These bytes become \xNN (lower-case hexadecimal, one escape a byte): the backslash,
 * `;`, characters that do not show or that change how others show (user/lib/utf8.h),
 * and bytes that are not valid UTF-8.  Who turns each \xNN back has the name.
 */
#ifndef JPBPF_USER_OUTPUT_ESCAPE_H
#define JPBPF_USER_OUTPUT_ESCAPE_H

#include <stdbool.h>

struct buf;

/* The most bytes that one text takes; a longer one ends in "\...", as no other does. */
#define ESCAPE_MAX 1024

/* The characters of ASCII that are escaped in every text. */
#define ESCAPE_TEXT ";\\"
/* And where the text could be taken for more than a name. */
#define ESCAPE_LIKE ESCAPE_TEXT "[(< "

/* Append text.  special: ESCAPE_TEXT and what else is to be escaped here. */
void escape_text(const char *text, const char *special, struct buf *out);

/* Append a name.  One that could be taken for something that text.h writes around
 * names has escaped what ESCAPE_LIKE has.  bracket: more follows, which ends in "]". */
void escape_name(const char *name, bool bracket, struct buf *out);

/* Append a text as a JSON string, escaped in it as ESCAPE_TEXT says: JSON alone cannot
 * express bytes that are not valid UTF-8. */
void escape_json(const char *text, struct buf *out);

#endif
