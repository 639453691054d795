/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * For people: each process, its threads, and of each thread the frames from the innermost
 * outward, with their kinds (text_kind()).  Threads of a process whose texts are equal are
 * one entry.  R evaluates an argument where it is needed; frames that stand between the
 * call that made it and the argument are indented.
 *
 * As JSON: a list of threads; docs/formats.md lists the members.
 */
#include "user/output/dump.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

struct dump_writer {
	struct profile *profile;
	struct dump_thread *const *thread;
	size_t n;
	u32 *stack; /* of each thread, id + 1; 0: none */
	bool *is_done;
	u32 pid; /* whose head was written last */
	struct output out;
};

static int compare(const void *key, const void *member)
{
	const struct profile_task *x = key;
	const struct dump_thread *y = *(struct dump_thread *const *)member;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static void find_stacks(struct dump_writer *w)
{
	for (u32 i = 0; i < intern_count(w->profile->stacks); i++) {
		struct profile_stack stack = profile_stack(w->profile, i);
		struct dump_thread *const *found =
			bsearch(profile_task(w->profile, stack.key->task),
				w->thread, w->n, sizeof(*w->thread), compare);

		if (found)
			w->stack[found - w->thread] = i + 1;
	}
}

static const struct profile_task *task_of(const struct dump_writer *w, size_t i)
{
	struct profile_stack stack = profile_stack(w->profile, w->stack[i] - 1);

	return profile_task(w->profile, stack.key->task);
}

/* "" where it is not known. */
static const char *wchan_of(const struct dump_thread *t)
{
	return t->wchan && strcmp(t->wchan, "0") != 0 ? t->wchan : "";
}

/* "S (sleeping)" gives " (sleeping in hrtimer_nanosleep)". */
static void put_state(const struct dump_thread *t, struct buf *out)
{
	const char *word = t->state ? strchr(t->state, '(') : NULL;

	buf_addf(out, " (%.*s%s%s)",
		 word ? (int)strcspn(word + 1, ")") : (int)sizeof("unknown"),
		 word ? word + 1 : "unknown", *wchan_of(t) ? " in " : "",
		 wchan_of(t));
}

/* What is written of a thread behind its number; the caller frees it. */
static char *text_of(const struct dump_writer *w, size_t i)
{
	struct profile_stack stack;
	struct buf out = { 0 };

	put_state(w->thread[i], &out);
	if (!w->stack[i]) {
		buf_adds(&out, ": no stack could be taken\n");
		return out.data;
	}
	stack = profile_stack(w->profile, w->stack[i] - 1);
	buf_adds(&out, ": ");
	text_name(profile_text(w->profile, task_of(w, i)->comm), &out);
	buf_addc(&out, '\n');
	text_stack(w->profile, &stack, &out);
	buf_addc(&out, '\0');
	return out.data;
}

/* The process's head, before the first of its threads that is written. */
static void put_process(struct dump_writer *w, size_t i)
{
	struct buf *out = &w->out.text;

	if (w->pid == w->thread[i]->pid)
		return;
	w->pid = w->thread[i]->pid;
	buf_addf(out, "\nProcess %u", w->pid);
	if (w->stack[i]) {
		buf_adds(out, ": ");
		text_name(profile_text(w->profile, task_of(w, i)->program),
			  out);
	}
	buf_addc(out, '\n');
}

/* Write the thread once with all others of its process that have the same text, and mark
 * them as done. */
static void put_threads(struct dump_writer *w, size_t first)
{
	const struct dump_thread *t = w->thread[first];
	struct buf tids = { 0 };
	size_t like = 0;

	for (size_t i = first; i < w->n && w->thread[i]->pid == t->pid; i++) {
		if (w->is_done[i] || strcmp(w->thread[i]->was, t->was) != 0)
			continue;
		w->is_done[i] = true;
		like++;
		buf_addf(&tids, " %u", w->thread[i]->tid);
	}
	put_process(w, first);
	if (like > 1)
		buf_addf(&w->out.text, "\n  %zu threads:", like);
	else
		buf_adds(&w->out.text, "\n  Thread");
	buf_addf(&w->out.text, "%s%s", buf_text(&tids), t->was);
	buf_release(&tids);
}

/* Write the numbers of the threads whose text has not changed, grouped by the time since
 * which it is the same. */
static void put_unchanged(struct dump_writer *w)
{
	for (size_t i = 0; i < w->n; i++) {
		time_t since = w->thread[i]->since;
		struct buf tids = { 0 };
		char clock[16];

		for (size_t k = i; k < w->n; k++) {
			if (w->is_done[k] || w->thread[k]->since != since)
				continue;
			w->is_done[k] = true;
			buf_addf(&tids, " %u", w->thread[k]->tid);
		}
		strftime(clock, sizeof(clock), "%T", localtime(&since));
		if (tids.len)
			buf_addf(&w->out.text, "\nUnchanged since %s:%s\n",
				 clock, buf_text(&tids));
		buf_release(&tids);
	}
}

/* Make the texts.  A thread whose text has not changed is marked as done, so that only
 * put_unchanged() writes it. */
static void make_texts(struct dump_writer *w, bool changes)
{
	time_t now = time(NULL);

	for (size_t i = 0; i < w->n; i++) {
		struct dump_thread *t = w->thread[i];
		char *text = text_of(w, i);

		w->is_done[i] = changes && t->was && !strcmp(t->was, text);
		if (!w->is_done[i])
			t->since = now;
		free(t->was);
		t->was = text;
	}
}

static void put_texts(struct dump_writer *w, bool changes)
{
	time_t now = time(NULL);
	char clock[16];

	make_texts(w, changes);
	strftime(clock, sizeof(clock), "%T", localtime(&now));
	if (changes)
		buf_addf(&w->out.text, "\n--- %s\n", clock);
	for (size_t i = 0; i < w->n; i++) {
		if (!w->is_done[i])
			put_threads(w, i);
		w->is_done[i] = w->thread[i]->since == now || !changes;
		output_put(&w->out);
	}
	put_unchanged(w);
}

static void put_object(struct dump_writer *w, size_t i)
{
	const struct dump_thread *t = w->thread[i];
	struct profile_stack stack = { .depth = 0 };
	struct buf *out = &w->out.text;

	buf_adds(out, i ? ",\n{" : "{");
	json_number(out, "pid", t->pid);
	json_number(out, "thread_id", t->tid);
	if (w->stack[i]) {
		json_key(out, "thread_name");
		escape_json(profile_text(w->profile, task_of(w, i)->comm), out);
		json_key(out, "command_line");
		escape_json(profile_text(w->profile, task_of(w, i)->program),
			    out);
		stack = profile_stack(w->profile, w->stack[i] - 1);
	}
	json_key(out, "state");
	json_text(out, t->state ? t->state : "");
	json_key(out, "wchan");
	json_text(out, wchan_of(t));
	json_key(out, "active");
	buf_adds(out, t->state && *t->state == 'R' ? "true" : "false");
	json_key(out, "frames");
	buf_addc(out, '[');
	for (size_t k = stack.depth; k > 0; k--) {
		json_next(out);
		format_put_frame(w->profile,
				 profile_frame(w->profile, stack.frame[k - 1]),
				 out);
	}
	buf_adds(out, "]}");
	output_put(&w->out);
}

int dump_write(struct profile *p, struct dump_thread *const *thread, size_t n,
	       enum dump_form form, FILE *out)
{
	struct dump_writer w = { .profile = p,
				 .thread = thread,
				 .n = n,
				 .stack = xcalloc(n + 1, sizeof(*w.stack)),
				 .is_done = xcalloc(n + 1, sizeof(bool)),
				 .out.file = out };

	find_stacks(&w);
	if (form == DUMP_JSON) {
		buf_addc(&w.out.text, '[');
		for (size_t i = 0; i < n; i++)
			put_object(&w, i);
		buf_adds(&w.out.text, "]\n");
	} else {
		put_texts(&w, form == DUMP_CHANGES);
	}
	free(w.is_done);
	free(w.stack);
	return output_end(&w.out);
}
