/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel's unwinder over the test's own stack, frame by frame against the
 * compiler's own unwinder (what backtrace() is made of).
 *
 * The registers are taken in a function that stays on the stack while the sample
 * is made, so every frame outside it must come out exactly.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "compare.h"

#define MAX_ADDRESSES 34000
#define NOINLINE      __attribute__((noipa))
/* Put behind a call: it cannot become a jump, the caller keeps its frame. */
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

/* What a stack is, by the sample and by the compiler's unwinder. */
struct shot {
	struct perf_regs regs;
	u64 word[MAX_ADDRESSES];
	int n;
	struct sample *sample;
	struct sample *late; /* the same, kept and walked in user space */
};

static struct shot shot;

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	free(shot.sample);
	free(shot.late);
	shot.sample = shot.late = NULL;
	self_close();
	return 0;
}

/* A return address is shown as the call's, one that was interrupted as it is. */
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *unused)
{
	int exact;
	const char *ip = (void *)_Unwind_GetIPInfo(context, &exact);

	(void)unused;
	/* The end of the stack is shown as well, as address 0. */
	if (!ip || shot.n >= MAX_ADDRESSES)
		return _URC_END_OF_STACK;
	shot.word[shot.n++] = self_word(ip - !exact);
	return _URC_NO_REASON;
}

static NOINLINE void shoot(void)
{
	host_here(&shot.regs);
	shot.n = 0;
	_Unwind_Backtrace(visit, NULL);
	free(shot.sample);
	shot.sample = self_sample(&shot.regs);
	free(shot.late);
	shot.late = self_sample_late(&shot.regs);
	KEEP_FRAME();
}

/* Two unwinders, one truth: as far as the stack was kept. */
static void check_late(void)
{
	u32 words = shot.late->words;

	if (shot.late->status == CUT_NOT_KEPT)
		assert_true(words > 0);
	else
		assert_int_equal(words, shot.sample->words);
	if (shot.late->status != CUT_NOT_KEPT)
		assert_int_equal(shot.late->status, shot.sample->status);
	assert_true(words <= shot.sample->words);
	assert_memory_equal(shot.late->word, shot.sample->word, words * 8);
}

static void check_shot(void)
{
	assert_int_equal(shot.sample->status, WALK_ROOT);
	assert_int_equal(shot.sample->words, shot.n);
	assert_int_equal(shot.sample->kernel_words, 0);
	assert_int_equal(shot.sample->word[0], self_word((void *)shot.regs.ip));
	assert_memory_equal(&shot.sample->word[1], &shot.word[1],
			    (shot.n - 1) * 8);
	check_late();
}

static void test_plain_stack(void **state)
{
	(void)state;
	shoot();
	assert_true(shot.n > 5);
	check_shot();
	assert_ptr_equal(self_function(shot.sample->word[0]), shoot);
	assert_ptr_equal(self_function(shot.sample->word[1]), test_plain_stack);
}

static NOINLINE void recurse(int depth)
{
	if (depth)
		recurse(depth - 1);
	else
		shoot();
	KEEP_FRAME();
}

static void test_deep_recursion(void **state)
{
	(void)state;
	recurse(5000);
	assert_true(shot.n > 5000);
	check_shot();
	assert_int_equal(shot.late->status, CUT_NOT_KEPT);
	assert_true(shot.late->words > 1000);
	for (int i = 1; i < 5001; i++)
		assert_ptr_equal(self_function(shot.sample->word[i]), recurse);
}

static void test_too_deep(void **state)
{
	const u64 status = frame_value58(FRAME_STATUS, CUT_DEPTH);
	u32 words;

	(void)state;
	recurse(33000);
	words = shot.sample->words;
	assert_int_equal(shot.sample->status, CUT_DEPTH);
	assert_int_equal(words, 32768 + 2);
	assert_int_equal(shot.sample->word[words - 1], status);
	assert_memory_equal(&shot.sample->word[1], &shot.word[1],
			    (words - 2) * 8);
}

static int compare(const void *a, const void *b)
{
	if (!shot.n)
		shoot();
	return *(const int *)a - *(const int *)b;
}

static void test_call_from_libc(void **state)
{
	int numbers[2] = { 2, 1 };

	(void)state;
	shot.n = 0;
	qsort(numbers, 2, sizeof(int), compare);
	check_shot();
	assert_ptr_equal(self_function(shot.sample->word[1]), compare);
}

/* gcc saves rbp through the realigned one, and the CFA by another register. */
static NOINLINE void realigned(void)
{
	_Alignas(512) volatile char page[512];

	page[0] = 0;
	shoot();
	page[1] = page[0];
}

static NOINLINE void variable_size(size_t n)
{
	volatile char *bytes = __builtin_alloca(n);

	bytes[0] = 0;
	realigned();
	bytes[n - 1] = 0;
}

static void test_unusual_frames(void **state)
{
	(void)state;
	for (size_t n = 1; n < 300; n += 37) {
		variable_size(n);
		check_shot();
	}
	assert_ptr_equal(self_function(shot.sample->word[1]), realigned);
	assert_ptr_equal(self_function(shot.sample->word[2]), variable_size);
}

static void *run_thread(void *unused)
{
	shoot();
	KEEP_FRAME();
	return unused;
}

static void test_thread(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, run_thread, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	check_shot();
	assert_ptr_equal(self_function(shot.sample->word[1]), run_thread);
}

/* ---- signals ------------------------------------------------------------ */

extern const char trap_here[];

static NOINLINE void trap(void)
{
	__asm__ volatile(".globl trap_here\n"
			 ".hidden trap_here\n"
			 "trap_here: ud2"
			 :
			 :
			 : "memory");
}

static void handler(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)number;
	(void)info;
	shoot();
	u->uc_mcontext.gregs[REG_RIP] += 2; /* behind the ud2 */
}

static void check_signal(int flags)
{
	struct sigaction old, action = { .sa_sigaction = handler };

	action.sa_flags = SA_SIGINFO | flags;
	assert_int_equal(sigaction(SIGILL, &action, &old), 0);
	trap();
	assert_int_equal(sigaction(SIGILL, &old, NULL), 0);
	/* shoot, handler, __restore_rt, trap */
	check_shot();
	assert_ptr_equal(self_function(shot.sample->word[1]), handler);
	assert_int_equal(shot.sample->word[3], self_word(trap_here));
}

static void test_signal(void **state)
{
	(void)state;
	check_signal(0);
}

/* The other stack may lie above or below this one: try both. */
static void test_signal_stack(void **state)
{
	static char below[1 << 16];
	char above[1 << 16];
	stack_t s = { .ss_sp = below, .ss_size = sizeof(below) };
	stack_t off = { .ss_flags = SS_DISABLE };

	(void)state;
	assert_int_equal(sigaltstack(&s, NULL), 0);
	check_signal(SA_ONSTACK);
	s.ss_sp = above;
	assert_int_equal(sigaltstack(&s, NULL), 0);
	check_signal(SA_ONSTACK);
	assert_int_equal(sigaltstack(&off, NULL), 0);
}

/* ---- faults ------------------------------------------------------------- */

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
		return (u64)&shoot + (r >> 52);
	case 6:
		return (u64)(uintptr_t)&qsort + (r >> 48);
	default:
		return (u64)shot.word + (r >> 48);
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

#define WHOLE_STACKS                                   \
	cmocka_unit_test(test_plain_stack),            \
		cmocka_unit_test(test_deep_recursion), \
		cmocka_unit_test(test_too_deep),       \
		cmocka_unit_test(test_call_from_libc), \
		cmocka_unit_test(test_unusual_frames), \
		cmocka_unit_test(test_thread),         \
		cmocka_unit_test(test_in_system_call), \
		cmocka_unit_test(test_signal),         \
		cmocka_unit_test(test_signal_stack),   \
		cmocka_unit_test(test_no_place_to_start)

int main(void)
{
	const struct CMUnitTest helper[] = {
		WHOLE_STACKS,
		cmocka_unit_test(test_every_read_fails),
		cmocka_unit_test(test_nonsense_on_the_stack),
		cmocka_unit_test(test_random_registers),
	};
	const struct CMUnitTest compared[] = { WHOLE_STACKS };
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
