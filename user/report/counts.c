/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/report/counts.h"

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/output/escape.h"

const char *counts_left(u32 left)
{
	static const char *const names[CALL_LEFT_COUNT] = {
		[CALL_RETURN] = "return", [CALL_ERROR] = "error",
		[CALL_BREAK] = "break",	  [CALL_CONTINUE] = "continue",
		[CALL_OTHER] = "other",	  [CALL_TAIL] = "tailcall",
		[CALL_JUMP] = "jump",
	};

	return left < CALL_LEFT_COUNT ? names[left] : "?";
}

static u64 average(const struct call_sums *s)
{
	u64 n = s->calls - s->open;

	return n ? s->total / n : 0;
}

void counts_add_time(u64 ns, struct buf *out)
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
static void add_left(const struct call_sums *s, struct buf *out)
{
	const char *before = "  (";

	for (size_t i = CALL_RETURN + 1; i < CALL_LEFT_COUNT; i++) {
		if (!s->left[i])
			continue;
		buf_addf(out, "%s%llu %s", before, s->left[i], counts_left(i));
		before = ", ";
	}
	if (s->open) {
		buf_addf(out, "%s%llu open", before, s->open);
		before = ", ";
	}
	if (*before == ',')
		buf_addc(out, ')');
}

void counts_put(const struct call_counts *c, size_t n, FILE *out)
{
	struct buf line = { 0 };

	if (n)
		fputs("     calls     total      self   average       p50       "
		      "p99       max  function\n",
		      out);
	for (const struct call_counts *end = c + n; c < end; c++) {
		const struct call_sums *s = &c->sums;

		buf_reset(&line);
		buf_addf(&line, "%10llu", s->calls);
		counts_add_time(s->total, &line);
		counts_add_time(s->self, &line);
		counts_add_time(average(s), &line);
		counts_add_time(s->p50, &line);
		counts_add_time(s->p99, &line);
		counts_add_time(s->most, &line);
		buf_addc(&line, ' ');
		escape_text(c->language, "\\", &line);
		buf_addc(&line, ':');
		escape_text(c->id, "\\", &line);
		add_left(s, &line);
		fprintf(out, "%s\n", buf_text(&line));
	}
	buf_release(&line);
}

void counts_add_json(const struct call_counts *c, struct buf *out)
{
	const struct call_sums *s = &c->sums;

	json_next(out);
	buf_addc(out, '{');
	json_key(out, "language");
	json_text(out, c->language);
	json_key(out, "name");
	json_text(out, c->name);
	json_key(out, "id");
	json_text(out, c->id);
	json_number(out, "calls", s->calls);
	json_key(out, "left");
	buf_addc(out, '{');
	for (size_t i = 0; i < CALL_LEFT_COUNT; i++)
		json_number(out, counts_left(i), s->left[i]);
	buf_addc(out, '}');
	json_number(out, "open", s->open);
	json_number(out, "total_ns", s->total);
	json_number(out, "self_ns", s->self);
	json_number(out, "suspended_ns", s->suspended);
	json_number(out, "min_ns", s->least);
	json_number(out, "average_ns", average(s));
	json_number(out, "max_ns", s->most);
	json_number(out, "p50_ns", s->p50);
	json_number(out, "p99_ns", s->p99);
	buf_addc(out, '}');
}
