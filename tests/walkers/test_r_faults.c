/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The R walker against R itself when reads fail or give nonsense; see test_r.c. */
#include "embed_r.h"

static void fail_each(const struct perf_regs *regs, const char *want)
{
	check_names(regs, want);
	script_fail_each(regs);
}

static void test_every_read_fails(void **state)
{
	(void)state;
	look = fail_each;
	run("o <- list(run = function(x) Map(function(y) y, x))\n"
	    "f <- function(n) if (n) f(n - 1) else o$run(h())\n"
	    "lapply(1, function(i) f(3))");
	run("p <- function(i) list(a = list(run = function(x) x))\n"
	    "Negate(function(n) p(1)$a[['run']](h()) > 0)(1)");
}

static void garble(const struct perf_regs *regs, const char *want)
{
	script_garble(regs, 4000);
	check_names(regs, want);
}

static void test_nonsense(void **state)
{
	u64 reads = self_count(R_READ), names = self_count(R_NAME);

	(void)state;
	look = garble;
	run("lapply(1, function(i) f(3))");
	run("Negate(function(n) p(1)$a[['run']](h()) > 0)(1)");
	assert_true(self_count(R_READ) > reads);
	assert_true(self_count(R_NAME) > names);
}

/* Some of the frames are compiled. */
static void test_faults_with_lines(void **state)
{
	(void)state;
	run("lines <- TRUE");
	self_want(SELF_LINES, true);
	run_file("f <- function(n) {\n"
		 "  if (n) f(n - 1)\n"
		 "  else o$run(h())\n"
		 "}\n"
		 "g <- compiler::cmpfun(function(i) {\n"
		 "  f(3)\n"
		 "})\n");
	look = fail_each;
	run("lapply(1, g)");
	look = garble;
	run("lapply(1, g)");
	self_want(SELF_LINES, false);
	run("lines <- FALSE");
}

static void fail_each_only(const struct perf_regs *regs, const char *unused)
{
	(void)unused;
	script_fail_each(regs);
}

static void garble_only(const struct perf_regs *regs, const char *unused)
{
	(void)unused;
	script_garble(regs, 4000);
}

static void test_faults_with_promises(void **state)
{
	static const enum self_wanted wants[] = { SELF_PROMISES, SELF_EXPR };
	static const u32 said[] = { R_NO_PROMISE, R_NO_EXPR };

	(void)state;
	run("f <- function(n, x) if (n) f(n - 1, x) else x\n"
	    "g <- compiler::cmpfun(function(i, y) f(3, y + 1))");
	for (int i = 0; i < 2; i++) {
		u64 before = self_count(said[i]);

		self_want(wants[i], true);
		look = fail_each_only;
		run("lapply(1, g, y = { h(); 'a' == \"b\"; 1 })");
		look = garble_only;
		run("lapply(1, g, y = { h(); 1 })");
		self_want(wants[i], false);
		assert_true(self_count(said[i]) > before);
	}
}

/* A function whose name has to be searched for. */
static void test_search_faults(void **state)
{
	static const look_fn looks_at[] = { fail_each_only, garble_only };

	(void)state;
	run("own <- function(x) x");
	for (int i = 0; i < 2; i++) {
		look = looks_at[i];
		run("lapply(list(own), function(f) f(h()))");
	}
	run("rm(own)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_read_fails),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_faults_with_lines),
		cmocka_unit_test(test_faults_with_promises),
		cmocka_unit_test(test_search_faults),
	};
	int bad;

	if (start_r())
		return 1;
	bad = cmocka_run_group_tests(tests, open_self, close_self);
	end_r();
	return bad;
}
