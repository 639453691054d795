/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process is found by its pid while its program runs.  When the program ends, the
 * process gets another key, and stays until the tables for its deferred samples are
 * built.  Its pid may belong to another process by then.
 */
#include "user/processes/process.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "walkers/walker.h"

#define MS	    1000000ull
#define NOTICE_LATE (500 * MS)	      /* a notice later than that was lost */
#define FIRST_DELAY (2 * MS)	      /* doubled for each further look */
#define LAST_DELAY  (4000 * MS)	      /* the longest delay */
#define IDLE_DELAY  (256 * 1000 * MS) /* the same, when no frames are missed */
#define MAY_BE	    (1u << 31)	      /* among walkers: there may be others */

struct process *process_find(struct tracker *t, pid_t pid)
{
	const u64 key = pid;
	struct process *p;

	HASH_FIND(hh, t->processes, &key, sizeof(key), p);
	return p;
}

struct process *process_get(struct tracker *t, pid_t pid)
{
	struct process *p = process_find(t, pid);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->key = p->pid = pid;
	p->stays = t->config.children;
	HASH_ADD(hh, t->processes, key, sizeof(p->key), p);
	return p;
}

/* A process's interpreters are known for good only when it ends. */
void process_count_kind(struct tracker_sum *sum, const struct process *p)
{
	u32 bits = process_walkers(p, ~(1u << WALKER_ABSENT));

	if (!p->counted)
		return;
	for (size_t i = 0; i < WALKER_COUNT; i++)
		sum->with[i] += bits >> i & 1;
	sum->native_only += !bits;
}

void process_free(struct tracker *t, struct process *p)
{
	HASH_DEL(t->processes, p);
	process_count_kind(&t->sum, p);
	process_rank(t, p);
	mapping_table_drop(t, &p->table);
	deferred_release(t, p);
	map_history_release(&p->history);
	probes_release(p);
	watch_free(t, p);
	free(p->program);
	free(p->cgroup);
	free(p);
}

void process_name(struct process *p, const struct sample *s)
{
	if (!p->text)
		p->text = xstrndup(s->comm, COMM_LEN);
}

void process_rank(struct tracker *t, struct process *p)
{
	struct tracker_program next = { p->pid, p->samples, p->text };

	p->text = NULL;
	p->samples = 0;
	t->sum.programs += next.samples > 0;
	for (size_t i = 0; i < TRACKER_TOP; i++) {
		struct tracker_program here = t->sum.top[i];

		if (here.samples >= next.samples)
			continue;
		t->sum.top[i] = next;
		next = here;
	}
	free(next.command);
}

void process_count_seen(struct tracker *t, struct process *p)
{
	t->sum.seen += !p->counted;
	p->counted = true;
}

/* Whether frames are missing until a further look finds an interpreter's values. */
static bool is_urgent(const struct process *p)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (p->walker[i] == WALKER_WAITING && walkers[i]->process.map)
			return true;
	return false;
}

/* Whether a further look could only prove that the interpreter is what its file says.
 * Its frames are shown meanwhile.  Such a proof searches the process's memory, and some
 * programs map an interpreter's library and never use it. */
static bool is_idle(const struct process *p)
{
	return process_walkers(p, 1u << WALKER_WAITING) &&
	       !process_walkers(p, 1u << WALKER_UNPROVEN) && !is_urgent(p) &&
	       !p->partial && !p->refused;
}

void process_schedule(struct process *p, u64 now)
{
	u64 last = is_idle(p) ? IDLE_DELAY : LAST_DELAY;

	if (!p->delay)
		p->delay = FIRST_DELAY;
	else
		p->delay += is_urgent(p) ? p->delay / 8 : p->delay;
	if (p->delay > last)
		p->delay = last;
	p->due = now + p->delay;
}

bool process_is_waiting(const struct process *p)
{
	return p->partial ||
	       process_walkers(p, 1u << WALKER_WAITING | 1u << WALKER_UNPROVEN);
}

bool process_is_overtaken(struct process *p, const struct process_entry *entry,
			  u64 now)
{
	if (entry->state != PROCESS_PENDING || entry->serial == p->serial) {
		p->overtaken = 0;
		return false;
	}
	if (!p->overtaken)
		p->overtaken = now;
	return now - p->overtaken < NOTICE_LATE;
}

/* The walkers, as bits, of what the program had mapped by that time (ns); with MAY_BE when
 * not all of that is known, or its start was not reported. */
static u32 mapped_walkers(const struct tracker *t, const struct process *p,
			  u64 time)
{
	u32 bits = 0;

	for (size_t i = p->history.n; i--;) {
		const struct map_event *e = &p->history.event[i];
		const struct module *m;

		if (e->time > time)
			continue;
		if (e->exec)
			return bits;
		m = modules_get(t->config.modules, e->mapping.file);
		bits |= m ? modules_walkers(m) : MAY_BE;
	}
	return bits | MAY_BE;
}

bool process_is_stranger(const struct tracker *t, struct process *p, u64 now)
{
	if (p->counted || p->notices_lost ||
	    t->config.mode != TRACK_INTERPRETERS ||
	    (p->since && now - p->since > PROCESS_UNDECIDED) ||
	    map_history_has_gap(&p->history, 0) || mapped_walkers(t, p, ~0ull))
		return false;
	if (!p->since)
		p->since = now;
	p->dirty = false;
	p->due = p->since + PROCESS_UNDECIDED + MS;
	return true;
}

static void discard(struct tracker *t, struct process *p)
{
	t->sum.discarded += p->deferred.n;
	deferred_release(t, p);
}

void process_let_go(struct tracker *t, struct process *p)
{
	engine_drop_process(t->config.engine, p->pid);
	discard(t, p);
	process_free(t, p);
}

void process_ignore(struct tracker *t, struct process *p)
{
	const struct process_entry entry = { .serial = p->serial,
					     .state = PROCESS_IGNORED };

	/* The kernel side reports every exec in these modes, so no entry has to
	 * stay. */
	if (t->config.mode != TRACK_LISTED)
		return process_let_go(t, p);
	engine_put_process(t->config.engine, p->pid, &entry, p->serial);
	mapping_table_drop(t, &p->table);
	discard(t, p);
	p->dirty = false;
	/* The process may have ended before the entry was made: look once more. */
	p->due = !p->ignored;
	p->ignored = true;
}

/* Code of the publication was replaced at that time (ns). */
static void note_replaced(struct process *p, u32 serial, u64 time)
{
	struct replacement *r = &p->replaced[p->replacements++ % REPLACEMENTS];

	*r = (struct replacement){ serial, time };
}

void process_replaced(struct process *p, u64 time)
{
	if (!process_is_replaced(p, p->serial, time))
		note_replaced(p, p->serial, time);
	p->dirty = true;
}

static bool is_same(const struct unwind_mapping *a,
		    const struct unwind_mapping *b)
{
	return a->start == b->start && a->end == b->end && a->bias == b->bias &&
	       a->file == b->file;
}

/* Deferred samples from that time may lie in this mapping.  If an event came while the
 * mappings were read, the history tells by itself. */
static void remember(struct process *p, const struct unwind_mapping *m)
{
	const struct map_event e = { .time = p->table_from, .mapping = *m };

	if (map_history_holds(&p->history, p->table_since, m->start,
			      p->table_from, p->table_since))
		map_history_add(&p->history, &e);
}

/* Remember the mappings of the earlier table that the present one lacks.  Both tables
 * are sorted.  Returns whether other code is at the place of one. */
static bool remember_lost(struct process *p, const struct mapping_table *before)
{
	const struct mapping_table *now = p->table;
	bool is_replaced = false;
	size_t at = 0;

	for (size_t i = 0; i < before->maps; i++) {
		const struct unwind_mapping *m = &before->mapping[i];

		while (at < now->maps && now->mapping[at].start < m->start)
			at++;
		if (at < now->maps && is_same(m, &now->mapping[at]))
			continue;
		remember(p, m);
		is_replaced |= mapping_table_has_other(now, m);
	}
	return is_replaced;
}

void process_published(struct process *p, const struct mapping_table *old,
		       u32 serial, bool is_noted)
{
	if (old && remember_lost(p, old) && !is_noted)
		note_replaced(p, serial, p->table_since);
	p->table_from = p->examined;
	p->table_since = p->seen;
}

void process_walk(struct tracker *t, struct process *p)
{
	size_t made = tables_sum(modules_tables(t->config.modules)).made;

	if (!p->deferred.n || p->tables == made + 1)
		return;
	t->walking = p;
	deferred_walk(t, p);
	t->walking = NULL;
	p->tables = made + 1;
}

/* Decide whether a process that was never examined is wanted: count it, or discard its
 * samples. */
static void decide(struct tracker *t, struct process *p)
{
	u64 time = p->deferred.n ? p->deferred.newest : ~0ull;
	u32 bits = mapped_walkers(t, p, time) & ~MAY_BE;

	if (!p->counted && !p->deferred.n)
		return;
	if (!bits && !p->counted && t->config.mode == TRACK_INTERPRETERS)
		return discard(t, p);
	/* Whether a process that was never examined is chosen would be a guess. */
	if (t->config.is_chosen && !p->table && !p->examined && p->deferred.n) {
		t->config.sink.count(t->config.sink.ctx, HOST_UNCHOSEN);
		return discard(t, p);
	}
	process_count_seen(t, p);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (bits >> i & 1 && p->walker[i] == WALKER_ABSENT)
			p->walker[i] = WALKER_WAITING;
}

void process_leave(struct tracker *t, struct process *p)
{
	HASH_DEL(t->processes, p);
	p->ended = true;
	p->tables = 0;
	p->key = ++t->left << 32;
	HASH_ADD(hh, t->processes, key, sizeof(p->key), p);
}

void process_work_leaving(struct tracker *t)
{
	struct process *p, *after;

	HASH_ITER (hh, t->processes, p, after) {
		if (!process_has_left(p))
			continue;
		decide(t, p);
		process_walk(t, p);
		if (!p->deferred.n)
			process_free(t, p);
	}
}
