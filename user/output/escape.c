/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A name that is too long is cut between two characters or escapes, never inside
 * one. */
#include "user/output/escape.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/utf8.h"

void escape_name(const char *text, size_t len, const char *special,
		 struct buf *out)
{
	const char *s = text;
	size_t start = out->len, fits = out->len;

	while ((size_t)(s - text) < len && *s &&
	       out->len - start <= ESCAPE_NAME_MAX) {
		if (out->len - start <= ESCAPE_NAME_MAX - strlen("..."))
			fits = out->len;
		s += utf8_add(out, s, special, "");
	}
	if (out->len - start <= ESCAPE_NAME_MAX)
		return;
	out->len = fits;
	buf_adds(out, "...");
}
