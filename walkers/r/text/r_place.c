/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An expression is found in a script by its bytes.  If they stand at one place in the
 * script, that is the expression's place; if they stand at two, the place is unknown.
 * An expression begins behind the end of another, a newline or a semicolon, so only
 * such places are compared.
 *
 * A script has up to a megabyte and is searched for each frame of each stack, but it
 * has few expressions.  The latest answers are therefore kept in a cache, by text ids.
 */
#include "walkers/r/text/r_place.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/text.h>

#include "walkers/walker.h"

#define PLACES 1024

struct place {
	u64 script, text, bytes; /* key; script 0: the place is empty */
	/* First line of the expression, from 1; 0: it has no place. */
	size_t line;
	size_t lines;
};

static struct place places[PLACES];

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

static const char *find(const struct walker_texts *texts, u64 id)
{
	return texts->find(texts->ctx, id);
}

static void look(struct place *p, const char *script, const char *text)
{
	const char *at = find_text(script, text, p->bytes);

	if (!at)
		return;
	p->line = count_lines(script, at) + 1;
	p->lines = count_lines(at, at + p->bytes - 1) + 1;
}

/* The place of an expression, from the cache or the script; NULL if the expression's
 * text or the script is missing. */
static const struct place *place_of(const struct walker_texts *texts,
				    u64 script, u64 text, u64 bytes)
{
	u64 mixed = text_mix(text_mix(text_mix(0, script), text), bytes);
	struct place *p = &places[mixed % PLACES];
	const char *in, *what;

	if (script && p->script == script && p->text == text &&
	    p->bytes == bytes)
		return p;
	in = find(texts, script);
	what = find(texts, text);
	if (!script || !in || !what)
		return NULL;
	*p = (struct place){ script, text, bytes, 0, 0 };
	look(p, in, what);
	return p;
}

u32 r_place_line(const struct walker_texts *texts, const struct r_expression *e,
		 const char **name, size_t *len)
{
	const char *head = find(texts, e->script), *end;
	const struct place *p;

	end = head ? strchr(head, '\n') : NULL;
	if (!end)
		return 0;
	p = place_of(texts, strtoull(end + 1, NULL, 16), e->text, e->bytes);
	if (!p || !p->line || !e->line || e->line > p->lines)
		return 0;
	*name = head;
	*len = end - head;
	return (u32)(p->line + e->line - 1);
}
