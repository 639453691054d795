/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A raw stack is decoded once; what it is in the recording is kept as its number.
 *
 * Native and kernel frames wait in a list for their names (tape_names.c).  Naming takes
 * a process for each file (user/debuginfo/jail.h), so the next one comes after REST times
 * as long as the last took, and at the beginning when twice as much time has passed.
 * Should the program be killed before, samples are there without those names, and a
 * reader can look them up by build-id and address.  Without times nobody can read before
 * the end, so names wait as long.
 */
#include "user/profile/tape.h"
#include "user/profile/tape_part.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/lib/buf.h"
#include "user/lib/clock.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/profile/texts.h"
#include "user/recording/writer.h"
#include "user/symbolize/decode.h"
#include "user/symbolize/kernel.h"

#define REST 1000 /* times what naming takes */

struct tape *tape_new(int fd, const struct recording_head *head,
		      const struct tape_config *config)
{
	struct tape *t = xcalloc(1, sizeof(*t));

	t->config = *config;
	t->writer = writer_new(fd, head);
	t->stacks = intern_new();
	t->texts = intern_new_texts();
	t->logged = intern_new();
	t->kernel = kernel_new("/proc/kallsyms");
	t->begun = now_ns();
	return t;
}

void tape_free(struct tape *t)
{
	if (!t)
		return;
	writer_free(t->writer);
	intern_free(t->stacks);
	intern_free(t->texts);
	intern_free(t->logged);
	kernel_free(t->kernel);
	free(t->log);
	free(t->unnamed);
	free(t->named);
	free(t);
}

static u32 put_event(struct tape *t, u32 source)
{
	const struct tape_event *of = &t->event[source];
	const struct recording_event e = {
		writer_text(t->writer, of->name ? of->name : ""),
		writer_text(t->writer, of->unit ? of->unit : ""), of->interval
	};

	return writer_id(t->writer, RECORDING_EVENT, &e);
}

void tape_event(struct tape *t, u32 source, const char *name, const char *unit,
		u64 interval)
{
	if (source >= SOURCES)
		return;
	t->event[source] = (struct tape_event){ name, unit, interval };
	put_event(t, source);
}

/* The place in the log for a sample that has no sums yet. */
static struct logged *find_logged(struct tape *t, const struct logged *l)
{
	const struct intern_key key = { l, sizeof(*l), NULL, 0 };
	u64 new = 0, *place = &new;

	if (!(t->config.by & PROFILE_TIMES))
		place = intern_numbers(t->logged,
				       intern_id(t->logged, &key, true));
	if (!*place) {
		t->log = xgrow(t->log, t->logs, &t->log_capacity,
			       sizeof(*t->log));
		t->log[t->logs++] = *l;
		*place = t->logs;
	}
	return &t->log[*place - 1];
}

void tape_take(struct tape *t, const struct sample *s, const u64 *word,
	       u32 words)
{
	const struct intern_key key = { word, words * sizeof(*word), NULL, 0 };
	const char *program = "", *cgroup = "";
	unsigned by = t->config.by;
	struct logged l = {
		.s = { .event = s->source < SOURCES ? s->source : 0,
		       .stack = intern_id(t->stacks, &key, true) },
	}, *to;

	if (by & PROFILE_TIMES) {
		l.s.time = s->time;
		l.s.cpu = s->cpu;
	}
	if (by & PROFILE_BY_TID)
		l.tid = s->tid;
	if (by & PROFILE_BY_PID) {
		l.pid = s->pid;
		if (t->config.describe)
			t->config.describe(t->config.ctx, s->pid, &program,
					   &cgroup);
		l.program = intern_text(t->texts, program);
		l.cgroup = intern_text(t->texts, cgroup);
	}
	memcpy(l.comm, s->comm, strnlen(s->comm, COMM_LEN - 1));
	to = find_logged(t, &l);
	to->s.weight += s->weight;
	to->s.value += s->value;
	to->samples++;
}

void tape_take_count(struct tape *t, const struct sample *s, const u64 *word,
		     u32 words)
{
	struct sample count = *s;

	if (t->config.one_event)
		return;
	t->event[SOURCES - 1] = (struct tape_event){ "counts", "counts", 0 };
	count.source = SOURCES - 1;
	count.weight = 1;
	count.value = s->count;
	tape_take(t, &count, word, words);
}

/* The recording's id of a text of the store. */
u32 tape_put_text(struct tape *t, struct intern *texts, u32 id)
{
	u64 *known = intern_numbers(texts, id);

	if (!*known)
		*known = writer_text(t->writer, intern_get(texts, id, NULL)) +
			 1ull;
	return *known - 1;
}

/* The recording's id of a live module: file id + 1. */
u32 tape_put_module(struct tape *t, u32 module)
{
	const struct module *m =
		module ? modules_get(t->config.modules, module - 1) : NULL;
	_cleanup_buf_ struct buf id = { 0 };

	if (!m)
		return 0;
	buf_addhex(&id, m->build_id, m->build_id_len);
	return writer_id(t->writer, RECORDING_MODULE,
			 &(struct recording_module){
				 writer_text(t->writer, m->name),
				 writer_text(t->writer, m->path),
				 writer_text(t->writer, buf_text(&id)) });
}

static u32 put_frame(struct tape *t, struct intern *texts,
		     const struct frame *raw)
{
	struct frame f = *raw;
	u32 *const text[] = { &f.space, &f.name, &f.file, &f.expression,
			      &f.called };
	u32 id;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		*text[i] = tape_put_text(t, texts, *text[i]);
	f.module = tape_put_module(t, raw->module);
	id = writer_id(t->writer, RECORDING_FRAME, &f);
	if (id <= t->frames)
		return id;
	t->frames = id;
	if ((f.type == FRAME_IS_C && f.module) || f.type == FRAME_IS_KERNEL)
		tape_add_frame(t, raw, id);
	return id;
}

static u32 put_stack(struct tape *t, struct decoder *d, struct intern *texts,
		     u32 raw)
{
	u64 *known = intern_numbers(t->stacks, raw);
	struct recording_stack s = { 0 };
	const struct frame *frame;
	size_t len, n;
	const u64 *word = intern_get(t->stacks, raw, &len);

	if (*known)
		return *known - 1;
	n = decoder_stack(d, word, len / sizeof(*word), &frame);
	for (size_t i = 0; i < n; i++) {
		s.frame = put_frame(t, texts, &frame[i]);
		s.outer = writer_id(t->writer, RECORDING_STACK, &s);
	}
	*known = s.outer + 1ull;
	return s.outer;
}

/* The text that the kernel side sent under this id. */
static const char *find_text(void *ctx, u64 id)
{
	const struct tape *t = ctx;

	return texts_find(t->config.texts, id);
}

static int by_time(const void *a, const void *b)
{
	const struct logged *x = a, *y = b;

	return (x->s.time > y->s.time) - (x->s.time < y->s.time);
}

static u32 put_task(struct tape *t, const struct logged *l)
{
	const struct recording_task task = {
		.pid = l->pid,
		.tid = l->tid,
		.comm = writer_text(t->writer, l->comm),
		.program = tape_put_text(t, t->texts, l->program),
		.cgroup = tape_put_text(t, t->texts, l->cgroup),
	};

	return writer_id(t->writer, RECORDING_TASK, &task);
}

/* Stacks come first, and the names of their functions: samples without names would be
 * worth less than names without samples, should the disk be full. */
static void put_stacks(struct tape *t)
{
	struct intern *texts = intern_new_texts();
	const struct walker_texts find = { .find = find_text, .ctx = t };
	struct decoder *d = decoder_new(texts, &find, true);

	for (; t->placed < t->logs; t->placed++) {
		struct recording_sample *s = &t->log[t->placed].s;

		s->stack = put_stack(t, d, texts, s->stack);
	}
	decoder_free(d);
	intern_free(texts);
}

static void put_samples(struct tape *t)
{
	u64 written = writer_samples(t->writer);

	if (t->logs)
		qsort(t->log, t->logs, sizeof(*t->log), by_time);
	for (size_t i = 0; i < t->logs; i++) {
		struct recording_sample s = t->log[i].s;

		s.event = put_event(t, s.event);
		s.task = put_task(t, &t->log[i]);
		writer_sample(t->writer, &s);
	}
	writer_flush(t->writer);
	written = writer_samples(t->writer) - written;
	t->logs -= written;
	t->placed = t->logs;
	if (t->logs)
		memmove(t->log, t->log + written, t->logs * sizeof(*t->log));
	intern_free(t->logged);
	t->logged = intern_new();
}

void tape_name(struct tape *t)
{
	put_stacks(t);
	tape_put_names(t);
	put_samples(t);
	/* The ids of modules, which raw stacks have, may soon be those of others. */
	intern_free(t->stacks);
	t->stacks = intern_new();
	t->nameds = 0;
}

u64 tape_written(const struct tape *t)
{
	return writer_written(t->writer);
}

size_t tape_bytes(const struct tape *t)
{
	return writer_bytes(t->writer) + intern_bytes(t->stacks) +
	       intern_bytes(t->logged) + t->log_capacity * sizeof(*t->log) +
	       t->unnamed_capacity * sizeof(*t->unnamed);
}

/* All ids are forgotten when they take too much memory. */
static void keep_small(struct tape *t)
{
	if (tape_bytes(t) < t->config.max_bytes)
		return;
	tape_name(t);
	writer_forget(t->writer);
	intern_free(t->texts);
	t->texts = intern_new_texts();
	t->frames = 0;
}

int tape_flush(struct tape *t, u64 now, bool last)
{
	bool timed = t->config.by & PROFILE_TIMES;

	put_stacks(t);
	if (last || (timed && now >= t->next_names)) {
		u64 begun = now_ns(), rest, passed = now - t->begun;

		tape_put_names(t);
		rest = REST * (now_ns() - begun);
		t->next_names = now + (rest < passed ? rest : passed);
	}
	if (last || timed)
		put_samples(t);
	keep_small(t);
	return writer_flush(t->writer);
}

void tape_note(struct tape *t, enum recording_kind kind, u64 time,
	       const char *text, u64 count)
{
	writer_put(t->writer, kind,
		   &(struct recording_note){ time, writer_text(t->writer, text),
					     count });
}

void tape_calls(struct tape *t, const struct call_counts *c)
{
	const struct recording_calls calls = {
		.language = writer_text(t->writer, c->language),
		.name = writer_text(t->writer, c->name),
		.id = writer_text(t->writer, c->id),
		.sums = c->sums,
	};

	writer_put(t->writer, RECORDING_CALLS, &calls);
}

int tape_end(struct tape *t, const struct recording_summary *s)
{
	writer_put(t->writer, RECORDING_SUMMARY, s);
	return writer_flush(t->writer);
}
