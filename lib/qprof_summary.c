/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What qprof_shutdown() shows: calls and counts by method, the most called first; which blocks
 * were run, by line; and how often the interface was used wrongly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/qprof_part.h"

static unsigned long long calls_of(const struct method *m)
{
	unsigned long long sum = 0;

	for (int i = 0; i < QPROF_SHARDS; i++)
		sum += m->calls[i];
	return sum;
}

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			fprintf(out, "\\x%02x", (unsigned char)*text);
		else
			fputc(*text, out);
}

static void put_method(FILE *out, const struct method *m)
{
	if (m->m.scope) {
		put_text(out, m->m.scope);
		fputs("::", out);
	}
	put_text(out, m->m.name);
	if (m->m.file) {
		fputs(" (", out);
		put_text(out, m->m.file);
		fputc(')', out);
	}
}

static int by_calls(const void *a, const void *b)
{
	const struct method *x = *(struct method *const *)a,
			    *y = *(struct method *const *)b;
	unsigned long long n = calls_of(x), k = calls_of(y);

	return n != k ? (n < k ? 1 : -1) : strcmp(x->m.name, y->m.name);
}

/* All methods; NULL: no memory. */
static struct method **collect(size_t *n)
{
	struct method **all = NULL;
	size_t room = 0;

	*n = 0;
	for (size_t i = 0; i < (size_t)QPROF_LEAVES * QPROF_LEAF; i++) {
		struct method **leaf = qprof_table[i >> QPROF_LEAF_LOG];

		if (!leaf) {
			i |= QPROF_LEAF - 1;
			continue;
		}
		for (struct method *m = leaf[i & (QPROF_LEAF - 1)]; m;
		     m = m->before) {
			if (*n == room) {
				struct method **more;

				room = room * 2 + 64;
				more = realloc(all, room * sizeof(*all));
				if (!more) {
					free(all);
					return NULL;
				}
				all = more;
			}
			all[(*n)++] = m;
		}
	}
	return all;
}

static void put_blocks(FILE *out, struct method *const *all, size_t n)
{
	unsigned long long blocks = 0, run = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; all[i]->hits && k < all[i]->m.lines; k++) {
			blocks++;
			run += all[i]->hits[k] > 0;
		}
	if (!blocks)
		return;
	fprintf(out,
		"\n%llu of %llu blocks were run\n       runs  line  method\n",
		run, blocks);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; all[i]->hits && k < all[i]->m.lines; k++) {
			fprintf(out, "%11llu %5u  ", all[i]->hits[k],
				all[i]->m.line[k].line);
			put_method(out, all[i]);
			fputc('\n', out);
		}
}

static void put_wrong(FILE *out)
{
	static const char *const why[WRONG_COUNT] = {
		[WRONG_TIME] = "calls before the begin or after the end",
		[WRONG_METHOD] = "methods that nobody has registered",
		[WRONG_STACK] = "stack ids that are 0 or of no frame",
		[WRONG_LINES] = "line tables that are not sorted or missing",
		[WRONG_BLOCK] =
			"blocks of no frame or of a method without lines",
	};

	const char *before = "\n";

	for (int i = 0; i < WRONG_COUNT; i++) {
		if (!qprof.wrong[i])
			continue;
		fprintf(out, "%swrong: %llu %s\n", before, qprof.wrong[i],
			why[i]);
		before = "";
	}
}

void qprof_summarize(const char *path)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "w") : stderr;
	size_t n = 0;
	struct method **all = out ? collect(&n) : NULL;

	if (!out) {
		perror(path);
		return;
	}
	if (all)
		qsort(all, n, sizeof(struct method *), by_calls);
	fputs("      calls       counts  method\n", out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%11llu %12llu  ", calls_of(all[i]),
			all[i]->counts);
		put_method(out, all[i]);
		fputc('\n', out);
	}
	put_blocks(out, all, n);
	put_wrong(out);
	if (out != stderr && fclose(out))
		perror(path);
	free(all);
}
