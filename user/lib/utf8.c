/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The bounds of the second byte exclude overlong forms, surrogates and code points
 * beyond U+10FFFF (Unicode 15.0, table 3-7).
 */
#include "user/lib/utf8.h"

#include <string.h>

#include "user/lib/buf.h"

static bool continues(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

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
		if (!continues(s[i]))
			return 0;
	return len;
}

bool utf8_is_control(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	if (len == 1)
		return *s < 0x20 || *s == 0x7f;
	return s[0] == 0xc2 && s[1] < 0xa0;
}

size_t utf8_add(struct buf *out, const char *s, const char *special,
		const char *kept)
{
	size_t len = utf8_length(s);

	if (len && !strchr(special, *s) &&
	    (strchr(kept, *s) || !utf8_is_control(s, len))) {
		buf_add(out, s, len);
		return len;
	}
	buf_addf(out, "\\x%02x", (unsigned char)*s);
	return 1;
}
