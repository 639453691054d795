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

/* ---- one stack after the other -------------------------------------------- */

/* Calls a function on another stack; its own frame hangs on rbp. */
void on_stack(void *end, void (*fn)(void));
/* Calls a function and has no unwind information, but a frame pointer. */
void without_rules(void (*fn)(void));

__asm__(".type on_stack, @function\n"
	"on_stack:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset rbp, -16\n"
	"mov %rsp, %rbp\n"
	".cfi_def_cfa_register rbp\n"
	"mov %rdi, %rsp\n"
	"call *%rsi\n"
	"leave\n"
	".cfi_def_cfa rsp, 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size on_stack, . - on_stack\n"
	".type without_rules, @function\n"
	"without_rules:\n"
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"call *%rdi\n"
	"pop %rbp\n"
	"ret\n"
	".size without_rules, . - without_rules\n");

static char *back; /* on the thread's own stack, below all that it uses */

static NOINLINE void go_back(void)
{
	on_stack(back, shoot);
	KEEP_FRAME();
}

/* To a stack above, from there to below where it came from, and so on outward: the
 * CFA falls once, and all of it is in what was kept of the stack. */
static NOINLINE void go_up(char *above)
{
	back = (char *)__builtin_frame_address(0) - (1 << 15);
	on_stack(above, go_back);
	KEEP_FRAME();
}

static void test_falling(void **state)
{
	_Alignas(16) char above[1 << 12];

	(void)state;
	go_up(above + sizeof(above));
	check_shot();
	assert_int_equal(shot.late->status, WALK_ROOT);
	assert_ptr_equal(self_function(shot.sample->word[2]), go_back);
	assert_ptr_equal(self_function(shot.sample->word[4]), go_up);
}

/* The compiler's unwinder ends there. */
static void test_frame_pointer(void **state)
{
	const u64 chained = frame_value58(FRAME_STATUS, NATIVE_CHAIN);

	(void)state;
	without_rules(shoot);
	assert_int_equal(shot.sample->status, WALK_ROOT);
	assert_ptr_equal(self_function(shot.sample->word[0]), shoot);
	assert_true(shot.sample->word[2] == chained);
	assert_ptr_equal(self_function(shot.sample->word[3]),
			 test_frame_pointer);
	check_late();
	assert_int_equal(shot.late->status, WALK_ROOT);
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

static const void *after_handler; /* where a handler returns to */

static NOINLINE void note_return(int number)
{
	(void)number;
	after_handler = __builtin_return_address(0);
}

/* A signal's frame that says that it interrupted itself. */
static void test_signal_circle(void **state)
{
	struct sigaction old, action = { .sa_handler = note_return };
	struct perf_regs regs;
	ucontext_t u = { 0 };
	struct sample *s;

	(void)state;
	/* What the kernel has put down is read by the helper anyway. */
	if (compare_mode != COMPARE_OFF)
		return;
	assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
	assert_int_equal(raise(SIGUSR1), 0);
	assert_int_equal(sigaction(SIGUSR1, &old, NULL), 0);
	host_here(&regs);
	regs.ip = (u64)after_handler;
	regs.sp = (u64)&u;
	u.uc_mcontext.gregs[REG_RSP] = (greg_t)regs.sp;
	u.uc_mcontext.gregs[REG_RIP] = (greg_t)regs.ip;
	s = self_sample(&regs);
	assert_int_equal(s->status, CUT_NOT_RISING);
	assert_in_range(s->words, 3, 32);
	assert_true(s->word[0] == self_word(after_handler));
	free(s);
}

/* ---- memory read directly -------------------------------------------------- */

static int open_compared(void **state)
{
	compare_mode = COMPARE_COLD;
	return open_self(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_stack),
		cmocka_unit_test(test_deep_recursion),
		cmocka_unit_test(test_too_deep),
		cmocka_unit_test(test_call_from_libc),
		cmocka_unit_test(test_unusual_frames),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_falling),
		cmocka_unit_test(test_frame_pointer),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_signal_stack),
		cmocka_unit_test(test_signal_circle),
	};

	return cmocka_run_group_tests_name("helper", tests, open_self,
					   close_self) +
	       cmocka_run_group_tests_name("compared", tests, open_compared,
					   close_self);
}
