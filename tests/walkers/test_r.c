/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The R walker against R itself, in one process.
 *
 * A script calls here(), which takes the registers and walks; what must come out
 * the script has said before, from sys.call() and sys.function(): which calls are
 * active, and which of them are functions of a package.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R_NO_REMAP
#include <Rinternals.h>
#include <Rembedded.h>
#include <R_ext/Parse.h>

#include "compare.h"
#include "script.h"
#include "user/lib/buf.h"
#include "walkers/r/r.h"
#include "walkers/walker.h"

#define NOINLINE __attribute__((noipa))

extern const struct walker r_walker;
/* Rinterface.h has it only for those who replace R's console. */
extern int R_SignalHandlers;

typedef void (*look_fn)(const struct perf_regs *regs, const char *want);

static look_fn look; /* what here() does with the place it is called at */
static unsigned looks;

static SEXP here(SEXP want);
static SEXP call_back(SEXP call, SEXP env);

static const struct script_native natives[] = {
	{ here, "[here]" },
	{ call_back, "[call_back]" },
	{ NULL, NULL },
};

static NOINLINE SEXP here(SEXP want)
{
	struct perf_regs regs;

	host_here(&regs);
	looks++;
	look(&regs, CHAR(STRING_ELT(want, 0)));
	return R_NilValue;
}

/* From R to C and back. */
static NOINLINE SEXP call_back(SEXP call, SEXP env)
{
	SEXP value = Rf_eval(call, env);

	/* Still needed afterwards: the call cannot become a jump. */
	__asm__ volatile("" : : "r"(env) : "memory");
	return value;
}

/* A variable that .Call() takes for a loaded routine. */
static void define_routine(const char *name, void (*fn)(void))
{
	SEXP tag = Rf_install("native symbol");

	Rf_defineVar(Rf_install(name),
		     R_MakeExternalPtrFn((DL_FUNC)fn, tag, R_NilValue),
		     R_GlobalEnv);
}

static void evaluate(const char *text)
{
	ParseStatus status;
	SEXP source = PROTECT(Rf_mkString(text));
	SEXP code = PROTECT(R_ParseVector(source, -1, &status, R_NilValue));
	int failed = status != PARSE_OK;

	for (int i = 0; !failed && i < Rf_length(code); i++)
		R_tryEval(VECTOR_ELT(code, i), R_GlobalEnv, &failed);
	UNPROTECT(2);
	if (failed)
		fail_msg("R: error in: %s", text);
}

/* A test that fails leaves R by a jump that R does not know of: then there is no
 * way back into it. */
static bool inside;

/* Parse and evaluate at top level; the test fails on an R error. */
static void run(const char *text)
{
	if (inside)
		fail_msg("R was left in the middle by the failure before");
	inside = true;
	evaluate(text);
	inside = false;
}

/* The names that the walker should give: a function's own, of a package with the
 * package, where its environment binds it; else the one that it was handed over by,
 * sought outward among the arguments of its callers; else the one in the call.  eval()
 * has a context beside that of its closure, whose function is the primitive: not a
 * call of its own. */
static const char prelude[] =
	"is_text <- function(x) is.symbol(x) || is.character(x)\n"
	"is_own <- function(name, fun)\n"
	"  identical(get0(name, environment(fun), inherits = FALSE), fun)\n"
	/* Of an argument of the call of frame i: whether it is fun. */
	"is_same <- function(expr, i, fun) {\n"
	"  env <- sys.frames()[sys.parents()[i]]\n"
	"  env <- if (length(env)) env[[1]] else globalenv()\n"
	/* What is just being evaluated is no function yet. */
	"  if (is.symbol(expr) && nzchar(as.character(expr)))\n"
	"    tryCatch(identical(get0(as.character(expr), env,\n"
	"      mode = 'function'), fun), error = function(e) FALSE)\n"
	"  else is.call(expr) && identical(expr[[1]], quote(`function`)) &&\n"
	"    identical(eval(expr, env), fun)\n"
	"}\n"
	"alias_of <- function(fun, i) {\n"
	"  name <- NULL\n"
	"  while ((i <- i - 1) > 0)\n"
	"    for (expr in as.list(sys.call(i))[-1])\n"
	"      if (is_same(expr, i, fun)) {\n"
	"        name <- if (is.symbol(expr)) as.character(expr)\n"
	"        if (!is.null(name) && is_own(name, fun))\n"
	"          return(name)\n"
	"      }\n"
	"  name\n"
	"}\n"
	"full_name <- function(name, fun) {\n"
	"  env <- environment(fun)\n"
	"  if (isNamespace(env) && is_own(name, fun))\n"
	"    paste0(getNamespaceName(env), '::', name)\n"
	"  else name\n"
	"}\n"
	"nameless <- function(fun) {\n"
	"  at <- attr(fun, 'srcref')\n"
	"  if (is.null(at)) '<anonymous>'\n"
	"  else paste0('<anonymous ', attr(at, 'srcfile')$filename, ':',\n"
	"    at[1], '>')\n"
	"}\n"
	"name_of <- function(call, fun, i) {\n"
	"  head <- call[[1]]\n"
	"  if (is.symbol(head) || is.function(head)) {\n"
	"    name <- if (is.symbol(head)) as.character(head)\n"
	"    if (is.null(name) || !is_own(name, fun)) {\n"
	"      other <- alias_of(fun, i)\n"
	"      if (!is.null(other)) name <- other\n"
	"    }\n"
	"    if (is.null(name)) nameless(fun) else full_name(name, fun)\n"
	"  } else if (is.call(head) && length(head) == 3 &&\n"
	"      as.character(head[[1]]) %in% c('::', ':::', '$', '@', '[[') &&\n"
	"      is_text(head[[2]]) && is_text(head[[3]])) {\n"
	"    op <- as.character(head[[1]])\n"
	"    paste0(head[[2]], op, head[[3]], if (op == '[[') ']]')\n"
	"  } else nameless(fun)\n"
	"}\n"
	"lines <- FALSE\n"
	"place_of <- function(call) {\n"
	"  at <- attr(call, 'srcref')\n"
	"  if (lines && !is.null(at))\n"
	"    paste0(' (', attr(at, 'srcfile')$filename, ':', at[1], ')')\n"
	"  else ''\n"
	"}\n"
	/* Of the innermost function, its caller by the text, and so on; the
	 * environment that eval() was given ends it. */
	"lexical <- FALSE\n"
	"aside <- function(parents, prim) {\n"
	"  on <- rep(!lexical, length(parents))\n"
	"  i <- length(parents)\n"
	"  while (i > 0 && !prim[i]) {\n"
	"    on[i] <- TRUE\n"
	"    i <- parents[i]\n"
	"  }\n"
	"  ifelse(on, '', '~')\n"
	"}\n"
	/* Where a function is, the call of the next one inward says. */
	"h <- function() {\n"
	"  names <- character(0)\n"
	"  place <- ''\n"
	"  off <- aside(sys.parents(), vapply(seq_len(sys.nframe()),\n"
	"    function(i) is.primitive(sys.function(i)), TRUE))\n"
	"  for (i in rev(seq_len(sys.nframe())))\n"
	"    if (!is.primitive(sys.function(i))) {\n"
	"      name <- name_of(sys.call(i), sys.function(i), i)\n"
	"      names <- c(paste0(name, off[i], place), names)\n"
	"      place <- place_of(sys.call(i))\n"
	"    }\n"
	"  .Call(here, paste(names, collapse = ' '))\n"
	"}\n"
	/* With lines, many of them; R has the text of a file in memory. */
	"run_file <- function(text) {\n"
	"  text <- gsub('; ', '\\n', gsub('{ ', '{\\n', text, fixed = TRUE))\n"
	"  eval(parse(text = text, keep.source = TRUE), globalenv())\n"
	"}\n";

static int start_r(void)
{
	char *argv[] = { (char *)"R", (char *)"--vanilla", (char *)"--quiet",
			 (char *)"--no-echo" };

	setenv("R_HOME", R_HOME_DIR, 0);
	R_SignalHandlers = 0;
	if (!Rf_initEmbeddedR(4, argv))
		return -1;
	define_routine("here", (void (*)(void))here);
	define_routine("call_back", (void (*)(void))call_back);
	run(prelude);
	return 0;
}

static int open_self(void **state)
{
	(void)state;
	self_open(&r_walker, WALKER_R);
	return 0;
}

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

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* ---- stacks ------------------------------------------------------------- */

/* here() itself is native; want has the calls only. */
static void check_names(const struct perf_regs *regs, const char *want)
{
	const struct script_native none = { NULL, NULL };
	struct sample *s = self_sample(regs);
	struct buf got = { 0 };

	assert_int_equal(s->status, WALK_ROOT);
	script_line(s, &none, &got);
	assert_string_equal(buf_text(&got), want);
	buf_release(&got);
	free(s);
}

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

static void run_file(const char *text)
{
	Rf_defineVar(Rf_install("text"), Rf_mkString(text), R_GlobalEnv);
	run("run_file(text)");
}

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
	struct sample *s = self_sample(regs);
	struct buf got = { 0 };

	(void)unused;
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

/* ---- faults ------------------------------------------------------------- */

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
}

static void garble(const struct perf_regs *regs, const char *want)
{
	script_garble(regs, 4000);
	check_names(regs, want);
}

static void test_nonsense(void **state)
{
	(void)state;
	look = garble;
	run("lapply(1, function(i) f(3))");
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

	(void)state;
	run("f <- function(n, x) if (n) f(n - 1, x) else x\n"
	    "g <- compiler::cmpfun(function(i, y) f(3, y + 1))");
	for (int i = 0; i < 2; i++) {
		self_want(wants[i], true);
		look = fail_each_only;
		run("lapply(1, g, y = { h(); 'a' == \"b\"; 1 })");
		look = garble_only;
		run("lapply(1, g, y = { h(); 1 })");
		self_want(wants[i], false);
	}
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
		cmocka_unit_test(test_lexical),
		cmocka_unit_test(test_full_ring),
	};
	const struct CMUnitTest faults[] = {
		cmocka_unit_test(test_every_read_fails),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_faults_with_lines),
		cmocka_unit_test(test_faults_with_promises),
	};
	int bad;

	if (start_r())
		return 1;
	bad = cmocka_run_group_tests_name("helper", tests, open_self,
					  close_self);
	bad += cmocka_run_group_tests_name("faults", faults, open_self,
					   close_self);
	bad += cmocka_run_group_tests_name("direct", tests, open_warm,
					   close_self);
	bad += cmocka_run_group_tests_name("direct, cold", tests, open_cold,
					   close_self);
	if (!inside)
		Rf_endEmbeddedR(0);
	return bad;
}
