/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The R walker against R itself, in one process.  Runs long.
 *
 * A script calls here(), which takes the registers and walks; what must come out
 * the script has said before, from sys.call() and sys.function(): which calls are
 * active, and which of them are functions of a package.
 */
#include "embed_r.h"

#include <stdio.h>
#include <string.h>

#include "compare.h"

static int open_warm(void **state)
{
	compare_mode = COMPARE_WARM;
	return open_self(state);
}

static int open_cold(void **state)
{
	compare_mode = COMPARE_COLD;
	return open_self(state);
}

/* ---- stacks ------------------------------------------------------------- */

struct construct {
	const char *name, *define, *call;
	unsigned looks;
};

/* What every construct of the language looks like on the stack. */
static const struct construct constructs[] = {
	{ "call", "f <- function() h(); g <- function() f()", "g()", 1 },
	{ "recursion", "f <- function(n) if (n) f(n - 1) else h()", "f(300)",
	  1 },
	{ "argument", "f <- function(x) x; g <- function(y) f(y)", "g(h())",
	  1 },
	{ "lapply", "f <- function(x) lapply(1:2, function(i) h())", "f(1)",
	  2 },
	{ "nested lapply",
	  "f <- function(x) sapply(1:2, function(i) vapply(1:2, "
	  "function(j) { h(); j }, 1L))",
	  "f(1)", 4 },
	{ "do.call", "f <- function(x) h()",
	  "do.call('f', list(1)); do.call(f, list(1))", 2 },
	{ "eval", "f <- function() eval(quote(h()))", "f()", 1 },
	{ "evalq", "f <- function() evalq(h(), new.env())", "f()", 1 },
	{ "local", "f <- function() local({ x <- 1; h() })", "f()", 1 },
	{ "tryCatch",
	  "f <- function() tryCatch(h(), error = function(e) 0, "
	  "finally = h())",
	  "f()", 2 },
	{ "handler",
	  "f <- function() tryCatch(stop('x'), error = function(e) h())", "f()",
	  1 },
	{ "calling handler",
	  "f <- function() withCallingHandlers(warning('x'), "
	  "warning = function(w) { h(); invokeRestart('muffleWarning') })",
	  "f()", 1 },
	{ "try", "f <- function() try({ h(); stop('x') }, silent = TRUE)",
	  "f(); h()", 2 },
	{ "S3",
	  "p <- function(x) UseMethod('p'); "
	  "p.a <- function(x) { h(); NextMethod() }; "
	  "p.default <- function(x) h()",
	  "p(structure(1, class = c('a', 'b')))", 2 },
	{ "Recall", "f <- function(n) if (n) Recall(n - 1) else h()", "f(5)",
	  1 },
	{ "Reduce", "f <- function(a, b) { h(); a }", "Reduce(f, 1:3)", 2 },
	{ "Map", "f <- function(a) h()", "Map(f, 1:2); Map(function(x) h(), 1)",
	  3 },
	{ "on.exit", "f <- function() { on.exit(h()); 1 }", "f()", 1 },
	{ "default argument", "f <- function(x = h()) { g <- x; g }", "f()",
	  1 },
	{ "delayed", "f <- function() { delayedAssign('v', h()); v }", "f()",
	  1 },
	{ "active binding",
	  "f <- function() { makeActiveBinding('ab', function() h(), "
	  "environment()); ab }",
	  "f()", 1 },
	{ "member", "o <- list(run = function() h(), s = list())",
	  "o$run(); o[['run']](); (function() h())(); "
	  "identity(o)$run(); o[[1]]()",
	  5 },
	{ "path",
	  "run <- function() h(); o <- list(a = list(b = list(run = "
	  "function() h()), f = list(function() h()))); f <- function(x) o; "
	  "i <- 'run'",
	  "o$a$b$run(); o$a[['b']][[i]](); o$a$f[[1L]](); f()[[2 - 1]]$b$run(); "
	  "f()$a$b$run(); base::identity(o)$a$b[['run']](); (o)$a$b$run()",
	  7 },
	{ "made in a package",
	  "f <- function(x) { h(); TRUE }; s <- stats::ecdf(1)",
	  "Negate(f)(1); do.call(Negate(f), list(1)); s(h()); "
	  "Vectorize(function(x) h())(1); list(s)[[1]](h())",
	  5 },
	{ "namespace", "f <- function(x) h()",
	  "base::lapply(1, f); base:::Filter(function(x) { h(); TRUE }, 1)",
	  2 },
	{ "environment", "e <- new.env(); e$run <- function() h()",
	  "e$run(); with(e, run())", 2 },
	{ "masked", "",
	  "lapply <- function(x, f) f(x); lapply(1, function(i) h()); "
	  "rm(lapply); lapply(1, function(i) h())",
	  2 },
	{ "operator",
	  "`%+%` <- function(a, b) h(); `v<-` <- function(x, "
	  "value) { h(); x }; x <- 1",
	  "1 %+% 2; v(x) <- 3", 2 },
	{ "callCC", "f <- function(k) { h(); k(1); h() }", "callCC(f)", 1 },
	{ "loops",
	  "f <- function() { for (i in 1:2) repeat { h(); break }; "
	  "while (TRUE) { h(); break } }",
	  "f()", 3 },
	{ "promise of a promise",
	  "f <- function(x) { force(x) }; g <- function(y) f({ h(); y })",
	  "g({ h(); 1 })", 2 },
	{ "C", "f <- function() .Call(call_back, quote(h()), environment())",
	  "f()", 1 },
	{ "long name",
	  "assign(strrep('n', 254), function() h()); "
	  "g <- function() eval(as.call(list(as.name(strrep('n', 254)))))",
	  "g()", 1 },
};

static void check_construct(const struct construct *c,
			    void (*run_text)(const char *))
{
	print_message("# %s\n", c->name);
	looks = 0;
	run_text(c->define);
	for (int i = 1; i <= 4; i++) {
		run_text(c->call);
		assert_int_equal(looks, c->looks * i);
	}
}

static void check_constructs(const char *jit)
{
	look = check_names;
	run(jit);
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++)
		check_construct(&constructs[i], run);
}

/* The same with the source line of each frame.  In a call from C the interpreter
 * does not say where that was called, but we do: see test_line_of_c(). */
static void check_lines(const char *jit)
{
	look = check_names;
	run(jit);
	run("lines <- TRUE");
	self_want(SELF_LINES, true);
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++)
		if (strcmp(constructs[i].name, "C") != 0)
			check_construct(&constructs[i], run_file);
	self_want(SELF_LINES, false);
	run("lines <- FALSE");
}

static void test_interpreted_lines(void **state)
{
	(void)state;
	check_lines("invisible(compiler::enableJIT(0))");
}

static void test_compiled_lines(void **state)
{
	(void)state;
	check_lines("invisible(compiler::enableJIT(3))");
}

static void test_interpreted(void **state)
{
	(void)state;
	check_constructs("invisible(compiler::enableJIT(0))");
}

static void test_compiled(void **state)
{
	(void)state;
	check_constructs("invisible(compiler::enableJIT(3))");
}

/* ---- places ------------------------------------------------------------- */

static const char *placed;

static void check_places(const struct perf_regs *regs, const char *unused)
{
	struct buf got = { 0 };
	struct sample *s;

	(void)unused;
	/* There is room for searches by then. */
	host_now += 1000000000;
	s = self_sample(regs);
	assert_int_equal(s->status, WALK_ROOT);
	script_line(s, natives, &got);
	assert_string_equal(buf_text(&got), placed);
	buf_release(&got);
	free(s);
}

/* R's frames stand between the native frames that they called and that called
 * them. */
static void test_places(void **state)
{
	(void)state;
	look = check_places;
	placed = "a [call_back] b base::lapply FUN [call_back] d h [here]";
	run("a <- function() .Call(call_back, quote(b()), globalenv())\n"
	    "b <- function() lapply(1, function(i)\n"
	    "  .Call(call_back, quote(d()), globalenv()))\n"
	    "d <- function() h()\n");
	for (int i = 0; i < 4; i++)
		run("a()");
	placed = "a [call_back] f [call_back] h [here]";
	run("f <- function(x) x\n"
	    "a <- function() .Call(call_back,\n"
	    "  quote(f(.Call(call_back, quote(h()), globalenv()))),\n"
	    "  globalenv())");
	for (int i = 0; i < 4; i++)
		run("a()");
}

/* A function out of a list is known by what its environment binds: a namespace, base
 * (which has no table of its own), the global one; not if these are two, nor when the
 * name is another's by now. */
static void test_bound(void **state)
{
	static const struct {
		const char *expr, *placed;
	} rows[] = {
		{ "list(stats::offset)", "stats::offset h [here]" },
		{ "list(suppressMessages)",
		  "base::suppressMessages base::withCallingHandlers h [here]" },
		{ "list(own)", "own h [here]" },
		{ "c(own)", "own h [here]" },
		{ "list(renamed)", "renamed h [here]" },
		{ "list(twin)", "f h [here]" },
		{ "list(function(x) x)", "f h [here]" },
	};
	char call[256], place[256];

	(void)state;
	look = check_places;
	run("own <- function(x) x\n"
	    "twin <- same <- function(x) x\n"
	    "first <- function(x) x");
	placed = "base::lapply FUN first h [here]";
	run("lapply(list(first), function(f) f(h()))");
	run("renamed <- first; rm(first)");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("# %s\n", rows[i].expr);
		snprintf(call, sizeof(call), "lapply(%s, function(f) f(h()))",
			 rows[i].expr);
		snprintf(place, sizeof(place), "base::lapply FUN %s",
			 rows[i].placed);
		placed = place;
		for (int k = 0; k < 3; k++)
			run(call);
	}
	run("rm(own, twin, same, renamed)");
}

static void test_lexical(void **state)
{
	(void)state;
	look = check_names;
	run("invisible(compiler::enableJIT(0))");
	run("lexical <- TRUE");
	self_want(SELF_LEXICAL, true);
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++)
		check_construct(&constructs[i], run_file);
	self_want(SELF_LEXICAL, false);
	run("lexical <- FALSE");
}

/* A foreign call hides where it is from R, not from us. */
static void test_line_of_c(void **state)
{
	static const char *const jit[] = {
		"invisible(compiler::enableJIT(0))",
		"invisible(compiler::enableJIT(3))",
	};

	(void)state;
	look = check_places;
	placed = "run_file base::eval (<text>:6) f (<text>:4) [call_back] "
		 "g (<text>:1) h [here]";
	self_want(SELF_LINES, true);
	for (int i = 0; i < 2; i++) {
		run(jit[i]);
		run_file("g <- function() h()\n"
			 "f <- function() {\n"
			 "  x <- 1\n"
			 "  .Call(call_back, quote(g()), globalenv())\n"
			 "}\n"
			 "for (i in 1:4)\n"
			 "  f()");
	}
	self_want(SELF_LINES, false);
}

/* ---- registers that R's own code does not need -------------------------- */

SEXP call_on_rbx(SEXP call, SEXP env);
SEXP call_lost(SEXP call, SEXP env);

/* Both are call_back() with a frame around, whose CFA is in rbx, as in the dynamic
 * linker's and in some that align the stack.  In the second there is another frame in
 * between, which has no unwind information: then rbx is not known. */
#define ON_RBX(name, calls)                               \
	"	.type	" name ", @function\n" name ":\n" \
	"	.cfi_startproc\n"                               \
	"	push	%rbx\n"                                    \
	"	.cfi_def_cfa_offset 16\n"                       \
	"	.cfi_offset rbx, -16\n"                         \
	"	mov	%rsp, %rbx\n"                               \
	"	.cfi_def_cfa_register rbx\n"                    \
	"	sub	$200, %rsp\n"                               \
	"	and	$-64, %rsp\n"                               \
	"	call	" calls "\n"                      \
	"	mov	%rbx, %rsp\n"                               \
	"	.cfi_def_cfa_register rsp\n"                    \
	"	pop	%rbx\n"                                     \
	"	.cfi_def_cfa_offset 8\n"                        \
	"	.cfi_restore rbx\n"                             \
	"	ret\n"                                          \
	"	.cfi_endproc\n"                                 \
	"	.size	" name ", . - " name "\n"
__asm__("	.text\n" ON_RBX("call_on_rbx", "call_back")
		ON_RBX("call_lost",
		       "call_bare") "	.type	call_bare, @function\n"
				    "call_bare:\n"
				    "	push	%rbp\n"
				    "	mov	%rsp, %rbp\n"
				    "	call	call_back\n"
				    "	pop	%rbp\n"
				    "	ret\n"
				    "	.size	call_bare, . - call_bare\n");

/* The walk restores few registers for R alone; where that is too few it begins anew. */
static void test_saved_register(void **state)
{
	(void)state;
	define_routine("call_on_rbx", (void (*)(void))call_on_rbx);
	look = check_places;
	placed = "a f [call_back] g base::lapply FUN h [here]";
	run("g <- function() lapply(1, function(i) h())\n"
	    "f <- function() .Call(call_on_rbx, quote(g()), globalenv())\n"
	    "a <- function() f()");
	for (int i = 0; i < 4; i++)
		run("a()");
}

static void check_lost(const struct perf_regs *regs, const char *unused)
{
	u64 guesses = self_count(NATIVE_CHAIN);
	u64 cuts = self_count(CUT_LOST_REGISTER);
	struct sample *s = self_sample(regs);

	(void)unused;
	assert_int_equal(s->status, CUT_LOST_REGISTER);
	guesses = self_count(NATIVE_CHAIN) - guesses;
	cuts = self_count(CUT_LOST_REGISTER) - cuts;
	assert_true(cuts > 0);
	assert_int_equal(guesses, cuts);
	free(s);
}

/* Where beginning anew does not help either, what was met on the way is counted once. */
static void test_lost_register(void **state)
{
	(void)state;
	define_routine("call_lost", (void (*)(void))call_lost);
	look = check_lost;
	run("f <- function() .Call(call_lost, quote(h()), globalenv())\n"
	    "for (i in 1:3) f()");
}

/* ---- texts that do not get through --------------------------------------- */

static void lose_first(const struct perf_regs *regs, const char *want)
{
	self_sample_lost(regs);
	check_names(regs, want);
}

static void test_full_ring(void **state)
{
	(void)state;
	self_forget();
	look = lose_first;
	run("fullring <- list(lost = function(x) vapply(x, function(i) {\n"
	    "  h(); i }, 1))\n"
	    "invisible(fullring$lost(1))");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interpreted),
		cmocka_unit_test(test_compiled),
		cmocka_unit_test(test_interpreted_lines),
		cmocka_unit_test(test_compiled_lines),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_line_of_c),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_lexical),
		cmocka_unit_test(test_saved_register),
		cmocka_unit_test(test_lost_register),
		cmocka_unit_test(test_full_ring),
	};
	int bad;

	if (start_r())
		return 1;
	bad = cmocka_run_group_tests_name("helper", tests, open_self,
					  close_self);
	bad += cmocka_run_group_tests_name("direct", tests, open_warm,
					   close_self);
	bad += cmocka_run_group_tests_name("direct, cold", tests, open_cold,
					   close_self);
	end_r();
	return bad;
}
