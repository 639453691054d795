/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The ranges are those of Unicode 15: East Asian wide and full-width, with the few narrow
 * ones between them, and the usual combining marks. */
#include "user/report/column.h"

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

static const u32 combining[][2] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd },
	{ 0x0610, 0x061a }, { 0x064b, 0x065f }, { 0x093c, 0x093c },
	{ 0x0941, 0x0948 }, { 0x094d, 0x094d }, { 0x0e31, 0x0e31 },
	{ 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e }, { 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff }, { 0x20d0, 0x20f0 }, { 0x302a, 0x302d },
	{ 0x3099, 0x309a }, { 0xfe20, 0xfe2f },
};

static const u32 wide[][2] = {
	{ 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },
	{ 0x23e9, 0x23ec },   { 0x2614, 0x2615 },   { 0x26a1, 0x26a1 },
	{ 0x2705, 0x2705 },   { 0x274c, 0x274c },   { 0x2753, 0x2755 },
	{ 0x2b50, 0x2b50 },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },
	{ 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x1b2ff }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

static bool is_in(const u32 (*range)[2], size_t n, u32 code)
{
	size_t i = 0;

	while (i < n && code > range[i][1])
		i++;
	return i < n && code >= range[i][0];
}

/* Columns of the character at s; len: its bytes. */
static size_t width_at(const char *s, size_t *len)
{
	u32 code;

	*len = utf8_length(s);
	if (!*len) {
		*len = 1;
		return 1;
	}
	code = utf8_code(s, *len);
	if (code < combining[0][0])
		return 1;
	if (is_in(combining, sizeof(combining) / sizeof(*combining), code))
		return 0;
	return 1 + is_in(wide, sizeof(wide) / sizeof(*wide), code);
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
