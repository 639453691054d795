/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The bounds of the second byte exclude overlong forms, surrogates and code points
 * beyond U+10FFFF (Unicode 15.0, table 3-7).
 */
#include "user/lib/utf8.h"

#include <string.h>

#include "user/lib/buf.h"

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

u32 utf8_code(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	u32 code = len == 1 ? s[0] : s[0] & (0x7f >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

bool utf8_is_hidden(u32 code)
{
	static const u32 hidden[][2] = {
		{ 0x0000, 0x001f },   /* C0 */
		{ 0x007f, 0x00a0 },   /* DEL, C1, no-break space */
		{ 0x00ad, 0x00ad },   /* soft hyphen */
		{ 0x034f, 0x034f },   /* combining grapheme joiner */
		{ 0x061c, 0x061c },   /* Arabic letter mark */
		{ 0x115f, 0x1160 },   /* Hangul fillers */
		{ 0x1680, 0x1680 },   /* Ogham space */
		{ 0x17b4, 0x17b5 },   /* Khmer inherent vowels */
		{ 0x180b, 0x180f },   /* Mongolian selectors and separator */
		{ 0x2000, 0x200f },   /* spaces, joiners, directions */
		{ 0x2028, 0x202f },   /* line ends, embeddings, overrides */
		{ 0x205f, 0x206f },   /* space, word joiner, isolates */
		{ 0x2800, 0x2800 },   /* blank Braille pattern */
		{ 0x3000, 0x3000 },   /* ideographic space */
		{ 0x3164, 0x3164 },   /* Hangul filler */
		{ 0xfe00, 0xfe0f },   /* variation selectors */
		{ 0xfeff, 0xfeff },   /* byte order mark */
		{ 0xffa0, 0xffa0 },   /* Hangul filler */
		{ 0xfff0, 0xfffb },   /* interlinear annotation */
		{ 0xfffe, 0xffff },   /* no characters */
		{ 0x1bca0, 0x1bca3 }, /* shorthand controls */
		{ 0x1d173, 0x1d17a }, /* musical controls */
		{ 0xe0000, 0xe0fff }, /* tags, variation selectors */
	};

	size_t i = 0;

	while (i < sizeof(hidden) / sizeof(*hidden) - 1 && code > hidden[i][1])
		i++;
	return code >= hidden[i][0] && code <= hidden[i][1];
}

size_t utf8_add(struct buf *out, const char *s, const char *special,
		const char *kept)
{
	size_t len = utf8_length(s);

	if (len && !strchr(special, *s) &&
	    (strchr(kept, *s) || !utf8_is_hidden(utf8_code(s, len)))) {
		buf_add(out, s, len);
		return len;
	}
	buf_addf(out, "\\x%02x", (unsigned char)*s);
	return 1;
}
