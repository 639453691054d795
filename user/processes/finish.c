/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The end of a run: no sample comes any more, and those that wait are settled.
 *
 * Who has asked for a duration wants the result then, so tables are built for FINISH_NS
 * only.  What is missing after that cuts the stacks that need it.
 */
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/processes/process.h"

#define MAX_ROUNDS 8 /* without progress */
#define MAX_TABLES 2 /* built without a look at the time */
#define FINISH_NS  5000000000ull

static size_t walk_all(struct tracker *t)
{
	process_work_leaving(t);
	return tracker_sum(t).deferred;
}

/* A walk finds the tables that it needs one by one, and they may have to take turns in
 * the arena. */
static void finish_walks(struct tracker *t, u64 end)
{
	struct tables *tables = modules_tables(t->config.modules);
	size_t left = walk_all(t), rounds = 0;

	while (left && rounds < MAX_ROUNDS && now_ns() < end) {
		size_t made = tables_sum(tables).tables, now;

		tables_build(tables, MAX_TABLES);
		now = walk_all(t);
		if (now < left || tables_sum(tables).tables > made)
			rounds = 0;
		else
			rounds++;
		left = now;
	}
	t->last = true;
	t->late = now_ns() >= end;
	for (struct process *p = t->processes; p; p = p->hh.next)
		p->tables = 0;
	walk_all(t);
}

void tracker_finish(struct tracker *t)
{
	u64 end = now_ns() + FINISH_NS;
	struct process *p, *after;

	HASH_ITER (hh, t->processes, p, after)
		if (!p->ended && p->deferred.n && now_ns() < end)
			process_work(t, p, now_ns());
	/* The last notices, or this look, have shown that more processes have ended.  Of
	 * the others nothing more will be learnt. */
	HASH_ITER (hh, t->processes, p, after) {
		if (process_has_left(p))
			continue;
		if (p->ended || p->vanished)
			process_work(t, p, now_ns());
		else if (p->deferred.n)
			process_leave(t, p);
	}
	finish_walks(t, end);
	for (p = t->processes; p; p = p->hh.next)
		process_rank(t, p);
	if (t->config.cxx && !t->cxx)
		log_warn(
			"--cxx: no process maps a file that exports __cxa_throw(); "
			"exceptions of programs linked with -static-libstdc++ "
			"cannot be seen: link them without");
}

void tracker_each(const struct tracker *t,
		  void (*fn)(void *ctx, pid_t pid, bool is_ready), void *ctx)
{
	for (const struct process *p = t->processes; p; p = p->hh.next)
		if (!process_has_left(p) && !p->ignored && !p->ended &&
		    !p->vanished && (!p->table || p->table->maps))
			fn(ctx, p->pid, p->table);
}

struct tracker_sum tracker_sum(const struct tracker *t)
{
	struct tracker_sum sum = t->sum;

	for (const struct process *p = t->processes; p; p = p->hh.next) {
		process_count_kind(&sum, p);
		sum.live += p->counted;
		sum.deferred += p->deferred.n;
		if (process_has_left(p))
			continue;
		sum.processes++;
		sum.wanted += !p->ignored || p->stays;
	}
	return sum;
}
