/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* More is escaped than JSON demands: every control character, DEL and C1 too, so that
 * the text can also be looked at on a terminal. */
#include "user/lib/json.h"

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

static void add_control(struct buf *out, const char *s, size_t len)
{
	unsigned char code = s[len - 1]; /* C1: U+0080 is c2 80 */

	if (code == '\n')
		buf_adds(out, "\\n");
	else if (code == '\t')
		buf_adds(out, "\\t");
	else
		buf_addf(out, "\\u%04x", code);
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
		} else if (utf8_is_control(s, len)) {
			add_control(out, s, len);
		} else {
			if (*s == '"' || *s == '\\')
				buf_addc(out, '\\');
			buf_add(out, s, len);
		}
	}
	buf_addc(out, '"');
}
