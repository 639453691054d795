/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One stack of each thread, now.
 *
 * A thread on no CPU is walked when the iterator is read (engine_sample_threads()), a
 * thread on a CPU at the clock's next tick.  Each pass lists the threads of the chosen
 * processes and asks for those whose stack is missing.  A stack that is not whole is asked
 * for again, up to TRIES times: an unwind table may still be built, or a page be absent.
 * Such a page is brought in by reading it, for which no thread of the process is stopped.
 *
 * With --watch this is done again and again: what has changed is written each time, or a
 * profile of all in another format at the end.
 */
#include "user/session/stages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <jpbpf/frame.h>

#include "user/files/tables.h"
#include "user/intake/reader.h"
#include "user/kernel/engine.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/dump.h"
#include "user/profile/profile.h"
#include "user/processes/tracker.h"
#include "user/session/signals.h"
#include "user/target/memory.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

#define DUMP_NS	 3000000000ull /* then what is there is shown */
#define PAUSE_MS 1	       /* between passes */
#define TRIES	 8	       /* of a stack that is not whole */
#define READS	 64	       /* absent pages of a stack that are brought in */

/* A thread, and the best sample of it; NULL: none yet. */
struct dump_entry {
	struct dump_thread thread; /* its texts are malloc'ed */
	struct sample *sample;
	unsigned tries, reads;
	bool is_done, is_listed;
};

static int compare(const void *a, const void *b)
{
	const struct dump_thread *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Among the first entries, which are sorted. */
static struct dump_entry *find(const struct dump *d, size_t sorted, u32 pid,
			       u32 tid)
{
	const struct dump_thread key = { .pid = pid, .tid = tid };

	return sorted ? bsearch(&key, d->entry, sorted, sizeof(*d->entry),
				compare)
		      : NULL;
}

/* Whether frames may be missing. */
static bool has_gaps(const struct sample *s)
{
	if (!sample_is_whole(s->status))
		return true;
	for (u32 i = 0; i < s->words; i += 1 + frame_extra(s->word[i]))
		if (frame_kind(s->word[i]) == FRAME_STATUS)
			return true;
	return false;
}

/* Whether user space is at work on what the walk lacked. */
static bool is_early(const struct sample *s)
{
	return s->status == CUT_NOT_READY || s->status == CUT_NO_MAPPING ||
	       s->status == LOST_NOT_READY;
}

/* Whether the page that the walk lacked is there now. */
static bool bring_in(struct dump_entry *e, u64 address)
{
	char byte;

	return address && e->reads++ < READS &&
	       !memory_read(e->thread.pid, address, &byte, sizeof(byte));
}

/* What the thread does at the moment, by /proc. */
static void describe(struct dump_entry *e, bool on_cpu)
{
	struct dump_thread *t = &e->thread;
	_cleanup_free_ char *status = xasprintf("task/%u/status", t->tid);
	_cleanup_free_ char *wchan = xasprintf("task/%u/wchan", t->tid);

	free(t->state);
	free(t->wchan);
	t->state = on_cpu ? xstrdup("R (running)")
			  : proc_line("/proc", t->pid, status, "\nState:\t");
	t->wchan = on_cpu ? NULL : proc_line("/proc", t->pid, wchan, "\n");
}

void dump_sample(struct session *s, const struct sample *sample)
{
	struct dump_entry *e =
		find(&s->dump, s->dump.n, sample->pid, sample->tid);
	size_t size = sizeof(*sample) + sample->words * sizeof(u64);
	bool on_cpu = sample->source < SOURCE_COUNT;
	struct sample *copy;

	if (!e || e->is_done)
		return;
	copy = memcpy(xmalloc(size), sample, size);
	copy->source = SOURCE_CPU_CLOCK;
	copy->weight = copy->value = 1;
	if (!tracker_sampled(s->tracker, copy)) {
		free(copy);
		return;
	}
	free(e->sample);
	e->sample = copy;
	describe(e, on_cpu);
	if (!has_gaps(copy))
		e->is_done = true;
	else if (!is_early(copy) && !bring_in(e, sample->value))
		e->is_done = ++e->tries >= TRIES;
}

/* With -t only the named ones. */
static bool is_chosen(const struct session *s, pid_t tid)
{
	const struct engine_config *c = &s->config->engine;
	size_t i = 0;

	while (i < c->tids && c->tid[i] != tid)
		i++;
	return !c->tids || i < c->tids;
}

static void list_threads(struct session *s, pid_t pid)
{
	struct dump *d = &s->dump;
	size_t sorted = d->n;
	_cleanup_free_ pid_t *tid = NULL;
	ssize_t n = thread_list("/proc", pid, &tid);

	for (ssize_t i = 0; i < n; i++) {
		struct dump_entry *e = find(d, sorted, pid, tid[i]);

		if (!e && !is_chosen(s, tid[i]))
			continue;
		if (!e) {
			d->entry = xgrow(d->entry, d->n, &d->capacity,
					 sizeof(*d->entry));
			e = &d->entry[d->n++];
			*e = (struct dump_entry){ .thread = { .pid = pid,
							      .tid = tid[i] } };
		}
		e->is_listed = true;
	}
}

/* List the threads of a process that is ready.  One that is not yet is waited for. */
static void list_process(void *session, pid_t pid, bool is_ready)
{
	struct session *s = session;

	if (is_ready)
		list_threads(s, pid);
	else
		s->dump.missing++;
}

static void forget(struct dump_entry *e)
{
	free(e->thread.state);
	free(e->thread.wchan);
	free(e->thread.was);
	free(e->sample);
}

/* Drop the threads that have ended without a stack. */
static void drop_ended(struct dump *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct dump_entry *e = &d->entry[i];

		e->is_done |= e->sample && !e->is_listed;
		if (!e->is_listed && !e->sample)
			forget(e);
		else
			d->entry[kept++] = *e;
	}
	for (size_t i = 0; i < kept; i++)
		d->entry[i].is_listed = false;
	d->n = kept;
}

/* Read the iterator of each process with a thread that lacks a stack.  0 or -errno. */
static int ask(struct session *s)
{
	const struct dump *d = &s->dump;
	u32 asked = 0;
	int err = 0;

	for (size_t i = 0; i < d->n && !err; i++) {
		if (d->entry[i].is_done || d->entry[i].thread.pid == asked)
			continue;
		asked = d->entry[i].thread.pid;
		err = engine_sample_threads(s->engine, asked);
	}
	return err;
}

/* One pass.  d->missing: what lacks a stack after it.  0 or -errno. */
static int pass(struct session *s)
{
	struct dump *d = &s->dump;
	int err;

	d->missing = 0;
	tracker_each(s->tracker, list_process, s);
	drop_ended(d);
	if (d->n)
		qsort(d->entry, d->n, sizeof(*d->entry), compare);
	err = ask(s);
	reader_take(s->reader);
	for (size_t i = 0; i < d->n; i++)
		d->missing += !d->entry[i].is_done;
	tracker_work(s->tracker);
	tables_build(s->tables, 0);
	return err;
}

/* Take the stacks and hand them to the recorder.  0 or -errno after log_err(). */
static int take(struct session *s)
{
	struct dump *d = &s->dump;
	u64 begin = now_ns(), end = begin + DUMP_NS;
	struct epoll_event ev;
	int err = pass(s);

	log_debug("first look at %zu threads: %llu us, %zu missing", d->n,
		  (now_ns() - begin) / 1000, d->missing);
	while (!err && d->missing && now_ns() < end && !signals_stopped()) {
		epoll_wait(s->epoll, &ev, 1, PAUSE_MS);
		err = pass(s);
	}
	if (err)
		log_err("cannot read the threads of a process: %s (run 'jpbpf "
			"check')",
			strerror(-err));
	if (!err && !d->n)
		log_warn("there is no thread to show; without -p these are the "
			 "threads of Tcl and R (-a: of all)");
	for (size_t i = 0; i < d->n; i++)
		if (d->entry[i].sample)
			recorder_take(&s->recorder, d->entry[i].sample);
	return err;
}

/* Forget the stacks.  The texts that were written of the threads stay. */
static void begin_anew(struct dump *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct dump_entry *e = &d->entry[i];

		free(e->sample);
		e->sample = NULL;
		e->is_done = false;
		e->tries = e->reads = 0;
	}
}

/* Wait until that time (ns).  Returns false when there is no further dump. */
static bool wait_for(struct session *s, u64 time)
{
	struct epoll_event ev;
	u64 now = now_ns();

	for (; now < time && !signals_stopped(); now = now_ns()) {
		epoll_wait(s->epoll, &ev, 1, (time - now) / 1000000 + 1);
		reader_take(s->reader);
		tracker_work(s->tracker);
	}
	return !signals_stopped() && !chosen_ended(s);
}

int dump_put(struct session *s)
{
	const struct dump *d = &s->dump;
	struct dump_thread **thread = xcalloc(d->n + 1, sizeof(*thread));
	enum dump_form form = s->config->json	 ? DUMP_JSON
			      : s->config->watch ? DUMP_CHANGES
						 : DUMP_TEXT;
	int err;

	for (size_t i = 0; i < d->n; i++)
		thread[i] = &d->entry[i].thread;
	err = dump_write(s->profile, thread, d->n, form, s->out.out);
	free(thread);
	return err;
}

/* Write what was taken, and begin a new recording and profile. */
static int write_now(struct session *s)
{
	int err = reel_end(s) ?: session_load(s) ?: dump_put(s);

	if (!err && fflush(s->out.out))
		err = -errno;
	profile_free(s->profile);
	s->profile = profile_new();
	reel_release(s);
	return err ?: reel_open(s) ?: reel_begin(s);
}

int dump_run(struct session *s)
{
	const u64 every = s->config->watch;
	u64 next = now_ns();
	int err = take(s);

	while (!err && every) {
		if (!s->config->format)
			err = write_now(s);
		next = next + every > now_ns() ? next + every : now_ns();
		if (err || !wait_for(s, next))
			break;
		begin_anew(&s->dump);
		err = take(s);
	}
	return err;
}

void dump_release(struct session *s)
{
	for (size_t i = 0; i < s->dump.n; i++)
		forget(&s->dump.entry[i]);
	free(s->dump.entry);
}
