/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that come while another is being walked on the same CPU: each of another
 * level has its own slot and disturbs neither what the other finds nor what it has
 * cached, at whichever look-up in a map it comes; those at the level of tasks share a
 * pool; and one that finds no slot is counted.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/walk.bpf.h"
#include "tests/host/self_maps.h"

#define NOINLINE __attribute__((noipa))
#define LOOKS	 1000

int on_sample(struct bpf_perf_event_data *ctx);

struct stack {
	struct perf_regs regs;
	u32 words;
	u64 word[256];
};

static struct stack outer, inner; /* as they are when nothing interrupts */
static u32 inner_level;		  /* of what interrupts */
static int depth;		  /* of interrupts, at most */
static u64 interrupts;

static void take(const struct perf_regs *regs, u32 level, struct stack *out)
{
	struct bpf_perf_event_data ctx = { .regs = *regs, .sample_period = 7 };
	const struct sample *s;

	host_cookie = SOURCE_COOKIE(SOURCE_PAGE_FAULTS, level, 0);
	on_sample(&ctx);
	s = host_record_sample();
	if (!s) {
		out->words = 0;
		return;
	}
	assert_int_equal(s->status, WALK_ROOT);
	assert_int_equal(s->value, 7);
	assert_int_equal(s->source, SOURCE_PAGE_FAULTS);
	assert_in_range(s->words, 1, 256);
	out->words = s->words;
	memcpy(out->word, s->word, s->words * 8);
	host_records_forget();
}

static void check(const struct stack *got, const struct stack *want)
{
	assert_int_equal(got->words, want->words);
	assert_memory_equal(got->word, want->word, want->words * 8);
}

static u64 looks_until;

static void on_interrupt(void);

static void count_down(void)
{
	host_interrupt = --looks_until ? count_down : on_interrupt;
}

/* Another stack, in the middle of the outer one's walk. */
static void on_interrupt(void)
{
	struct stack got;

	interrupts++;
	if (--depth) {
		looks_until = 9;
		host_interrupt = count_down;
	}
	take(&inner.regs, inner_level, &got);
	if (got.words)
		check(&got, &inner);
}

/* The outer sample, interrupted so many times, one within the other, at that read. */
static void interrupted(u64 at, int times, u32 level, struct stack *got)
{
	self_forget();
	depth = times;
	looks_until = at;
	host_interrupt = count_down;
	take(&outer.regs, level, got);
	host_interrupt = NULL;
}

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	self_set(&config.level, SOURCE_LEVELS);
	self_set(&config.slots_first[LEVEL_NMI], 1);
	self_set(&config.slots[LEVEL_TASK], SELF_SLOTS);
	host_task_current.flags = 0;
	host_interrupt = NULL;
	interrupts = 0;
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_set(&config.slots_first[LEVEL_NMI], 0);
	self_set(&config.slots[LEVEL_TASK], 0);
	self_set(&config.level, LEVEL_IRQ);
	self_close();
	return 0;
}

static void check_levels(void)
{
	struct stack got;

	assert_int_not_equal(inner.words, outer.words);
	inner_level = LEVEL_NMI;
	for (u64 at = 1; at <= LOOKS; at++) {
		interrupted(at, 1, LEVEL_IRQ, &got);
		check(&got, &outer);
	}
	assert_in_range(interrupts, 20, LOOKS);
	assert_int_equal(self_count(LOST_BUSY), 0);
	assert_int_equal(self_count(WALK_ROOT), 2 + LOOKS + interrupts);
}

static void check_pool(void)
{
	struct stack got;

	inner_level = LEVEL_TASK;
	interrupted(9, 1, LEVEL_TASK, &got);
	check(&got, &outer);
	assert_int_equal(self_count(LOST_BUSY), 0);
	/* There are two slots: the third has none. */
	interrupted(9, 2, LEVEL_TASK, &got);
	check(&got, &outer);
	assert_int_equal(interrupts, 3);
	assert_int_equal(self_count(LOST_BUSY), 1);
}

static void check_busy(void)
{
	struct stack got;

	inner_level = LEVEL_IRQ;
	interrupted(9, 1, LEVEL_IRQ, &got);
	check(&got, &outer);
	assert_int_equal(interrupts, 1);
	assert_int_equal(self_count(LOST_BUSY), 1);
	assert_int_equal(self_count(WALK_ROOT), 3);
	/* It is free again. */
	take(&inner.regs, LEVEL_IRQ, &got);
	check(&got, &inner);
}

/* Both stacks stand while they are walked. */
static NOINLINE void with_inner(int levels, void (*fn)(void))
{
	if (levels) {
		with_inner(levels - 1, fn);
	} else {
		host_here(&inner.regs);
		take(&inner.regs, LEVEL_IRQ, &inner);
		fn();
	}
	__asm__ volatile("");
}

static NOINLINE void with_both(void (*fn)(void))
{
	host_here(&outer.regs);
	take(&outer.regs, LEVEL_IRQ, &outer);
	with_inner(40, fn);
}

static void test_levels(void **state)
{
	(void)state;
	with_both(check_levels);
}

static void test_pool(void **state)
{
	(void)state;
	with_both(check_pool);
}

static void test_busy(void **state)
{
	(void)state;
	with_both(check_busy);
}

/* No record, and no count, of a process that is not wanted or not known. */
static void test_unwanted(void **state)
{
	u32 pid = getpid();
	struct process_entry *entry = host_map_lookup(&processes, &pid);
	struct stack got;

	(void)state;
	assert_non_null(entry);
	host_here(&outer.regs);
	entry->state = PROCESS_IGNORED;
	take(&outer.regs, LEVEL_IRQ, &got);
	assert_int_equal(got.words, 0);
	host_map_delete(&processes, &pid);
	take(&outer.regs, LEVEL_IRQ, &got);
	assert_int_equal(got.words, 0);
	assert_int_equal(self_count(WALK_ROOT), 0);
	assert_int_equal(self_count(LOST_NOT_READY), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_levels),
		TEST(test_pool),
		TEST(test_busy),
		TEST(test_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
