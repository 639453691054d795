/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What searching for a function's name costs in R (r_binding.bpf.c): an environment
 * that is too large is not looked through in each sample.  In a program of its own,
 * because the environment is R's global one.
 */
#include "embed_r.h"

#define SECOND	1000000000ull
#define SYMBOLS "70000" /* more than are looked at in a sample */

static u64 given_up, now;

static void count_searches(const struct perf_regs *regs, const char *want)
{
	u64 before = self_count(R_NO_SEARCH);

	host_now = now;
	check_names(regs, want);
	given_up = self_count(R_NO_SEARCH) - before;
}

/* Two functions that only the stack has a name for: what is given up for the one is
 * known in the next sample, which then comes to the other. */
static void test_too_large(void **state)
{
	static const u64 expected[] = { 2, 1, 0, 0 };

	(void)state;
	look = count_searches;
	/* Compiling makes a new body. */
	run("invisible(compiler::enableJIT(0))");
	run("for (i in 1:" SYMBOLS ") assign(paste0('large', i), i)\n"
	    "fs <- list(function(x) x, function(f) f(h()))");
	for (int turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < sizeof(expected) / sizeof(*expected);
		     i++) {
			print_message("# turn %d, sample %zu\n", turn, i);
			run("lapply(fs[1], fs[[2]])");
			assert_int_equal(given_up, expected[i]);
		}
		now += 2 * SECOND;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_large),
	};
	int bad;

	if (start_r())
		return 1;
	bad = cmocka_run_group_tests(tests, open_self, close_self);
	end_r();
	return bad;
}
