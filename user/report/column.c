/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Widths are those of the C library, in the locale that knows Unicode and nothing else. */
#include "user/report/column.h"

#include <locale.h>
#include <wchar.h>

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

/* Columns of the character at s; len: its bytes.  Without the locale each has one. */
static size_t width_at(const char *s, size_t *len)
{
	static locale_t unicode;
	locale_t before;
	int width;

	*len = utf8_length(s);
	if (*len <= 1) {
		*len = 1;
		return 1;
	}
	if (!unicode)
		unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL)
				  ?: LC_GLOBAL_LOCALE;
	before = uselocale(unicode);
	width = wcwidth(utf8_code(s, *len));
	uselocale(before);
	return width < 0 ? 1 : width;
}

size_t column_width(const char *text)
{
	size_t width = 0, len;

	for (; *text; text += len)
		width += width_at(text, &len);
	return width;
}

/* Bytes of the characters that fit. */
static size_t fitting(const char *text, size_t columns)
{
	size_t at = 0, len, width;

	for (; text[at]; at += len) {
		width = width_at(text + at, &len);
		if (width > columns)
			break;
		columns -= width;
	}
	return at;
}

void column_cut(const char *text, size_t columns, bool middle, struct buf *out)
{
	size_t width = column_width(text), tail, len;

	if (width <= columns) {
		buf_adds(out, text);
		return;
	}
	if (!columns)
		return;
	tail = middle ? (columns - 1) / 2 : 0;
	buf_add(out, text, fitting(text, columns - 1 - tail));
	buf_adds(out, "…");
	for (; width > tail || (width && !tail); text += len)
		width -= width_at(text, &len);
	/* A mark belongs to the character that was left out. */
	while (*text && !width_at(text, &len))
		text += len;
	buf_adds(out, text);
}
