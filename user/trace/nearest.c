/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names that are like a pattern: of those that could have been chosen, the ones with the
 * fewest letters to change (Levenshtein's distance).
 */
#include <string.h>

#include "user/lib/guard.h"
#include "user/output/escape.h"
#include "user/trace/trace_part.h"

#define MAX_LETTERS 80
#define MAX_OTHERS  65536u
#define SHOWN	    3

void trace_offer(struct trace *t, u32 language, const char *file,
		 const char *name)
{
	_cleanup_buf_ struct buf text = { 0 };

	if (intern_count(t->others) >= MAX_OTHERS)
		return;
	buf_addf(&text, "%s:%s%s", pattern_language(language), file ? file : "",
		 file ? ":" : "");
	buf_adds(&text, name);
	intern_text(t->others, buf_text(&text));
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned distance(const char *a, const char *b)
{
	size_t rows = strnlen(a, MAX_LETTERS), n = strnlen(b, MAX_LETTERS);
	unsigned row[MAX_LETTERS + 1];

	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 1; i <= rows; i++) {
		unsigned before = row[0]++;

		for (size_t k = 1; k <= n; k++) {
			unsigned changed = before + (a[i - 1] != b[k - 1]);

			before = row[k];
			row[k] = least(changed, least(row[k - 1], before) + 1);
		}
	}
	return row[n];
}

struct near {
	const char *name;
	unsigned distance;
};

/* Puts it among those found, which stay sorted, if it is nearer than one of them. */
static void take(struct near found[SHOWN], struct near one)
{
	for (size_t i = 0; i < SHOWN; i++) {
		struct near was = found[i];

		if (was.name && was.distance <= one.distance)
			continue;
		found[i] = one;
		one = was;
	}
}

/* Of the pattern that is nearest. */
static unsigned distance_of(const struct patterns *patterns, const char *name)
{
	_cleanup_buf_ struct buf text = { 0 };
	unsigned found = ~0u;

	for (size_t i = 0; i < patterns->n; i++) {
		const struct pattern *p = &patterns->at[i];

		if (p->is_not)
			continue;
		buf_reset(&text);
		buf_addf(&text, "%s:%s%s%s", pattern_language(p->language),
			 p->file ? p->file : "", p->file ? ":" : "",
			 p->name + (*p->name == '^'));
		found = least(found, distance(buf_text(&text), name));
	}
	return found;
}

void trace_nearest(const struct trace *t, struct buf *out)
{
	struct near found[SHOWN] = { { 0 } };

	for (u32 i = 0; i < intern_count(t->others); i++) {
		const char *name = intern_get(t->others, i, NULL);

		if (*name)
			take(found,
			     (struct near){ name,
					    distance_of(t->patterns, name) });
	}
	for (size_t i = 0; i < SHOWN && found[i].name; i++) {
		buf_adds(out, i ? ", " : "");
		escape_text(found[i].name, "\\", out);
	}
}
