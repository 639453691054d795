/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The other ways from R into C and from C into R, for truth_r.c, which includes
 * this below truth_burn:
 *
 *   .C("truth_c", n, ms)                   these burn as truth_burn does
 *   .Fortran("truth_fortran", n, ms)
 *   .External("truth_external", n, ms)
 *   .External2("truth_external2", n, ms)
 *   .External("truth_external_eval", expr, env)
 *   truth_silent(expr, env)                R_tryEvalSilent
 *   truth_cleanup(expr, env)               R_ExecWithCleanup
 *   truth_parse(text, env)                 R_ParseEvalString
 *   truth_catch(call, env)                 R_tryCatchError
 *   truth_calling(call, env)               R_withCallingErrorHandler
 *   truth_finally(call, env)               R_tryCatch with a finalizer
 *   truth_finalizer(n)                     an object whose finalizer burns
 *   truth_threads(n, ms)                   a thread burns, the caller waits
 *   truth_omp(n, ms)                       a thread of an OpenMP team burns
 *   truth_flash(n)                         burns a quarter of a millisecond
 *
 * `call` is a call with two arguments: the first is evaluated in truth_attempt, the
 * second in truth_handle, when the first fails, or in truth_last.
 */
#ifndef JPBPF_TESTS_TRUTH_R_BACK_H
#define JPBPF_TESTS_TRUTH_R_BACK_H

#include <pthread.h>

#include <Rinternals.h>

#include "truth_leaf.h"

void truth_c(int *number, int *ms);
void truth_fortran(int *number, int *ms);
SEXP truth_external(SEXP args);
SEXP truth_external2(SEXP call, SEXP op, SEXP args, SEXP env);
SEXP truth_external_eval(SEXP args);
SEXP truth_silent(SEXP expr, SEXP env);
SEXP truth_cleanup(SEXP expr, SEXP env);
SEXP truth_parse(SEXP expr, SEXP env);
SEXP truth_catch(SEXP expr, SEXP env);
SEXP truth_calling(SEXP expr, SEXP env);
SEXP truth_finally(SEXP expr, SEXP env);
SEXP truth_attempt(void *data);
SEXP truth_handle(SEXP condition, void *data);
void truth_last(void *data);
SEXP truth_finalizer(SEXP number);
void truth_finalize(SEXP pointer);
SEXP truth_threads(SEXP number, SEXP ms);
SEXP truth_omp(SEXP number, SEXP ms);
void *truth_thread(void *data);
SEXP truth_flash(SEXP number);

/* Built here, loaded also where the C library is older than this machine's: before
 * 2.34 they were in a library of their own (nptl/Versions, glibc-2.34). */
__asm__(".symver pthread_create, pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_join, pthread_join@GLIBC_2.2.5");

/* Not in every R that loads this. */
#pragma weak R_withCallingErrorHandler
#pragma weak R_ParseEvalString

/* What a thread has to burn. */
struct thread_work {
	int number;
	unsigned long turns;
};

TRUTH_EXPORT void truth_c(int *number, int *ms)
{
	SEXP n = PROTECT(Rf_ScalarInteger(*number));
	SEXP m = PROTECT(Rf_ScalarInteger(*ms));

	truth_burn(n, m);
	UNPROTECT(2);
}

/* As Fortran sees it: arguments by reference, and nothing else. */
TRUTH_EXPORT void truth_fortran(int *number, int *ms)
{
	truth_c(number, ms);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT SEXP truth_external(SEXP args)
{
	SEXP result = truth_burn(CADR(args), CADDR(args));

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT SEXP truth_external2(SEXP call, SEXP op, SEXP args, SEXP env)
{
	SEXP result = truth_burn(CADR(args), CADDR(args));

	(void)call;
	(void)op;
	(void)env;
	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT SEXP truth_external_eval(SEXP args)
{
	SEXP result = truth_eval(CADR(args), CADDR(args));

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT SEXP truth_attempt(void *data)
{
	struct request *request = data;
	SEXP result = Rf_eval(CADR(request->expr), request->env);

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT SEXP truth_handle(SEXP condition, void *data)
{
	struct request *request = data;
	SEXP result = Rf_eval(CADDR(request->expr), request->env);

	(void)condition;
	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT void truth_last(void *data)
{
	truth_handle(R_NilValue, data);
	TRUTH_KEEP_FRAME();
}

/* truth_inner for the ways that are here. */
static SEXP go_back(struct request *r)
{
	SEXP none = R_NilValue;
	int failed;

	switch (r->way) {
	case WAY_SILENT:
		r->result = R_tryEvalSilent(r->expr, r->env, &failed);
		return failed ? none : r->result;
	case WAY_CLEANUP:
		return R_ExecWithCleanup(truth_attempt, r, truth_last, r);
	case WAY_PARSE:
		return R_ParseEvalString(CHAR(STRING_ELT(r->expr, 0)), r->env);
	case WAY_CATCH:
		return R_tryCatchError(truth_attempt, r, truth_handle, r);
	case WAY_CALLING:
		return R_withCallingErrorHandler(truth_attempt, r, truth_handle,
						 r);
	default:
		return R_tryCatch(truth_attempt, r, none, NULL, NULL,
				  truth_last, r);
	}
}

TRUTH_EXPORT void truth_finalize(SEXP pointer)
{
	/* Not by Rf_findVar(), which R 4.6 no longer declares. */
	SEXP ms = PROTECT(Rf_eval(Rf_install("ms"), R_GlobalEnv));

	truth_burn(R_ExternalPtrTag(pointer), ms);
	UNPROTECT(1);
}

TRUTH_EXPORT SEXP truth_finalizer(SEXP number)
{
	SEXP p = PROTECT(R_MakeExternalPtr(NULL, number, R_NilValue));

	R_RegisterCFinalizer(p, truth_finalize);
	UNPROTECT(1);
	return R_NilValue;
}

TRUTH_EXPORT void *truth_thread(void *data)
{
	struct thread_work *work = data;

	truth_leaf[work->number](work->turns);
	TRUTH_KEEP_FRAME();
	return NULL;
}

static struct thread_work thread_work(SEXP number, SEXP ms)
{
	int n = Rf_asInteger(number), m = Rf_asInteger(ms);

	if (n < 0 || n >= TRUTH_LEAVES)
		Rf_error("no such leaf: %d", n);
	return (struct thread_work){ n, m > 0 ? m * turns_per_ms : 0 };
}

TRUTH_EXPORT SEXP truth_threads(SEXP number, SEXP ms)
{
	struct thread_work work = thread_work(number, ms);
	pthread_t thread;

	if (pthread_create(&thread, NULL, truth_thread, &work))
		Rf_error("no thread");
	pthread_join(thread, NULL);
	return number;
}

/* The team's first thread is the caller's own, and only waits. */
TRUTH_EXPORT SEXP truth_omp(SEXP number, SEXP ms)
{
	struct thread_work work = thread_work(number, ms);

#pragma omp parallel for num_threads(2) schedule(static, 1)
	for (int i = 0; i < 2; i++)
		if (i)
			truth_thread(&work);
	return number;
}

TRUTH_EXPORT SEXP truth_flash(SEXP number)
{
	int n = Rf_asInteger(number);

	if (n < 0 || n >= TRUTH_LEAVES)
		Rf_error("no such leaf: %d", n);
	truth_leaf[n](turns_per_ms / 4 + 1);
	TRUTH_KEEP_FRAME();
	return number;
}

TRUTH_CALL(truth_silent, WAY_SILENT)
TRUTH_CALL(truth_cleanup, WAY_CLEANUP)
TRUTH_CALL(truth_parse, WAY_PARSE)
TRUTH_CALL(truth_catch, WAY_CATCH)
TRUTH_CALL(truth_calling, WAY_CALLING)
TRUTH_CALL(truth_finally, WAY_FINALLY)

#endif
