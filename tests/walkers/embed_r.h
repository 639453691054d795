/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libR in the test's own process.  The routine here takes the registers and hands
 * them to the test, with what R says that the stack is; the routine call_back goes
 * from R to C and back.
 */
#ifndef JPBPF_TESTS_WALKERS_EMBED_R_H
#define JPBPF_TESTS_WALKERS_EMBED_R_H

#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#define R_NO_REMAP
#include <Rinternals.h>
#include <Rembedded.h>
#include <R_ext/Parse.h>

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
	/* In which namespace a function was made. */
	"around <- function(env) {\n"
	"  while (!isNamespace(env))\n"
	"    if (identical(env, globalenv()) || identical(env, baseenv()))\n"
	"      return(NULL)\n"
	"    else env <- parent.env(env)\n"
	"  paste0(getNamespaceName(env), '::')\n"
	"}\n"
	"nameless <- function(fun) {\n"
	"  at <- attr(fun, 'srcref')\n"
	"  paste0(around(environment(fun)), '<anonymous', if (!is.null(at))\n"
	"    paste0(' ', attr(at, 'srcfile')$filename, ':', at[1]), '>')\n"
	"}\n"
	"operators <- c('::', ':::', '$', '@', '[[')\n"
	"is_path <- function(head) is.call(head) && is.symbol(head[[1]]) &&\n"
	"  as.character(head[[1]]) %in% operators\n"
	/* Of the calls in it, those of three depths. */
	"path <- function(x, depth = 1) {\n"
	"  if (!is.call(x) && !is.symbol(x)) sub('L$', '', deparse(x))\n"
	"  else if (!is.call(x)) as.character(x)\n"
	"  else if (depth > 3) '...'\n"
	"  else {\n"
	"    part <- vapply(as.list(x), path, '', depth + 1)\n"
	"    if (part[1] == '[[') sprintf('%s[[%s]]', part[2], part[3])\n"
	"    else if (part[1] == '-') sprintf('%s - %s', part[2], part[3])\n"
	"    else if (part[1] == '(') sprintf('(%s)', part[2])\n"
	"    else if (is_path(x)) paste0(part[2], part[1], part[3])\n"
	"    else sprintf('%s(%s)', part[1], paste(part[-1], collapse = ', '))\n"
	"  }\n"
	"}\n"
	/* A whole path tells more than where it leads; an element tells less. */
	"by_path <- function(head, fun) {\n"
	"  if (!is_path(head)) return(nameless(fun))\n"
	"  where <- nameless(fun)\n"
	"  if (is.call(head[[2]]) || where == '<anonymous>') path(head)\n"
	"  else where\n"
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
	"  } else by_path(head, fun)\n"
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

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* here() itself is native; want has the calls only. */
static inline void check_names(const struct perf_regs *regs, const char *want)
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

static inline void run_file(const char *text)
{
	Rf_defineVar(Rf_install("text"), Rf_mkString(text), R_GlobalEnv);
	run("run_file(text)");
}

static void end_r(void)
{
	if (!inside)
		Rf_endEmbeddedR(0);
}

#endif
