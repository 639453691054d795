/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Quantify Interpreter Interface.
 *
 * Methods are found by their ids in a table of two levels.  They are never freed: a frame, or a
 * reader, may still have one that was registered anew.
 *
 * Calls are counted exactly and without atomic operations: each of the first threads has a
 * counter of its own in every method, all later ones share one, which is atomic.
 */
#define _GNU_SOURCE
#define JPI_API
#define QPROF_API __attribute__((visibility("default")))
#include <jpbpf-interp.h>
#include <qprof.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/qprof_part.h"

struct qprof_state qprof;
struct method **qprof_table[QPROF_LEAVES];

static void (*callback)(qprof_MethodID);
static JPI_TLS unsigned shard; /* + 1; 0: it has none yet */
static JPI_TLS qprof_Counts last_counts;

static bool runs(void)
{
	if (__builtin_expect(qprof.runs, 1))
		return true;
	qprof_wrong(WRONG_TIME);
	return false;
}

/* --------------------------------------------------------------- options */

struct option {
	struct option *next;
	char *value; /* behind the name */
	char name[];
};

static struct option *options;

static void add_options(const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, ",");
		struct option *o = malloc(sizeof(*o) + n + 2);
		char *equals;

		if (!o)
			return;
		memcpy(o->name, text, n);
		o->name[n] = o->name[n + 1] = 0;
		equals = strchr(o->name, '=');
		o->value = equals ? equals + 1 : o->name + n;
		if (equals)
			*equals = 0;
		o->next = options;
		options = o;
		text += n + (text[n] == ',');
	}
}

static const char *find_option(const char *name)
{
	for (const struct option *o = options; o && name; o = o->next)
		if (!strcmp(o->name, name))
			return o->value;
	return NULL;
}

void *qprof_get_option(const char *name)
{
	const char *value = find_option(name);
	char *end;
	long number;

	if (!value)
		return NULL;
	if (!*value || !strcmp(value, "true"))
		return (void *)1;
	number = strtol(value, &end, 0);
	return *end ? (void *)value : (void *)number;
}

/* ---------------------------------------------------------- begin and end */

int qprof_initialize(const char *text, void (*get_method_info)(qprof_MethodID))
{
	if (!__sync_bool_compare_and_swap(&qprof.begun, 0, 1))
		return -1;
	add_options(text);
	add_options(getenv("JPI_OPTIONS"));
	callback = get_method_info;
	if (jpi_init("QII", 0))
		return -1;
	qprof.runs = 1;
	return 0;
}

void qprof_shutdown(void)
{
	const char *path = find_option("summary");

	if (!__sync_bool_compare_and_swap(&qprof.runs, 1, 0)) {
		qprof_wrong(WRONG_TIME);
		return;
	}
	jpi_shutdown();
	if (path)
		qprof_summarize(path);
}

/* --------------------------------------------------------------- methods */

static struct method *find(qprof_MethodID id)
{
	struct method **leaf = qprof_table[id >> QPROF_LEAF_LOG];

	return leaf ? leaf[id & (QPROF_LEAF - 1)] : NULL;
}

static void put(qprof_MethodID id, struct method *m)
{
	struct method ***slot = &qprof_table[id >> QPROF_LEAF_LOG];
	struct method **leaf = *slot ? NULL : calloc(QPROF_LEAF, sizeof(*leaf));

	if (leaf && !__sync_bool_compare_and_swap(slot, NULL, leaf))
		free(leaf);
	if (!*slot)
		return;
	m->before = (*slot)[id & (QPROF_LEAF - 1)];
	(*slot)[id & (QPROF_LEAF - 1)] = m;
}

static int by_offset(const void *a, const void *b)
{
	const struct jpi_line *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Copies the table, in the order of offsets. */
static void take_lines(struct method *m, const qprof_LineInfo *table, int n)
{
	struct jpi_line *line;
	bool sorted = true;

	if (!table || n <= 0) {
		if (table || n)
			qprof_wrong(WRONG_LINES);
		return;
	}
	line = calloc(n, sizeof(*line));
	m->hits = calloc(n, sizeof(*m->hits));
	if (!line || !m->hits) {
		free(line);
		return;
	}
	for (int i = 0; i < n; i++) {
		line[i] = (struct jpi_line){ table[i].start_offset,
					     table[i].line };
		sorted = sorted && (!i || line[i - 1].at <= line[i].at);
	}
	if (!sorted) {
		qsort(line, n, sizeof(*line), by_offset);
		qprof_wrong(WRONG_LINES);
	}
	m->m.line = line;
	m->m.lines = n;
}

void qprof_register_method_id(qprof_MethodID id, const char *name,
			      const char *class, int flags, const char *file,
			      const qprof_LineInfo *table, int lines)
{
	struct method *m = runs() ? calloc(1, sizeof(*m)) : NULL;
	char text[32];

	if (!m)
		return;
	snprintf(text, sizeof(text), "method %u", id);
	m->m.size = sizeof(m->m);
	m->m.name = strdup(name ? name : text);
	if (!m->m.name) {
		free(m);
		return;
	}
	m->m.scope = class ? strdup(class) : NULL;
	m->m.file = file ? strdup(file) : NULL;
	m->m.flags = flags & (JPI_BLOCKS | JPI_WAITS);
	m->m.user = id;
	take_lines(m, table, lines);
	put(id, m);
}

/* One that is not known yet. */
static __attribute__((noinline)) struct method *ask(qprof_MethodID id)
{
	if (callback)
		callback(id);
	if (!find(id)) {
		qprof_wrong(WRONG_METHOD);
		qprof_register_method_id(id, NULL, NULL, 0, NULL, NULL, 0);
	}
	return find(id);
}

/* ---------------------------------------------------------------- frames */

static void count(struct method *m)
{
	static unsigned shards;

	if (!shard)
		shard = __sync_add_and_fetch(&shards, 1);
	if (shard < QPROF_SHARDS)
		m->calls[shard]++;
	else
		__sync_fetch_and_add(&m->calls[0], 1);
}

void qprof_record_fn_entry(qprof_MethodID id, qprof_StackID stack_id)
{
	struct method *m;

	if (!runs())
		return;
	m = find(id) ?: ask(id);
	if (!stack_id)
		qprof_wrong(WRONG_STACK);
	if (!m)
		return;
	count(m);
	/* The caller's stack pointer: its frame ends above it. */
	jpi_enter_at(&m->m, (uintptr_t)__builtin_dwarf_cfa(), stack_id);
}

void qprof_record_fn_exit(qprof_StackID id)
{
	struct jpi_stack *s = jpi_thread.stack;
	uint64_t had = s->depth;

	if (!runs())
		return;
	if (had > 1 && had <= s->room && jpi_frames(s)[had - 2].id == id) {
		jpi_leave(had - 1);
		return;
	}
	jpi_exit_to(id);
	/* The outermost one returns to what is no frame. */
	if (!had || had == s->depth || (!s->depth && had > 1))
		qprof_wrong(WRONG_STACK);
}

static struct method *current(void)
{
	return (struct method *)jpi_method_now();
}

qprof_MethodID qprof_current_method_id(void)
{
	const struct method *m = runs() ? current() : NULL;

	return m ? m->m.user : 0;
}

/* ---------------------------------------------------------------- counts */

void qprof_record_counts(qprof_Counts value)
{
	struct method *m;

	if (!runs())
		return;
	m = current();
	if (m && value > last_counts)
		__sync_fetch_and_add(&m->counts, value - last_counts);
	last_counts = value;
	jpi_count(value);
}

void qprof_record_bb_time(int bb_num)
{
	struct jpi_stack *s = jpi_thread.stack;
	struct method *m = runs() ? current() : NULL;
	size_t low = 0, high;

	if (!m || !m->m.lines || bb_num < 0) {
		if (qprof.runs)
			qprof_wrong(WRONG_BLOCK);
		return;
	}
	jpi_at(s->depth - 1, bb_num);
	high = m->m.lines;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (m->m.line[middle].at <= (unsigned)bb_num)
			low = middle;
		else
			high = middle;
	}
	__sync_fetch_and_add(&m->hits[low], 1);
}

void qprof_record_bb_counts(int bb_num, qprof_Counts value)
{
	qprof_record_bb_time(bb_num);
	qprof_record_counts(value);
}

/* --------------------------------------------------------------- threads */

void qprof_thread_create(qprof_ThreadID id)
{
	(void)id;
	runs();
}

void qprof_thread_destroy(qprof_ThreadID id)
{
	(void)id;
	if (runs())
		jpi_leave(0);
}

void qprof_set_thread_name(const char *name)
{
	char *copy = runs() && name ? strdup(name) : NULL;

	if (copy)
		jpi_name(copy);
}
