/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libtcl in the test's own process.  The command here takes the registers and
 * hands them to the test; the command call goes from Tcl to C and back.
 */
#ifndef JPBPF_TESTS_WALKERS_EMBED_TCL_H
#define JPBPF_TESTS_WALKERS_EMBED_TCL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <tcl.h>

#include "script.h"
#include "self.h"
#include "walkers/tcl/tcl.h"
#include "walkers/walker.h"

#define NOINLINE __attribute__((noipa))

extern const struct walker tcl_walker;

typedef void (*look_fn)(const struct perf_regs *regs, const char *want);

static look_fn look;	 /* what here does with the place it is called at */
static const char *want; /* what it is to find there; here WANT changes it */
static Tcl_Interp *interp;
static unsigned looks;

static int here(ClientData data, Tcl_Interp *i, int n, Tcl_Obj *const *word);
static int call(ClientData data, Tcl_Interp *i, int n, Tcl_Obj *const *word);

static int steps(ClientData data, Tcl_Interp *i, int n, Tcl_Obj *const *word);

static const struct script_native natives[] = {
	{ here, "[here]" },
	{ call, "[call]" },
	{ steps, "[steps]" },
	{ NULL, NULL },
};

static NOINLINE int here(ClientData data, Tcl_Interp *i, int n,
			 Tcl_Obj *const *word)
{
	struct perf_regs regs;

	(void)data;
	if (n == 2)
		want = Tcl_GetString(word[1]);
	host_here(&regs);
	looks++;
	look(&regs, want);
	Tcl_ResetResult(i);
	return TCL_OK;
}

/* From Tcl to C and back: call SCRIPT. */
static NOINLINE int call(ClientData data, Tcl_Interp *i, int n,
			 Tcl_Obj *const *word)
{
	int code = n == 2 ? Tcl_EvalObjEx(i, word[1], 0) : TCL_ERROR;

	/* Still needed afterwards: the call cannot become a jump. */
	__asm__ volatile("" : : "r"(data) : "memory");
	return code;
}

/* steps SCRIPT: a command that has the evaluator run its second half, with its own
 * words, as those of itcl do. */
static NOINLINE int steps(ClientData data, Tcl_Interp *i, int n,
			  Tcl_Obj *const *word)
{
	int code = Tcl_NRCallObjProc(i, call, data, n, word);

	__asm__ volatile("" : : "r"(data) : "memory");
	return code;
}

static void run(const char *script)
{
	if (Tcl_Eval(interp, script) != TCL_OK)
		fail_msg("Tcl: %s in: %s", Tcl_GetStringResult(interp), script);
}

/* A new interpreter for every test: a failure leaves the old one by a jump that
 * Tcl does not know of. */
static int new_interp(void **state)
{
	(void)state;
	interp = Tcl_CreateInterp();
	Tcl_CreateObjCommand(interp, "here", here, NULL, NULL);
	Tcl_CreateObjCommand(interp, "call", call, NULL, NULL);
	Tcl_CreateObjCommand(interp, "steps", steps, NULL, NULL);
	/* As init.tcl has it, but without the files. */
	return Tcl_Eval(interp, "proc unknown args {error \"unknown: $args\"}");
}

static int start(void **state)
{
	(void)state;
	Tcl_FindExecutable("test_tcl");
	interp = Tcl_CreateInterp();
	self_open(&tcl_walker, WALKER_TCL);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	self_close();
	return 0;
}

#endif
