/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A name that is too long is cut between two characters or escapes, never inside
 * one. */
#include "user/output/escape.h"

#include <stdbool.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

/* Whether the character at s may be written as it is.  len is 0 if there is no valid
 * character at s. */
static bool plain(const char *s, size_t len, const char *special)
{
	return len && !strchr(special, *s) && !utf8_is_control(s, len);
}

void escape_name(const char *text, size_t len, const char *special,
		 struct buf *out)
{
	const char *s = text;
	size_t start = out->len, fits = out->len;

	while ((size_t)(s - text) < len && *s &&
	       out->len - start <= ESCAPE_NAME_MAX) {
		size_t n = utf8_length(s);

		if (out->len - start <= ESCAPE_NAME_MAX - strlen("..."))
			fits = out->len;
		if (plain(s, n, special)) {
			buf_add(out, s, n);
			s += n;
		} else {
			buf_addf(out, "\\x%02x", (unsigned char)*s++);
		}
	}
	if (out->len - start <= ESCAPE_NAME_MAX)
		return;
	out->len = fits;
	buf_adds(out, "...");
}
