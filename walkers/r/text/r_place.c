/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An expression is found in a script by its bytes.  If they stand at one place in the
 * script, that is the expression's place; if they stand at two, the place is unknown.
 * An expression begins behind the end of another, a newline or a semicolon, so only
 * such places are compared.
 *
 * A script has up to a megabyte and is searched for each frame of each stack, but it
 * has few expressions.  The latest answers are therefore kept, by text ids.
 */
#include "walkers/r/text/r_text.h"

#include <string.h>

#include <jpbpf/text.h>

#include "user/lib/mem.h"

#define PLACES 1024

struct place {
	u64 script, text, bytes; /* key; script 0: the place is empty */
	/* First line of the expression, from 1; 0: it has no place. */
	size_t line;
	size_t lines;
};

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

/* Where the place of an expression is kept. */
static struct place *slot_of(void **memory, const struct r_expression *e)
{
	u64 mixed =
		text_mix(text_mix(text_mix(0, e->script), e->text), e->bytes);

	if (!*memory)
		*memory = xcalloc(PLACES, sizeof(struct place));
	return (struct place *)*memory + mixed % PLACES;
}

/* in: the script.  false: the expression's text is missing. */
static bool find_place(struct place *p, const struct walker_texts *texts,
		       const char *in, const struct r_expression *e)
{
	const char *what = find(texts, e->text), *at;

	if (!what)
		return false;
	*p = (struct place){ e->script, e->text, e->bytes, 0, 0 };
	at = find_text(in, what, e->bytes);
	if (at) {
		p->line = count_lines(in, at) + 1;
		p->lines = count_lines(at, at + e->bytes - 1) + 1;
	}
	return true;
}

u32 r_place_line(const struct walker_texts *texts, void **memory,
		 const struct r_expression *e, const char **name, size_t *len)
{
	const char *head = find(texts, e->script);
	const char *end = head ? strchr(head, '\n') : NULL;
	struct place one = { 0 }, *p = memory ? slot_of(memory, e) : &one;

	if (!end)
		return 0;
	if ((p->script != e->script || p->text != e->text ||
	     p->bytes != e->bytes) &&
	    !find_place(p, texts, end + 1, e))
		return 0;
	if (!p->line || !e->line || e->line > p->lines)
		return 0;
	*name = head;
	*len = end - head;
	return (u32)(p->line + e->line - 1);
}
