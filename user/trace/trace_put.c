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

static u64 left_of(const struct trace_function *f)
{
	return f->calls - f->open;
}

static u64 average(const struct trace_function *f)
{
	u64 n = left_of(f);

	return n ? f->row.total / n : 0;
}

/* Three digits and a unit. */
static void put_time(u64 ns, struct buf *out)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	double value = ns;
	size_t i = 0;

	for (; value >= 999.5 && i < 3; i++)
		value /= 1000;
	buf_addf(out, " %6.*f %-2s",
		 !i || value >= 99.95 ? 0
		 : value >= 9.995     ? 1
				      : 2,
		 value, unit[i]);
}

/* How calls ended otherwise than by returning. */
static void put_left(const struct trace_function *f, struct buf *out)
{
	const char *before = "  (";

	for (size_t i = CALL_RETURN + 1; i < CALL_LEFT_COUNT; i++) {
		if (!f->row.left[i])
			continue;
		buf_addf(out, "%s%llu %s", before, f->row.left[i],
			 trace_left(i));
		before = ", ";
	}
	if (f->open) {
		buf_addf(out, "%s%llu open", before, f->open);
		before = ", ";
	}
	if (*before == ',')
		buf_addc(out, ')');
}

void trace_put_table(const struct trace_table *table, FILE *out)
{
	struct buf line = { 0 };

	if (table->n)
		fputs("     calls     total      self   average       p50       "
		      "p99       max  function\n",
		      out);
	for (size_t i = 0; i < table->n; i++) {
		const struct trace_function *f = &table->function[i];

		buf_reset(&line);
		buf_addf(&line, "%10llu", f->calls);
		put_time(f->row.total, &line);
		put_time(f->row.self, &line);
		put_time(average(f), &line);
		put_time(quantile(&f->row, 0.5), &line);
		put_time(quantile(&f->row, 0.99), &line);
		put_time(f->row.most, &line);
		buf_addf(&line, " %s:", pattern_language(f->language));
		escape_text(f->id ? f->id : f->name, "\\", &line);
		put_left(f, &line);
		fprintf(out, "%s\n", buf_text(&line));
	}
	buf_release(&line);
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

	put_time(price_of(price, f->language, f->stepped, &own), &time);
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

static void put_function(const struct trace_function *f, struct buf *out)
{
	const struct call_row *row = &f->row;

	json_next(out);
	buf_addc(out, '{');
	json_key(out, "language");
	json_text(out, pattern_language(f->language));
	json_key(out, "name");
	json_text(out, f->name);
	json_key(out, "id");
	json_text(out, f->id ? f->id : f->name);
	json_number(out, "calls", f->calls);
	json_key(out, "left");
	buf_addc(out, '{');
	for (size_t i = 0; i < CALL_LEFT_COUNT; i++)
		json_number(out, trace_left(i), row->left[i]);
	buf_addc(out, '}');
	json_number(out, "open", f->open);
	json_number(out, "total_ns", row->total);
	json_number(out, "self_ns", row->self);
	json_number(out, "suspended_ns", row->suspended);
	json_number(out, "min_ns", row->least);
	json_number(out, "average_ns", average(f));
	json_number(out, "max_ns", row->most);
	json_number(out, "p50_ns", quantile(row, 0.5));
	json_number(out, "p99_ns", quantile(row, 0.99));
	buf_addc(out, '}');
}

void trace_put_json(const struct trace_table *table, FILE *out)
{
	struct buf text = { 0 };

	buf_addc(&text, '{');
	json_key(&text, "functions");
	buf_addc(&text, '[');
	for (size_t i = 0; i < table->n; i++)
		put_function(&table->function[i], &text);
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
