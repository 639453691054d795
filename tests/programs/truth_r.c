/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Routines for .Call with call paths that are known beforehand.
 *
 *   truth_burn(n, ms)        ms milliseconds of CPU in truth_leaf_NN
 *   truth_eval(expr, env)    Rf_eval
 *   truth_try(expr, env)     R_tryEval
 *   truth_top(expr, env)     R_ToplevelExec, which calls truth_body
 *   truth_unwind(expr, env)  R_UnwindProtect, which calls truth_protected
 *   truth_force(expr, env)   R_forceAndCall
 *
 * Every way back into R goes through truth_outer and truth_inner, which have
 * stack frames of their own.  All of these are exported and must appear between
 * the R frames.  With ms below zero, truth_burn evaluates truth_seen(n) in the
 * global environment instead, for a script that wants to ask the interpreter
 * what stack it sees.  truth_r_back.h has the other ways into C and back.
 */
#define R_NO_REMAP
#include <Rinternals.h>
#include <R_ext/Rdynload.h>

#include "truth_leaf.h"

enum way {
	WAY_EVAL,
	WAY_TRY,
	WAY_TOP,
	WAY_UNWIND,
	WAY_FORCE,
	WAY_SILENT,
	WAY_CLEANUP,
	WAY_PARSE,
	WAY_CATCH,
	WAY_CALLING,
	WAY_FINALLY,
};

struct request {
	enum way way;
	SEXP expr, env, result;
};

SEXP truth_burn(SEXP number, SEXP ms);
SEXP truth_eval(SEXP expr, SEXP env);
SEXP truth_try(SEXP expr, SEXP env);
SEXP truth_top(SEXP expr, SEXP env);
SEXP truth_unwind(SEXP expr, SEXP env);
SEXP truth_force(SEXP expr, SEXP env);
SEXP truth_protected(void *data);
void truth_body(void *data);
void truth_inner(struct request *request);
void truth_outer(struct request *request);
void R_init_truth_r(DllInfo *dll);

static unsigned long turns_per_ms;
static SEXP go_back(struct request *r);

TRUTH_EXPORT SEXP truth_protected(void *data)
{
	struct request *request = data;
	SEXP result = Rf_eval(request->expr, request->env);

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT void truth_body(void *data)
{
	struct request *request = data;

	request->result = Rf_eval(request->expr, request->env);
	TRUTH_KEEP_FRAME();
}

/* R_UnwindProtect wants a function to call on a jump, and none happens. */
static void no_cleanup(void *data, Rboolean jump)
{
	(void)data;
	(void)jump;
}

TRUTH_EXPORT void truth_inner(struct request *r)
{
	int failed = 0;

	switch (r->way) {
	case WAY_EVAL:
		r->result = Rf_eval(r->expr, r->env);
		break;
	case WAY_TRY:
		r->result = R_tryEval(r->expr, r->env, &failed);
		break;
	case WAY_TOP:
		failed = !R_ToplevelExec(truth_body, r);
		break;
	case WAY_UNWIND: {
		SEXP token = PROTECT(R_MakeUnwindCont());

		r->result = R_UnwindProtect(truth_protected, r, no_cleanup,
					    NULL, token);
		UNPROTECT(1);
		break;
	}
	case WAY_FORCE:
		r->result = R_forceAndCall(r->expr, 1, r->env);
		break;
	default:
		r->result = go_back(r);
	}
	if (failed)
		r->result = R_NilValue;
	TRUTH_KEEP_FRAME();
}

/* A frame of some size, as real package code has. */
TRUTH_EXPORT void truth_outer(struct request *request)
{
	char room[200];

	__asm__ volatile("" : : "r"(room) : "memory");
	truth_inner(request);
	__asm__ volatile("" : : "r"(room) : "memory");
}

#define TRUTH_CALL(name, kind)                                      \
	TRUTH_EXPORT SEXP name(SEXP expr, SEXP env)                 \
	{                                                           \
		struct request r = { kind, expr, env, R_NilValue }; \
                                                                    \
		truth_outer(&r);                                    \
		TRUTH_KEEP_FRAME();                                 \
		return r.result;                                    \
	}

TRUTH_CALL(truth_eval, WAY_EVAL)
TRUTH_CALL(truth_try, WAY_TRY)
TRUTH_CALL(truth_top, WAY_TOP)
TRUTH_CALL(truth_unwind, WAY_UNWIND)
TRUTH_CALL(truth_force, WAY_FORCE)

TRUTH_EXPORT SEXP truth_burn(SEXP number, SEXP ms)
{
	int n = Rf_asInteger(number);
	double m = Rf_asReal(ms);

	if (n < 0 || n >= TRUTH_LEAVES)
		Rf_error("no such leaf: %d", n);
	if (m < 0) {
		SEXP call = PROTECT(Rf_lang2(Rf_install("truth_seen"), number));

		Rf_eval(call, R_GlobalEnv);
		UNPROTECT(1);
		return number;
	}
	truth_leaf[n]((unsigned long)(m * turns_per_ms));
	TRUTH_KEEP_FRAME();
	return number;
}

/* Are they one object? */
static SEXP truth_same(SEXP a, SEXP b)
{
	return Rf_ScalarLogical(a == b);
}

#include "truth_r_back.h"

#define TRUTH_ROUTINE(name, args)                  \
	{                                          \
#name, (DL_FUNC)(void *)name, args \
	}

static const R_CallMethodDef routines[] = {
	TRUTH_ROUTINE(truth_burn, 2),	   TRUTH_ROUTINE(truth_eval, 2),
	TRUTH_ROUTINE(truth_try, 2),	   TRUTH_ROUTINE(truth_top, 2),
	TRUTH_ROUTINE(truth_unwind, 2),	   TRUTH_ROUTINE(truth_force, 2),
	TRUTH_ROUTINE(truth_silent, 2),	   TRUTH_ROUTINE(truth_cleanup, 2),
	TRUTH_ROUTINE(truth_parse, 2),	   TRUTH_ROUTINE(truth_catch, 2),
	TRUTH_ROUTINE(truth_calling, 2),   TRUTH_ROUTINE(truth_finally, 2),
	TRUTH_ROUTINE(truth_finalizer, 1), TRUTH_ROUTINE(truth_threads, 2),
	TRUTH_ROUTINE(truth_omp, 2),	   TRUTH_ROUTINE(truth_flash, 1),
	TRUTH_ROUTINE(truth_same, 2),	   { NULL, NULL, 0 },
};
/* The types of these have one more member, NULL here. */
static const R_CMethodDef c_routines[] = {
	{ "truth_c", (DL_FUNC)(void *)truth_c, 2, NULL },
	{ NULL, NULL, 0, NULL },
};
static const R_FortranMethodDef fortran_routines[] = {
	{ "truth_fortran", (DL_FUNC)(void *)truth_fortran, 2, NULL },
	{ NULL, NULL, 0, NULL },
};
static const R_ExternalMethodDef external_routines[] = {
	TRUTH_ROUTINE(truth_external, 2),
	TRUTH_ROUTINE(truth_external2, 2),
	TRUTH_ROUTINE(truth_external_eval, 2),
	{ NULL, NULL, 0 },
};

TRUTH_EXPORT void R_init_truth_r(DllInfo *dll)
{
	R_registerRoutines(dll, c_routines, routines, fortran_routines,
			   external_routines);
	R_useDynamicSymbols(dll, FALSE);
	turns_per_ms = truth_measure();
}
