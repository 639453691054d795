/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The time that samples may cost: an account per source and CPU.  Several sources have
 * equal parts of the time, so a flood of page faults leaves the clock its samples.
 *
 * A CPU earns a part of its time (--max-cost) and spends what its walks take.  Every
 * WINDOW the account is settled: if the walks of all events would cost more than was
 * earned, then only one event in `factor` is sampled until the next settlement, and
 * each sample carries the factor as its weight.  A burst may use the earnings of
 * one and a half windows at once; the debt is paid back by the windows that follow.
 *
 * Each sample carries as its weight the number of its thread's events since the
 * thread's last sample, so the weights of a thread sum up to its events exactly, but for
 * the last few.  Whether an event is sampled is decided before anything is known of its
 * stack: of a thread's events one in `factor`, in their order, so a stack's share of the
 * weight is its share of the events.  Two simpler ways are wrong or noisy.  Events that
 * are skipped while an account is overdrawn cannot be given to the CPU's next sample,
 * because that mostly belongs to whoever is cheap.  Drawing lots is right only on
 * average, and 25 samples a second are few.
 *
 * Threads whose ids have the same hash share a count, which is right on average.  Counts
 * begin at random, so that many threads with few events each are sampled as often as
 * their share demands.
 */
#ifndef JPBPF_BUDGET_BPF_H
#define JPBPF_BUDGET_BPF_H

#include "bpf/walk.bpf.h"

#define BUDGET_WINDOW (1ull << 28) /* ns */
#define BUDGET_MOST   65535u	   /* the largest factor */
#define BUDGET_WALK   3000000u	   /* ns, after which a walk is cut */
#define BUDGET_LOOK   31u /* steps of a walk without a look at the time */
#define BUDGET_COUNTS 256u

struct account_count {
	u32 phase;  /* grows by step with each event; an overflow is a sample */
	u32 events; /* since the last sample */
};

struct account {
	u64 since;	  /* ns: when the window began; 0: never */
	u64 spent;	  /* ns, in this window */
	u64 debt;	  /* ns, of the windows before */
	u32 factor, step; /* one event in so many is sampled; 2^32 / factor */
	struct account_count count[BUDGET_COUNTS]; /* by a hash of the thread */
};

MAP(accounts, ARRAY, 0, 1, u32, struct account);

/* What walks may cost in a time (ns): three quarters of what is permitted.  The rest is
 * for seconds in which more of the dear stacks are met than usual. */
static __always_inline u64 budget_of(u64 time)
{
	return time / 40000 * config.max_cost * 3;
}

/* Settles the account and begins a new window. */
static __always_inline void budget_settle(struct account *a, u64 now)
{
	u64 budget = budget_of(BUDGET_WINDOW), time = now - a->since;
	u64 due = a->debt + a->spent, earned = budget_of(time);
	u32 factor = a->factor, least = factor - (factor + 7) / 8;
	u64 all;

	/* What all events of a window would cost.  Times are divided by 1024, so the
	 * product stays below 2^64. */
	all = a->spent * (factor ?: 1) * (BUDGET_WINDOW >> 10) /
	      ((time >> 10) + 1);
	a->debt = due > earned ? due - earned : 0;
	budget = a->debt < budget / 4 * 3 ? budget - a->debt : budget / 4;
	all = (all + budget - 1) / budget;
	/* The factor falls slowly.  If it followed each turn from dear stacks to cheap
	 * ones, the weight of the last dear events would go to a cheap one too often. */
	factor = all < least ? least : all > BUDGET_MOST ? BUDGET_MOST : all;
	a->factor = factor ?: 1;
	a->step = ~0u / a->factor;
	a->spent = 0;
	a->since = now;
}

/* The number of events that a sample of this thread's event stands for; 0: the event
 * is not to be sampled. */
static __always_inline u32 budget_take(struct account *a, u32 tid, u64 now)
{
	u32 hash = tid * 0x9e3779b1u >> 24, before, weight;
	struct account_count *c = &a->count[hash & (BUDGET_COUNTS - 1)];

	if (seldom(now - a->since >= BUDGET_WINDOW ||
		   a->spent >= budget_of(BUDGET_WINDOW / 2 * 3)))
		budget_settle(a, now);
	weight = c->events + 1;
	if (a->factor > 1) {
		before = c->phase ?: bpf_get_prandom_u32();
		c->phase = before + a->step;
		c->events = weight;
		if (c->phase >= before)
			return 0;
	}
	c->events = 0;
	return weight;
}

/*
 * Whether the walk has taken too long at its step i, and ends for that.  A task may be
 * preempted, so its walks are not timed.
 */
static __always_inline bool budget_is_over(struct walk *w, u32 i)
{
	if (!config.max_cost || config.level == LEVEL_TASK ||
	    (i & BUDGET_LOOK) != BUDGET_LOOK ||
	    (config.level == SOURCE_LEVELS && w->level == LEVEL_TASK) ||
	    bpf_ktime_get_ns() - w->sample.time < BUDGET_WALK)
		return false;
	walk_end(w, CUT_TIME);
	return true;
}

#endif
