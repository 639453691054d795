/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A text that is too long is cut between two characters or escapes, never inside
 * one. */
#include "user/output/escape.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/utf8.h"

#define CUT "\\..."

void escape_text(const char *text, const char *special, struct buf *out)
{
	size_t start = out->len, fits = out->len;

	while (*text && out->len - start <= ESCAPE_MAX) {
		if (out->len - start <= ESCAPE_MAX - strlen(CUT))
			fits = out->len;
		text += utf8_add(out, text, special, "");
	}
	if (out->len - start <= ESCAPE_MAX)
		return;
	out->len = fits;
	buf_adds(out, CUT);
}

/* Whether the text begins as only what text.h writes does.  R has functions `[` and
 * `[.default`. */
static bool begins_as_ours(const char *text, bool closed)
{
	static const char *const ours[] = { "<anonymous", "<Anonymous",
					    "<promise",	  "<GC>",
					    "<JIT>",	  "<finalizer>",
					    "coroutine " };

	if (*text == '[' && (isalpha((u8)text[1]) || closed))
		return true;
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (!strncmp(text, ours[i], strlen(ours[i])))
			return true;
	return false;
}

/* Whether the name ends as a place does: " (fit.R:12)", " (#3)". */
static bool ends_as_place(const char *name, size_t len)
{
	if (!len || name[--len] != ')' || !(*name == '(' || strstr(name, " (")))
		return false;
	while (len && isdigit((u8)name[len - 1]))
		len--;
	return len && (name[len - 1] == ':' || name[len - 1] == '#');
}

static bool is_as_ours(const char *name, bool bracket)
{
	size_t len = strlen(name);
	bool closed = len && name[len - 1] == ']';

	if (begins_as_ours(name, closed))
		return true;
	for (const char *at = name; (at = strstr(at, "::")); at++)
		if (begins_as_ours(at + strlen("::"), closed))
			return true;
	return strstr(name, "_[") ||
	       ((closed || bracket) && strstr(name, " [")) ||
	       ends_as_place(name, len);
}

void escape_name(const char *name, bool bracket, struct buf *out)
{
	escape_text(name, is_as_ours(name, bracket) ? ESCAPE_LIKE : ESCAPE_TEXT,
		    out);
}

void escape_json(const char *text, struct buf *out)
{
	_cleanup_buf_ struct buf escaped = { 0 };

	escape_text(text, ESCAPE_TEXT, &escaped);
	json_text(out, buf_text(&escaped));
}
