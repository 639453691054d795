/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* When processes are looked at, and what that does to samples that wait. */
#include "tests/unit/tracked.h"

/* Where a process is that has one page of code, and where it is not. */
#define MAPPED	 0x2010
#define UNMAPPED 0x9010

static void keep(struct tracked *t, pid_t pid, u32 status, u64 pc)
{
	struct {
		struct sample sample;
		struct kept kept;
	} s = {
		.sample = { .type = RECORD_KEPT,
			    .pid = pid,
			    .tid = pid,
			    .status = status,
			    .process = t->engine.entry[pid].serial,
			    .time = tracked_now() },
		.kept = { .pc = pc, .exact = 1 },
	};

	tracker_kept(t->tracker, &s.sample, sizeof(s));
}

/* Until something is to be done that does not take its time. */
static void work(struct tracked *t)
{
	for (int i = 0, due = 0; due >= 0 && due <= 10; i++) {
		assert_true(i < 100);
		due = tracker_work(t->tracker);
	}
}

/* A walk that comes upon an address of which nothing is known waits for a look, and
 * it is its walk that asks for it: nothing else may come. */
static void looks_for_late_walks(void **state)
{
	static const struct {
		u32 status;
		u64 pc;
	} row[] = { { LOST_NOT_READY, UNMAPPED },
		    { CUT_NOT_READY, UNMAPPED },
		    { CUT_NO_MAPPING, UNMAPPED } };
	struct tracked t;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	work(&t);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		u64 looks = tracker_sum(t.tracker).looks;

		print_message("# status %u\n", row[i].status);
		keep(&t, pid, row[i].status, row[i].pc);
		work(&t);
		assert_int_equal(t.walked[CUT_NO_MAPPING], i + 1);
		assert_int_equal(tracker_sum(t.tracker).backlog, 0);
		/* Once is enough. */
		assert_int_equal(tracker_sum(t.tracker).looks, looks + 1);
	}
	tracked_release(&t);
}

/* What waits for a table only is no reason. */
static void looks_for_nothing_else(void **state)
{
	struct tracked t;
	u64 looks;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	work(&t);
	looks = tracker_sum(t.tracker).looks;
	keep(&t, pid, CUT_NOT_READY, MAPPED);
	work(&t);
	assert_int_equal(tracker_sum(t.tracker).looks, looks);
	assert_int_equal(tracker_sum(t.tracker).backlog, 1);
	tracked_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_for_late_walks),
		cmocka_unit_test(looks_for_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
