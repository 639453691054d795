/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From a written text back to the bytes that it stands for (docs/manual.md, "Escapes"). */
#ifndef TESTS_UNIT_UNESCAPE_H
#define TESTS_UNIT_UNESCAPE_H

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"

/* Append the bytes.  A backslash that begins no \xNN ends the program. */
static inline void unescape(const char *text, struct buf *out)
{
	for (; *text; text++) {
		char digits[3] = { 0 }, *end;

		if (*text != '\\') {
			buf_addc(out, *text);
			continue;
		}
		if (text[1] != 'x')
			abort();
		memcpy(digits, text + 2, strnlen(text + 2, 2));
		buf_addc(out, (char)strtoul(digits, &end, 16));
		if (end != digits + 2)
			abort();
		text += 3;
	}
}

#endif
