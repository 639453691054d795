/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What was counted, for people and as JSON. */
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/report/counts.h"
#include "user/trace/trace_part.h"
#include "walkers/walker.h"

/* The time (ns) below which that part of the calls stays: between the ends of its
 * power of two, as if the calls there were spread evenly. */
static u64 quantile(const struct call_row *row, double part)
{
	u64 n = 0, seen = 0;
	double want;

	for (size_t i = 0; i < CALL_BUCKETS; i++)
		n += row->bucket[i];
	want = n * part;
	for (size_t i = 0; i < CALL_BUCKETS && n; i++) {
		u64 in = row->bucket[i], low = i ? 1ull << i : 0;
		u64 ns, high = i ? low : 2;

		if (!in || seen + in < want) {
			seen += in;
			continue;
		}
		ns = low + high * ((want - seen) / in);
		return ns < row->least	? row->least
		       : ns > row->most ? row->most
					: ns;
	}
	return 0;
}

struct call_counts *trace_counts(const struct trace_table *table)
{
	struct call_counts *c = xcalloc(table->n + 1, sizeof(*c));

	for (size_t i = 0; i < table->n; i++) {
		const struct trace_function *f = &table->function[i];
		const struct call_row *row = &f->row;

		c[i] = (struct call_counts){
			.language = pattern_language(f->language),
			.name = f->name,
			.id = f->id ?: f->name,
			.sums = { .calls = f->calls,
				  .open = f->open,
				  .total = row->total,
				  .self = row->self,
				  .suspended = row->suspended,
				  .least = row->least,
				  .most = row->most,
				  .p50 = quantile(row, 0.5),
				  .p99 = quantile(row, 0.99) },
		};
		memcpy(c[i].sums.left, row->left, sizeof(row->left));
	}
	return c;
}

void trace_put_table(const struct trace_table *table, FILE *out)
{
	_cleanup_free_ struct call_counts *c = trace_counts(table);

	counts_put(c, table->n, out);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Its name, and behind a tab what a call takes and where it is seen. */
static char *list_line(const struct trace *t, const struct function *f,
		       const struct trace_price *price)
{
	bool native = f->language == CALL_NATIVE;
	u64 own;
	_cleanup_buf_ struct buf name = { 0 }, place = { 0 }, time = { 0 };

	counts_add_time(price_of(price, f->language, f->stepped, &own), &time);
	if (native)
		buf_addf(&place, "%s+0x%llx",
			 (const char *)intern_get(t->names, f->file, NULL),
			 f->word[0] & FRAME_ADDR_MASK);
	else
		buf_addf(&place, "each call of %s",
			 walkers[f->language]->title);
	escape_text(intern_get(t->names, f->name, NULL), "\\\t", &name);
	return xasprintf("%s:%s\t%s  %-30s", pattern_language(f->language),
			 buf_text(&name), buf_text(&time), buf_text(&place));
}

/* Functions that were defined anew have one line. */
void trace_put_list(const struct trace *t, const struct trace_price *price,
		    FILE *out)
{
	size_t n = 0;
	struct function *f, *next;
	_cleanup_free_ char **line =
		xcalloc(HASH_COUNT(t->functions) + 1, sizeof(*line));

	HASH_ITER (hh, t->functions, f, next)
		line[n++] = list_line(t, f, price);
	qsort(line, n, sizeof(*line), by_name);
	if (n)
		fputs("    price  place                           function\n",
		      out);
	for (size_t i = 0; i < n; i++) {
		size_t name = strcspn(line[i], "\t");

		if (i + 1 == n || strcmp(line[i], line[i + 1]) != 0)
			fprintf(out, "%s  %.*s\n", line[i] + name + 1,
				(int)name, line[i]);
	}
	for (size_t i = 0; i < n; i++)
		free(line[i]);
}

void trace_put_json(const struct trace_table *table, FILE *out)
{
	_cleanup_free_ struct call_counts *c = trace_counts(table);
	struct buf text = { 0 };

	buf_addc(&text, '{');
	json_key(&text, "functions");
	buf_addc(&text, '[');
	for (size_t i = 0; i < table->n; i++)
		counts_add_json(&c[i], &text);
	buf_addc(&text, ']');
	json_key(&text, "lost");
	buf_addc(&text, '{');
	json_number(&text, "functions", table->lost.functions);
	json_number(&text, "limited", table->lost.limited);
	json_number(&text, "open", table->lost.open);
	json_number(&text, "stacks", table->lost.stacks);
	json_number(&text, "records", table->lost.records);
	json_number(&text, "unseen", table->unseen);
	json_number(&text, "made", table->lost.made);
	json_number(&text, "hits", table->lost.hits);
	buf_addc(&text, '}');
	json_key(&text, "price");
	buf_addc(&text, '{');
	json_number(&text, "nothing_ns", table->price.nothing);
	json_number(&text, "other_ns", table->price.other);
	json_number(&text, "chosen_ns", table->price.chosen);
	json_number(&text, "native_ns", table->price.native);
	json_number(&text, "stepped_ns", table->price.stepped);
	if (table->price.watched)
		json_number(&text, "watched_ns", table->price.watched);
	buf_adds(&text, "}}\n");
	fwrite(buf_text(&text), 1, text.len, out);
	buf_release(&text);
}
