/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* More is escaped than JSON demands: every hidden character, so that the text can also
 * be looked at on a terminal. */
#include "user/lib/json.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

static void add_escaped(struct buf *out, u32 code)
{
	if (code == '\n')
		buf_adds(out, "\\n");
	else if (code == '\t')
		buf_adds(out, "\\t");
	else if (code < 0x10000)
		buf_addf(out, "\\u%04x", code);
	else
		buf_addf(out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10),
			 0xdc00 + (code & 0x3ff));
}

void json_text(struct buf *out, const char *text)
{
	size_t len;

	buf_addc(out, '"');
	for (const char *s = text; *s; s += len) {
		len = utf8_length(s);
		if (!len) {
			buf_adds(out, "\\ufffd");
			len = 1;
		} else if (utf8_is_hidden(utf8_code(s, len))) {
			add_escaped(out, utf8_code(s, len));
		} else {
			if (*s == '"' || *s == '\\')
				buf_addc(out, '\\');
			buf_add(out, s, len);
		}
	}
	buf_addc(out, '"');
}

void json_next(struct buf *out)
{
	if (out->len && !strchr("{[:\n", out->data[out->len - 1]))
		buf_addc(out, ',');
}

void json_key(struct buf *out, const char *key)
{
	json_next(out);
	buf_addf(out, "\"%s\":", key);
}

void json_number(struct buf *out, const char *key, u64 number)
{
	json_key(out, key);
	buf_addf(out, "%llu", number);
}
