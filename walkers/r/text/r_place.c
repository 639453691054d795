/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An expression is found in a script by its bytes.  If they stand at one place in the
 * script, that is the expression's place; if they stand at two, the place is unknown.
 * An expression begins behind the end of another, a newline or a semicolon, so only
 * such places are compared.
 */
#include "walkers/r/text/r_text.h"

#include <string.h>

#include <jpbpf/text.h>

static size_t count_lines(const char *at, const char *end)
{
	size_t n = 0;

	for (; (at = memchr(at, '\n', end - at)); at++)
		n++;
	return n;
}

static bool ends(char c)
{
	return c == '\n' || c == ';';
}

/* The next place where an expression may begin, or NULL. */
static const char *next_start(const char *at, const char *end)
{
	while (at < end && !ends(*at))
		at++;
	return at < end ? at + 1 : NULL;
}

/* The expression in the script; NULL unless it stands at exactly one place. */
static const char *find_text(const char *script, const char *text, u64 bytes)
{
	size_t len = strlen(text);
	const char *end = script + strlen(script), *found = NULL;

	if (bytes >= TEXT_MAX)
		len = TEXT_MAX - 4;
	else if (len != bytes)
		return NULL;
	if (!len || strnlen(text, len) != len)
		return NULL;
	for (const char *at = script; at && bytes <= (u64)(end - at);
	     at = next_start(at, end)) {
		if (memcmp(at, text, len) != 0 ||
		    (at + bytes != end && !ends(at[bytes - 1])))
			continue;
		if (found)
			return NULL;
		found = at;
	}
	return found;
}

u32 r_place_line(const struct walker_texts *texts, const struct r_expression *e,
		 const char **name, size_t *len)
{
	const char *head = texts->find(texts->ctx, e->script);
	const char *text = texts->find(texts->ctx, e->text);
	const char *end = head ? strchr(head, '\n') : NULL, *at;

	if (!end || !text)
		return 0;
	at = find_text(end + 1, text, e->bytes);
	if (!at || !e->line || e->line > count_lines(at, at + e->bytes - 1) + 1)
		return 0;
	*name = head;
	*len = end - head;
	return (u32)(count_lines(end + 1, at) + e->line);
}
