/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The cache from address to rule: two functions of one recursion whose addresses
 * share a set must not be searched for at every level.  And what it does not know is
 * found whatever was looked for before near it.
 *
 * Which addresses share a set is the cache's secret.  So there are more functions,
 * all alike, than it has sets, and one of them recurses with each of the others
 * in turn: some of them share its set.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#define NOINLINE  __attribute__((noipa))
#define FUNCTIONS 6000 /* of 16 bytes, see below */
#define LEVELS	  32
#define CALL_END  6  /* of each: where its call returns to, */
#define ADDED	  10 /* and where its stack is given back */
#define LOOKS	  20000

/* Each calls the function that is its argument. */
extern char field[];
__asm__(".pushsection .text\n"
	".p2align 4\n"
	"field:\n"
	".rept 6000\n"
	".p2align 4\n"
	".cfi_startproc\n"
	"sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"call *%rdi\n"
	"add $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".endr\n"
	".popsection\n");

static struct perf_regs regs;
static size_t other; /* number of the function that recurses with the first */
static int level;

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

/* Searches for rules in a sample of a stack that was sampled just before. */
static NOINLINE u64 misses_again(void)
{
	u64 before;

	host_here(&regs);
	free(self_sample(&regs));
	before = self_misses();
	free(self_sample(&regs));
	return self_misses() - before;
}

static u64 missed;

static NOINLINE void descend(void)
{
	size_t number = level & 1 ? other : 0;
	void (*function)(void (*)(void)) = (void *)(field + number * 16);

	if (level-- > 0)
		function(descend);
	else
		missed = misses_again();
	__asm__ volatile("" : : : "memory");
}

static void test_shared_set(void **state)
{
	u64 most = 0;

	(void)state;
	for (other = 1; other < FUNCTIONS; other++) {
		level = LEVELS;
		descend();
		most = missed > most ? missed : most;
	}
	/* A third address in the set, of the frames around, may be searched for;
	 * one search a level would be LEVELS. */
	assert_in_range(most, 0, LEVELS / 4);
}

/*
 * Sampled in one function of the field, which was called by one of two: by which,
 * depends on the rule for the instruction.
 */
static void check_rule(size_t number, u32 instruction)
{
	const char *at = field + number * 16 + instruction;
	const char *caller[2] = { field + CALL_END,
				  field + (FUNCTIONS - 1) * 16 + CALL_END };
	u64 stack[32] = { (u64)caller[0], (u64)caller[1] };
	struct perf_regs here = regs;
	bool is_inside = instruction >= 4 && instruction < ADDED;
	struct sample *s;

	here.ip = (u64)at;
	here.sp = (u64)stack;
	s = self_sample(&here);
	assert_true(s->words > 2);
	assert_true(s->word[0] == self_word(at));
	assert_true(s->word[1] == self_word(caller[is_inside] - 1));
	free(s);
}

static void test_near(void **state)
{
	static const u32 instruction[] = { 0, 4, ADDED };
	u32 random = 1;

	(void)state;
	host_here(&regs);
	for (size_t i = 0; i < FUNCTIONS; i++)
		check_rule(i, instruction[i % 3]);
	for (size_t i = FUNCTIONS; i > 0; i--)
		check_rule(i - 1, instruction[i % 3]);
	for (u32 i = 0; i < LOOKS; i++) {
		random = random * 1664525 + 1013904223;
		check_rule((random >> 8) % FUNCTIONS,
			   instruction[random >> 4 & 1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shared_set, open_self,
						close_self),
		cmocka_unit_test_setup_teardown(test_near, open_self,
						close_self),
	};

	return cmocka_run_group_tests_name("pc_cache", tests, NULL, NULL);
}
