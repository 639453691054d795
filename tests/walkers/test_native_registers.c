/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Rules that need a register which nobody has any more: what a call destroys is known
 * at the innermost frame only, and what a callee's rule could not say is lost.  The walk
 * ends there; what the register held before is never taken for it.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "bpf/walk.bpf.h"
#include "compare.h"
#include "walkers/r/kernel/r.bpf.h"

#define NOINLINE __attribute__((noipa))

typedef void function(void);

/* Its rule: the return address is in rdi.  Calls its argument. */
extern const char returns_by_rdi[];
/* Its rule: the return address lies where rbp points to.  Calls its argument, and in
 * between a function whose rule says that rbp is lost. */
void returns_by_rbp(function *fn);
/* The same with what it saved, and a caller that returns by rbp. */
void calls_saves_by_rbp(function *fn);

/* DW_CFA_expression of 16, 6 and 3: at DW_OP_breg6 + 8, 0 and -8. */
#define RETURN ".cfi_escape 0x10, 0x10, 2, 0x76, 8\n"
#define SAVED  ".cfi_escape 0x10, 6, 2, 0x76, 0, 0x10, 3, 2, 0x76, 0x78\n"
/* The CFA counts from rsp. */
#define BY_RBP(name, rule, calls)                        \
	__asm__(".pushsection .text\n"                   \
		".hidden " name "\n"                     \
		".type " name ", @function\n" name ":\n" \
		".cfi_startproc\n"                       \
		"push %rbp\n"                            \
		".cfi_adjust_cfa_offset 8\n"             \
		"mov %rsp, %rbp\n" rule "push %rbx\n"    \
		".cfi_adjust_cfa_offset 8\n"             \
		"sub $8, %rsp\n"                         \
		".cfi_adjust_cfa_offset 8\n"             \
		"call " calls "\n"                       \
		"add $8, %rsp\n"                         \
		".cfi_adjust_cfa_offset -8\n"            \
		"pop %rbx\n"                             \
		".cfi_adjust_cfa_offset -8\n"            \
		"pop %rbp\n"                             \
		".cfi_adjust_cfa_offset -8\n"            \
		"ret\n"                                  \
		".cfi_endproc\n"                         \
		".size " name ", . - " name "\n"         \
		".popsection\n")

BY_RBP("returns_by_rbp", RETURN, "loses_rbp");
BY_RBP("saves_by_rbp", SAVED, "loses_rbp");
BY_RBP("calls_saves_by_rbp", RETURN, "saves_by_rbp");

__asm__(".pushsection .text\n"
	".hidden returns_by_rdi\n"
	".type returns_by_rdi, @function\n"
	"returns_by_rdi:\n"
	".cfi_startproc\n"
	".cfi_register %rip, %rdi\n"
	"sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"call *%rdi\n"
	"add $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size returns_by_rdi, . - returns_by_rdi\n"
	".type loses_rbp, @function\n"
	"loses_rbp:\n"
	".cfi_startproc\n"
	".cfi_undefined %rbp\n"
	"sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"call *%rdi\n"
	"add $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size loses_rbp, . - loses_rbp\n"
	".popsection\n");

static struct sample *sample,
	*late; /* the same, kept and walked in user space */

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	free(sample);
	free(late);
	sample = late = NULL;
	self_close();
	return 0;
}

/* So many frames, then the end, which a late sample says without a word. */
static void check_cut(u32 frames)
{
	assert_int_equal(sample->words, frames + 1);
	assert_int_equal(sample->status, CUT_LOST_REGISTER);
	assert_int_equal(sample->word[frames],
			 frame_value58(FRAME_STATUS, CUT_LOST_REGISTER));
	assert_int_equal(late->words, frames);
	assert_int_equal(late->status, CUT_LOST_REGISTER);
	assert_memory_equal(late->word, sample->word, frames * 8);
}

static void take(const struct perf_regs *regs)
{
	free(sample);
	sample = self_sample(regs);
	free(late);
	late = self_sample_late(regs);
}

static NOINLINE void shoot(void)
{
	struct perf_regs regs;

	host_here(&regs);
	/* An address that would do. */
	regs.di = regs.ip;
	take(&regs);
	/* Not a jump: the frame is needed. */
	__asm__ volatile("" : : : "memory");
}

static void test_return_address_in_a_register(void **state)
{
	(void)state;
	((void (*)(function *))returns_by_rdi)(shoot);
	check_cut(2);
}

/* As the innermost frame it has the register. */
static void test_return_address_in_a_register_now(void **state)
{
	struct perf_regs regs;

	(void)state;
	host_here(&regs);
	regs.di = regs.ip;
	regs.ip = (u64)returns_by_rdi;
	regs.sp -= 8;
	take(&regs);
	assert_int_equal(sample->status, WALK_ROOT);
	assert_int_equal(sample->word[0], self_word(returns_by_rdi));
	assert_int_equal(sample->word[1], self_word((char *)regs.di - 1));
	assert_int_equal(late->words, sample->words);
}

static void test_return_address_by_lost_rbp(void **state)
{
	(void)state;
	returns_by_rbp(shoot);
	check_cut(3);
}

static void test_saved_by_lost_rbp(void **state)
{
	(void)state;
	calls_saves_by_rbp(shoot);
	check_cut(3);
}

/* ---- walks that begin anew -------------------------------------------------- */

extern struct host_anonymous r_processes;

static struct process_entry *begin_r(const struct r_process *r)
{
	u32 pid = getpid();
	struct process_entry *p = host_map_lookup(&processes, &pid);

	host_map_delete(&r_processes, &pid);
	if (r)
		host_map_update(&r_processes, &pid, r, BPF_ANY);
	p->walkers = 1u << WALKER_R;
	return p;
}

static void test_begin_counts_once(void **state)
{
	struct process_entry *p = begin_r(NULL);
	u64 before = self_count(R_NOT_READY);
	struct perf_regs regs;

	(void)state;
	host_here(&regs);
	/* Kept, so all registers are wanted. */
	regs.ip = 4096;
	p->strays = 0;
	free(self_sample_deferred(&regs));
	p->strays = 1;
	p->walkers = 0;
	assert_int_equal(self_count(R_NOT_READY), before + 1);
}

static u64 context; /* R's innermost */

/* What returns_by_rdi has on its stack is a context, of all zeroes. */
static NOINLINE void shoot_context(void)
{
	u64 *word = __builtin_dwarf_cfa();
	struct perf_regs regs;

	context = (u64)word;
	*word = 0;
	host_here(&regs);
	free(sample);
	sample = self_sample(&regs);
	__asm__ volatile("" : : : "memory");
}

static void test_frame_counts_once(void **state)
{
	struct r_process r = { .global_context = (u64)&context, .toplevel = 1 };
	struct process_entry *p = begin_r(&r);
	u64 before = self_count(R_READ);

	(void)state;
	if (compare_mode == COMPARE_OFF) {
		((void (*)(function *))returns_by_rdi)(shoot_context);
		assert_int_equal(sample->status, CUT_LOST_REGISTER);
		assert_int_equal(self_count(R_READ), before + 1);
	}
	p->walkers = 0;
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
		cmocka_unit_test(test_return_address_in_a_register),
		cmocka_unit_test(test_return_address_in_a_register_now),
		cmocka_unit_test(test_return_address_by_lost_rbp),
		cmocka_unit_test(test_saved_by_lost_rbp),
		cmocka_unit_test(test_begin_counts_once),
		cmocka_unit_test(test_frame_counts_once),
	};

	return cmocka_run_group_tests_name("helper", tests, open_self,
					   close_self) +
	       cmocka_run_group_tests_name("compared", tests, open_compared,
					   close_self);
}
