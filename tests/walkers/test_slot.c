/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A sample that comes while another is being walked on the same CPU finds the walk slot
 * taken, at whichever look-up in a map it comes: it is counted as lost, and disturbs
 * neither what the other finds nor what it has cached.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bpf/walk.bpf.h"

#define NOINLINE __attribute__((noipa))
#define LOOKS	 1000

int on_sample(struct bpf_perf_event_data *ctx);

struct stack {
	struct perf_regs regs;
	u32 words;
	u64 word[256];
};

static struct stack outer, inner; /* as they are when nothing interrupts */
static u64 interrupts, walked;	  /* of the interrupts: walked */
static u64 looks_until;		  /* the interrupt */

static void take(const struct perf_regs *regs, struct stack *out)
{
	struct bpf_perf_event_data ctx = { .regs = *regs, .sample_period = 7 };
	const struct sample *s;

	on_sample(&ctx);
	s = host_record_sample();
	if (!s) {
		out->words = 0;
		return;
	}
	assert_int_equal(s->status, WALK_ROOT);
	assert_int_equal(s->value, 7);
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

/* Another stack.  Before the outer sample has the slot, this one has it. */
static void on_interrupt(void)
{
	struct stack got;

	interrupts++;
	take(&inner.regs, &got);
	if (got.words) {
		check(&got, &inner);
		walked++;
	}
}

static void count_down(void)
{
	host_interrupt = --looks_until ? count_down : on_interrupt;
}

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	host_task_current.flags = 0;
	host_interrupt = NULL;
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

static void check_busy(void)
{
	struct stack got;

	assert_int_not_equal(inner.words, outer.words);
	for (u64 at = 1; at <= LOOKS; at++) {
		self_forget();
		looks_until = at;
		host_interrupt = count_down;
		take(&outer.regs, &got);
		host_interrupt = NULL;
		check(&got, &outer);
	}
	assert_in_range(interrupts, 20, LOOKS);
	assert_in_range(walked, 0, 3);
	assert_int_equal(self_count(LOST_BUSY), interrupts - walked);
	assert_int_equal(self_count(WALK_ROOT), 2 + LOOKS + walked);
	/* It is free again. */
	take(&inner.regs, &got);
	check(&got, &inner);
}

/* Both stacks stand while they are walked. */
static NOINLINE void with_inner(int levels)
{
	if (levels) {
		with_inner(levels - 1);
	} else {
		host_here(&inner.regs);
		take(&inner.regs, &inner);
		check_busy();
	}
	__asm__ volatile("");
}

static void test_busy(void **state)
{
	(void)state;
	host_here(&outer.regs);
	take(&outer.regs, &outer);
	with_inner(40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_busy, open_self,
						close_self),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
