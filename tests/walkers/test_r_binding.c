/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What searching for a function's name costs in R (r_binding.bpf.c): an environment
 * that is too large is not looked through in each sample.  In a program of its own,
 * because the environment is R's global one.
 */
#include "embed_r.h"

#define SECOND	1000000000ull
#define SYMBOLS "70000" /* more than are looked at in a sample */

#define CHAINS	 510000 /* of which each would be a step in four */
#define SEARCHED 5000	/* steps of a walk: more than without a search */

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

static SEXP empty; /* a table of chains without a cell */

static void count_empty(const struct perf_regs *regs, const char *want)
{
	/* Where the walker looks for it, see struct r_sexp; R is told nothing. */
	SEXP *place = (SEXP *)R_GlobalEnv + 6, table = *place;

	*place = empty;
	count_searches(regs, want);
	*place = table;
}

/* One search of them is within what there is, in cells and in steps of a walk; for the
 * two other functions nothing is left. */
static void test_empty_chains(void **state)
{
	(void)state;
	look = count_empty;
	empty = PROTECT(Rf_allocVector(VECSXP, CHAINS));
	self_forget();
	now += 60 * SECOND;
	run("lapply(fs[1], fs[[2]])");
	assert_int_equal(given_up, 2);
	assert_true(searched);
	UNPROTECT(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_empty_chains),
	};
	int bad;

	if (start_r())
		return 1;
	bad = cmocka_run_group_tests(tests, open_self, close_self);
	end_r();
	return bad;
}
