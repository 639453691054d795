/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The account of what samples may cost: what is spent in any second, and that the
 * weights of what is sampled are those of what happened.  A CPU is played on which
 * threads take turns; each has its own price of a walk.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "bpf/budget.bpf.h"

#define SECOND	1000000000ull
#define THREADS 4

struct thread {
	u64 price; /* ns of a walk */
	u32 share; /* how often it runs */
	u64 events, weight, taken;
};

struct play {
	struct thread thread[THREADS];
	u64 period;	 /* ns between two events */
	u64 turn;	 /* ns that a thread runs */
	u64 spent, most; /* ns: in this second; in the worst one */
};

static u32 who_runs(const struct play *p, u64 *random)
{
	u32 all = 0, at, i = 0;

	for (u32 k = 0; k < THREADS; k++)
		all += p->thread[k].share;
	at = host_random(random) % all;
	while (at >= p->thread[i].share)
		at -= p->thread[i++].share;
	return i;
}

/* An event.  Returns the time of its walk. */
static u64 event(struct play *p, struct account *a, u32 i, u64 now)
{
	struct thread *t = &p->thread[i];
	u32 weight = budget_take(a, 1000 + i, now);

	t->events++;
	t->weight += weight;
	t->taken += weight > 0;
	if (!weight)
		return 0;
	a->spent += t->price;
	p->spent += t->price;
	return t->price;
}

static void play(struct play *p, u32 max_cost, u32 seconds)
{
	u64 now = 5 * SECOND, end = now + seconds * SECOND, random = 1;
	u64 turn = now, second = now + SECOND;
	struct account a = { 0 };
	u32 i = 0;

	self_set(&config.max_cost, max_cost * 100);
	for (; now < end; now += p->period) {
		if (now >= turn) {
			i = who_runs(p, &random);
			turn += p->turn;
		}
		if (now >= second) {
			p->most = p->spent > p->most ? p->spent : p->most;
			p->spent = 0;
			second += SECOND;
		}
		event(p, &a, i, now);
	}
}

/* Within percent of what happened. */
static void weighs(const struct thread *t, u32 percent)
{
	u64 off = t->weight > t->events ? t->weight - t->events
					: t->events - t->weight;

	print_message("# %llu events weigh %llu, %llu taken\n", t->events,
		      t->weight, t->taken);
	assert_true(off * 100 <= t->events * percent);
}

static void cheap_are_all_taken(void **state)
{
	struct play p = { .period = SECOND / 999,
			  .turn = 4000000,
			  .thread = { { 10000, 1, 0, 0, 0 },
				      { 40000, 1, 0, 0, 0 } } };

	(void)state;
	play(&p, 5, 20);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(p.thread[i].taken, p.thread[i].events);
		weighs(&p.thread[i], 0);
	}
}

/* Whatever the frequency, the prices and the turns. */
static void weights_are_true(void **state)
{
	static const u32 hz[] = { 99, 999, 9999 };
	static const u64 turn[] = { 1000000, 4000000, 300000000 };

	(void)state;
	for (u32 i = 0; i < 9; i++) {
		struct play p = { .period = SECOND / hz[i / 3],
				  .turn = turn[i % 3],
				  .thread = { { 2000000, 50, 0, 0, 0 },
					      { 5000, 45, 0, 0, 0 },
					      { 300000, 5, 0, 0, 0 } } };

		print_message("# %u Hz, turns of %llu ns\n", hz[i / 3],
			      turn[i % 3]);
		play(&p, 5, i < 3 ? 1000 : 200);
		for (u32 k = 0; k < 3; k++)
			weighs(&p.thread[k], 2);
		print_message("# %llu ns in the worst second\n", p.most);
		assert_true(p.most <= SECOND / 20);
		assert_true(p.most >= SECOND / 40);
	}
}

static void bound_is_what_is_asked_for(void **state)
{
	static const u32 percent[] = { 1, 2, 10, 50, 99 };

	(void)state;
	for (u32 i = 0; i < 5; i++) {
		struct play p = { .period = SECOND / 9999,
				  .turn = 4000000,
				  .thread = { { 1000000, 1, 0, 0, 0 } } };

		play(&p, percent[i], 60);
		print_message("# %u %%: %llu ns\n", percent[i], p.most);
		assert_true(p.most <= SECOND / 100 * percent[i] + 3000000);
		weighs(&p.thread[0], i ? 2 : 5);
	}
}

/* What comes after a dear time is soon sampled in full again. */
static void recovers(void **state)
{
	struct account a = { 0 };
	u64 now = 5 * SECOND;
	u32 weight = 0;

	(void)state;
	self_set(&config.max_cost, 500);
	for (u32 i = 0; i < 10000; i++, now += SECOND / 999)
		if (budget_take(&a, 1, now))
			a.spent += 2000000;
	assert_in_range(a.factor, 20, 80);
	for (u32 i = 0; i < 10000; i++, now += SECOND / 999) {
		weight = budget_take(&a, 1, now);
		if (weight)
			a.spent += 5000;
	}
	assert_int_equal(weight, 1);
}

/* A thread whose stacks are dear for a time, and then cheap for as long. */
static void stacks_share_is_true(void **state)
{
	static const u64 turn[] = { SECOND / 50, SECOND / 3, SECOND,
				    5 * SECOND };

	(void)state;
	self_set(&config.max_cost, 500);
	for (u32 i = 0; i < 4; i++) {
		u64 now = 5 * SECOND, weight[2] = { 0 }, events[2] = { 0 };
		struct account a = { 0 };

		for (; now < 405 * SECOND; now += SECOND / 999) {
			u32 kind = now / turn[i] % 2;
			u32 n = budget_take(&a, 1, now);

			events[kind]++;
			weight[kind] += n;
			if (n)
				a.spent += kind ? 2000000 : 5000;
		}
		print_message("# turns of %llu ms: %.2f %%, %.2f %% dear\n",
			      turn[i] / 1000000,
			      100.0 * events[1] / (events[0] + events[1]),
			      100.0 * weight[1] / (weight[0] + weight[1]));
		assert_in_range(1000 * weight[1] / (weight[0] + weight[1]), 485,
				515);
	}
}

/* Threads that have one event each are sampled as often as their share demands. */
static void short_threads_count(void **state)
{
	struct account a = { .since = SECOND, .factor = 32, .step = ~0u / 32 };
	u64 weight = 0;

	(void)state;
	self_set(&config.max_cost, 500);
	for (u32 tid = 1; tid <= 100000; tid++)
		weight += budget_take(&a, tid, SECOND + 1);
	print_message("# %llu\n", weight);
	assert_in_range(weight, 100000 - BUDGET_COUNTS * 32, 100000);
}

/* A walk ends when it takes too long, unless it may be preempted or cost what it wants. */
static void walks_end(void **state)
{
	static struct walk w;
	static const struct {
		u32 max_cost, level, step;
		u64 ns;
		bool ends;
	} row[] = {
		{ 5, LEVEL_IRQ, BUDGET_LOOK, BUDGET_WALK, true },
		{ 5, LEVEL_NMI, 7 * (BUDGET_LOOK + 1) - 1, BUDGET_WALK, true },
		{ 5, LEVEL_IRQ, BUDGET_LOOK, BUDGET_WALK - 1, false },
		{ 5, LEVEL_IRQ, BUDGET_LOOK - 1, 2 * BUDGET_WALK, false },
		{ 5, LEVEL_TASK, BUDGET_LOOK, 2 * BUDGET_WALK, false },
		{ 0, LEVEL_IRQ, BUDGET_LOOK, 2 * BUDGET_WALK, false },
		/* Of several sources: w.level */
		{ 5, SOURCE_LEVELS, BUDGET_LOOK, 2 * BUDGET_WALK, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %zu\n", i);
		self_set(&config.max_cost, row[i].max_cost * 100);
		self_set(&config.level, row[i].level);
		w.level = LEVEL_TASK;
		w.mode = MODE_NATIVE;
		w.status = WALK_ROOT;
		host_now = 5 * SECOND;
		w.sample.time = host_now - row[i].ns;
		assert_int_equal(budget_is_over(&w, row[i].step), row[i].ends);
		assert_int_equal(w.mode, row[i].ends ? MODE_DONE : MODE_NATIVE);
		assert_int_equal(w.status, row[i].ends ? CUT_TIME : WALK_ROOT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheap_are_all_taken),
		cmocka_unit_test(weights_are_true),
		cmocka_unit_test(bound_is_what_is_asked_for),
		cmocka_unit_test(recovers),
		cmocka_unit_test(stacks_share_is_true),
		cmocka_unit_test(short_threads_count),
		cmocka_unit_test(walks_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
