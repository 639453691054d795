/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Builds a module's rows in address order. Each range with call frame information
 * is covered from the end of one row to the end of the next; every gap gets an
 * UNWIND_NONE row. A row is split where a mark begins or ends. Rules are numbered: a
 * file with a million rows has a few thousand different rules.
 *
 * libdw would run a function's program from its start for every row (1,039 rows in
 * R's bcEval: 3 ms), and would take as much memory as a program demands.
 * cfi_program.c runs it in one pass and keeps only rows. A file made to waste time
 * is stopped by the limit of CPU time.
 */
#include "user/unwind/cfi.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "arch/cfi.h"
#include "user/lib/clock.h"
#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/elf/frames.h"
#include "user/elf/golang.h"
#include "user/elf/module.h"
#include "user/unwind/cfi_program.h"
#include "user/unwind/cfi_rule.h"

#define MAX_RULES 65536u

/* A million rows take a tenth of a second. */
#define MAX_CPU_NS   10000000000ull
#define CLOCK_FRAMES 64 /* rows between looks at the clock */

struct build {
	struct cfi_table *t;
	const struct module *m;
	struct frames debug;  /* .debug_frame, where only that exists */
	struct golang golang; /* Go's functions; empty: no Go */
	const struct module_function *range; /* sorted by start; fde is set */
	size_t ranges;
	struct cfi_program program;
	const struct cfi_mark *mark;
	size_t marks;
	u64 at;		      /* the rows so far cover all addresses below */
	u64 go;		      /* number of Go's functions already done */
	struct intern *rules; /* by number */
	u64 started_ns;
	u64 looks;
	struct cfi_gaps gaps;
};

/* The number of a rule; CFI_RULE_UNSUPPORTED if there is no room for a new rule. */
static u16 find_rule(struct build *b, const struct unwind_rule *rule)
{
	const struct intern_key key = { rule, sizeof(*rule), NULL, 0 };
	struct cfi_table *t = b->t;
	u32 id = intern_id(b->rules, &key, t->rules < MAX_RULES);

	if (id == INTERN_NONE)
		return CFI_RULE_UNSUPPORTED;
	if (id == t->rules) {
		t->rule = xgrow(t->rule, id, &t->rule_capacity, sizeof(*rule));
		t->rule[t->rules++] = *rule;
	}
	return id;
}

static int add_row(struct build *b, u64 vaddr, u16 rule)
{
	struct cfi_table *t = b->t;

	if (t->rows && t->row[t->rows - 1].rule == rule)
		return 0;
	if (t->rows >= CFI_MAX_ROWS)
		return -E2BIG;
	if (!heap_grows(HEAP_READING, t->rows, t->row_capacity,
			sizeof(*t->row)))
		return -ENOMEM;
	t->row = xgrow(t->row, t->rows, &t->row_capacity, sizeof(*t->row));
	t->row[t->rows++] = (struct cfi_row){ vaddr, rule };
	t->unsupported += t->rule[rule].kind == UNWIND_UNSUPPORTED;
	return 0;
}

/* The mark for vaddr; 0: none. Lowers *end to where the mark changes. */
static u8 mark_at(const struct build *b, u64 vaddr, u64 *end)
{
	for (size_t i = 0; i < b->marks; i++) {
		const struct cfi_mark *m = &b->mark[i];

		if (vaddr >= m->end || *end <= m->start)
			continue;
		if (vaddr < m->start) {
			*end = m->start;
			continue;
		}
		if (*end > m->end)
			*end = m->end;
		return m->mark;
	}
	return 0;
}

static int in_time(struct build *b)
{
	if (!(++b->looks % CLOCK_FRAMES) &&
	    clock_ns(CLOCK_THREAD_CPUTIME_ID) - b->started_ns > MAX_CPU_NS)
		return -E2BIG;
	return 0;
}

/* Adds rows for [b->at, end) with one rule. */
static int add_rows(void *ctx, u64 end, struct unwind_rule *rule)
{
	struct build *b = ctx;
	int err = in_time(b);

	while (!err && b->at < end) {
		u64 cut = end;

		if (rule->kind != UNWIND_NONE)
			rule->mark = mark_at(b, b->at, &cut);
		err = add_row(b, b->at, find_rule(b, rule));
		b->at = cut;
	}
	return err;
}

static int add_nothing(struct build *b, u64 end)
{
	struct unwind_rule none = { .kind = UNWIND_NONE };

	return add_rows(b, end, &none);
}

static int add_frame(void *ctx, u64 end, const struct cfi_frame *row)
{
	struct build *b = ctx;
	struct unwind_rule rule;

	if (end <= b->at)
		return 0;
	cfi_rule_classify(row, &rule);
	return add_rows(b, end, &rule);
}

/* Fills [b->at, end) with Go's functions that begin there, and with nothing between them. */
static int add_go(struct build *b, u64 end)
{
	struct golang_function f;
	int err = 0;

	for (; !err && b->go < b->golang.n; b->go++) {
		if (golang_function(&b->golang, b->go, &f) || f.start < b->at)
			continue;
		if (f.start >= end)
			break;
		if (f.end > end)
			f.end = end;
		err = add_nothing(b, f.start);
		if (!err)
			err = cfi_go_rows(b->m, &b->golang, &f, add_rows, b);
	}
	return err ? err : add_nothing(b, end);
}

/* Fills [b->at, end), which has no call frame information. */
static int add_gap(struct build *b, u64 end)
{
	const struct cfi_table *t = b->t;
	struct cfi_gap gap;
	int err = 0;

	/* During the system call that ends a signal handler, the address is already
	 * the one after the call. */
	if (b->at < end && t->rows &&
	    t->rule[t->row[t->rows - 1].rule].kind == UNWIND_SIGNAL)
		b->at++;
	while (!err && b->at < end &&
	       cfi_gaps_find(&b->gaps, b->at, end, &gap)) {
		err = add_go(b, gap.start);
		if (!err)
			err = add_rows(b, gap.end, &gap.rule);
	}
	return err ? err : add_go(b, end);
}

static int add_range(struct build *b, const struct module_function *range)
{
	int err = 0;

	if (range->end <= b->at || range->end <= range->start)
		return 0;
	if (range->end > UINT32_MAX)
		return -EFBIG;
	err = add_gap(b, range->start);
	if (!err)
		err = in_time(b);
	if (!err)
		err = cfi_program_rows(&b->program, range, add_frame, b);
	if (err != -EBADMSG)
		return err;
	b->t->errors++;
	return add_gap(b, range->end);
}

static int add_everything(struct build *b)
{
	static const struct unwind_rule none = { .kind = UNWIND_NONE };
	static const struct unwind_rule bad = { .kind = UNWIND_UNSUPPORTED };
	int err = 0;

	find_rule(b, &none);
	find_rule(b, &bad);
	for (size_t i = 0; i < b->ranges && !err; i++)
		err = add_range(b, &b->range[i]);
	if (!err)
		err = add_gap(b, UINT32_MAX);
	return err ? err : add_row(b, b->at, CFI_RULE_NONE);
}

static int open_sources(struct build *b)
{
	int err = module_functions(b->m, &b->range, &b->ranges);
	/* After that: where memory lacks, the next try may find some. */
	const struct frames *frames = err ? NULL : module_frames(b->m);

	/* Go's .debug_frame is made from its table, and says less. */
	if (!golang_open(&b->golang, b->m))
		err = 0;
	if (err == -ENOENT) {
		err = frames_read(&b->debug, b->m, true);
		frames = &b->debug;
		b->range = b->debug.function;
		b->ranges = b->debug.n;
	}
	cfi_program_init(&b->program, frames);
	return err;
}

int cfi_build(struct cfi_table *t, const struct module *m,
	      const struct cfi_mark *marks, size_t n_marks)
{
	struct build b = { .t = t, .m = m, .mark = marks, .marks = n_marks };
	int err;

	*t = (struct cfi_table){ 0 };
	b.started_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	err = open_sources(&b);
	if (!err) {
		cfi_gaps_init(&b.gaps, m);
		b.rules = intern_new();
		err = add_everything(&b);
	}
	intern_free(b.rules);
	golang_close(&b.golang);
	frames_release(&b.debug);
	if (err)
		cfi_release(t);
	return err;
}

void cfi_release(struct cfi_table *t)
{
	free(t->row);
	free(t->rule);
	*t = (struct cfi_table){ 0 };
}
