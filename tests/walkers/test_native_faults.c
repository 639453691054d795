/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel's unwinder over the test's own stack when reads fail, when memory holds
 * nonsense, and when the registers do.
 *
 * What the whole stack is, a sample without any of that says first; see
 * test_native.c for whether that is right.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "compare.h"

#define NOINLINE __attribute__((noipa))
/* Put behind a call: it cannot become a jump, the caller keeps its frame. */
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

static char memory[1 << 18]; /* a place to point to */

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* A sample of a stack whose whole answer is known. */
struct known {
	struct perf_regs regs;
	const struct sample *whole;
};

/* Is s what is left of the whole stack when the walk was cut? */
static void check_cut(const struct sample *s, const struct sample *whole)
{
	u32 frames = s->words;

	if (s->status != WALK_ROOT) {
		frames--;
		assert_int_equal(s->word[frames],
				 frame_value58(FRAME_STATUS, s->status));
	} else {
		assert_int_equal(s->words, whole->words);
	}
	assert_true(frames <= whole->words);
	assert_memory_equal(s->word, whole->word, frames * 8);
}

static void fail_each_read(const struct known *k)
{
	const u64 before = self_count(WALK_ROOT);
	u64 reads, whole = 0;
	struct sample *s;

	host_faults_set(NULL);
	free(self_sample(&k->regs));
	reads = host_reads;
	assert_true(reads > 2);
	for (u64 n = 1; n <= reads; n++) {
		host_faults_set(&(struct host_faults){ .fail_at = n });
		s = self_sample(&k->regs);
		check_cut(s, k->whole);
		whole += s->status == WALK_ROOT;
		free(s);
		host_faults_set(&(struct host_faults){ .fail_from = n });
		s = self_sample(&k->regs);
		check_cut(s, k->whole);
		assert_int_equal(s->status, CUT_STACK_READ);
		free(s);
	}
	assert_int_equal(self_count(WALK_ROOT), before + 1 + whole);
}

/* Whatever was read: an end, a status, and never more than the record holds. */
static void check_bounds(const struct sample *s)
{
	assert_true(s->status < WALK_STATUS_COUNT);
	assert_true(s->words > 0 && s->words <= 8192 + 2);
	assert_true(host_loop_turns < 65536);
	for (u32 i = 0; i < s->words; i++) {
		u32 kind = frame_kind(s->word[i]);

		assert_true(kind == FRAME_NATIVE || kind == FRAME_UNMAPPED ||
			    (kind == FRAME_STATUS && i == s->words - 1));
	}
}

static void garble_reads(const struct known *k)
{
	struct host_faults f = { 0 };
	struct sample *s;

	for (u32 seed = 1; seed <= 2000; seed++) {
		f.seed = seed;
		f.garble_at = seed % 3 ? 1 + seed / 3 % 40 : 0;
		f.garble_one_in = seed % 3 ? 0 : 1 + seed % 7;
		host_faults_set(&f);
		s = self_sample(&k->regs);
		check_bounds(s);
		free(s);
	}
}

/* Calls fn with a stack of some depth that stays as it is. */
static NOINLINE void with_known(int depth, void (*fn)(const struct known *))
{
	struct known k;

	if (depth) {
		with_known(depth - 1, fn);
		KEEP_FRAME();
		return;
	}
	host_here(&k.regs);
	k.whole = self_sample(&k.regs);
	assert_int_equal(k.whole->status, WALK_ROOT);
	fn(&k);
	host_faults_set(NULL);
	free((void *)k.whole);
}

static void test_every_read_fails(void **state)
{
	(void)state;
	with_known(100, fail_each_read);
}

static void test_nonsense_on_the_stack(void **state)
{
	(void)state;
	with_known(100, garble_reads);
}

static void interrupt_kernel(const struct known *k)
{
	struct sample *s = self_sample_in_kernel(&k->regs);

	check_cut(s, k->whole);
	assert_int_equal(s->status, WALK_ROOT);
	free(s);
}

static void test_in_system_call(void **state)
{
	(void)state;
	with_known(10, interrupt_kernel);
}

static void replace_program(const struct known *k)
{
	struct sample *s = self_sample_replaced(&k->regs, true);

	/* The registers may be those of either program. */
	assert_int_equal(s->status, WALK_EXEC);
	assert_int_equal(s->words, 0);
	free(s);
	/* Not by the tables of the one before, but later by its own. */
	s = self_sample_replaced(&k->regs, false);
	check_cut(s, k->whole);
	assert_int_equal(s->status, WALK_ROOT);
	free(s);
	s = self_sample(&k->regs);
	assert_int_equal(s->status, WALK_ROOT);
	free(s);
}

static void test_another_program(void **state)
{
	(void)state;
	with_known(10, replace_program);
}

/* ---- registers ---------------------------------------------------------- */

static u64 some_address(const struct known *k, u64 *random)
{
	u64 r = host_random(random);

	switch (r & 7) {
	case 0:
		return r;
	case 1:
		return r >> 17; /* below the end of user space */
	case 2:
		return r >> 52;
	case 3:
		return k->regs.sp + (r >> 50) - 4096;
	case 4:
		return (k->regs.sp + (r >> 50)) & ~15ull;
	case 5:
		return (u64)&host_here + (r >> 52);
	case 6:
		return (u64)(uintptr_t)&qsort + (r >> 48);
	default:
		return (u64)memory + (r >> 48);
	}
}

static void random_registers(const struct known *k)
{
	u64 random = 7;

	for (int round = 0; round < 10000; round++) {
		struct perf_regs regs = k->regs;
		struct sample *s;

		if (host_random(&random) & 3)
			regs.ip = some_address(k, &random) | 1;
		regs.sp = some_address(k, &random);
		regs.bp = some_address(k, &random);
		regs.bx = some_address(k, &random);
		s = self_sample(&regs);
		check_bounds(s);
		free(s);
	}
}

static void test_random_registers(void **state)
{
	(void)state;
	with_known(10, random_registers);
}

static void jump_registers(const struct known *k)
{
	struct perf_regs regs = k->regs;
	struct sample *s;

	regs.ip = 0;
	s = self_sample(&regs);
	assert_int_equal(s->status, CUT_NO_REGISTERS);
	assert_int_equal(s->words, 1);
	free(s);
	regs.ip = 4096;
	s = self_sample(&regs);
	assert_int_equal(s->status, CUT_NO_MAPPING);
	assert_int_equal(s->words, 2);
	assert_int_equal(s->word[0], frame_value58(FRAME_UNMAPPED, 4096));
	assert_int_equal(host_record_notice()->kind, NOTICE_UNMAPPED);
	assert_int_equal(host_record_notice()->arg, 4096);
	free(s);
	regs = k->regs;
	regs.cs = 0x23;
	s = self_sample(&regs);
	assert_int_equal(s->status, CUT_32BIT);
	assert_int_equal(s->words, 1);
	free(s);
}

static void test_no_place_to_start(void **state)
{
	(void)state;
	host_now += 1000000000;
	with_known(0, jump_registers);
}

/* ---- memory read directly -------------------------------------------------- */

static int open_compared(void **state)
{
	compare_mode = COMPARE_COLD;
	return open_self(state);
}

/* Random registers lead to memory that changes while it is compared. */
static int open_direct(void **state)
{
	compare_mode = COMPARE_DIRECT;
	return open_self(state);
}

int main(void)
{
	const struct CMUnitTest helper[] = {
		cmocka_unit_test(test_in_system_call),
		cmocka_unit_test(test_another_program),
		cmocka_unit_test(test_no_place_to_start),
		cmocka_unit_test(test_every_read_fails),
		cmocka_unit_test(test_nonsense_on_the_stack),
		cmocka_unit_test(test_random_registers),
	};
	const struct CMUnitTest compared[] = {
		cmocka_unit_test(test_in_system_call),
		cmocka_unit_test(test_another_program),
		cmocka_unit_test(test_no_place_to_start),
	};
	const struct CMUnitTest direct[] = {
		cmocka_unit_test(test_random_registers),
	};

	return cmocka_run_group_tests_name("helper", helper, open_self,
					   close_self) +
	       cmocka_run_group_tests_name("compared", compared, open_compared,
					   close_self) +
	       cmocka_run_group_tests_name("direct", direct, open_direct,
					   close_self);
}
