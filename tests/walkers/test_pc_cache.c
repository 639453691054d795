/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The cache from address to rule: two functions of one recursion whose addresses
 * share a set must not be searched for at every level.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shared_set, open_self,
						close_self),
	};

	return cmocka_run_group_tests_name("pc_cache", tests, NULL, NULL);
}
