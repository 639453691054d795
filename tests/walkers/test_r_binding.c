/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What searching for a function's name costs in R (r_binding.bpf.c): an environment
 * that is too large is not looked through in each sample.  In a program of its own,
 * because the environment is R's global one.
 */
#include "embed_r.h"

#define SECOND	1000000000ull
#define SYMBOLS "70000" /* more than are looked at in a sample */

#define SEARCHED 5000 /* steps of a walk: more than without a search */

static u64 given_up, now;
static bool searched;

static void count_searches(const struct perf_regs *regs, const char *want)
{
	u64 before = self_count(R_NO_SEARCH);

	host_now = now;
	check_names(regs, want);
	given_up = self_count(R_NO_SEARCH) - before;
	searched = host_loop_turns > SEARCHED;
}

/* Two functions that only the stack has a name for, which is said of both each time.
 * What there is for searches is used up by the first, which is not tried again for a
 * minute; the other one has to wait until there is something again. */
static void test_too_large(void **state)
{
	static const struct {
		u64 pause;
		bool searched; /* the first time */
	} turn[] = { { SECOND, true },
		     { SECOND, true },
		     { 30 * SECOND, false },
		     { 30 * SECOND, true } };

	(void)state;
	look = count_searches;
	/* Compiling makes a new body. */
	run("invisible(compiler::enableJIT(0))");
	run("for (i in 1:" SYMBOLS ") assign(paste0('large', i), i)\n"
	    "fs <- list(function(x) x, function(f) f(h()))");
	for (size_t i = 0; i < sizeof(turn) / sizeof(*turn); i++) {
		now += turn[i].pause;
		for (size_t k = 0; k < 3; k++) {
			print_message("# turn %zu, sample %zu\n", i, k);
			run("lapply(fs[1], fs[[2]])");
			assert_int_equal(given_up, 2);
			assert_int_equal(searched, turn[i].searched && !k);
		}
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
