/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Leaves for a program whose names change faster than a profiler samples, and
 * jumps out of the middle of an evaluation.
 *
 *   churn::leaf N          some tens of microseconds of CPU in truth_leaf_NN
 *   churn::hop N           burns in N after a longjmp over ten C functions
 *   churn::protect SCRIPT  Tcl_EvalObjEx, from which churn::leap comes back
 *   churn::leap            longjmp to the innermost churn::protect
 *
 * churn::leap leaves native frames of the evaluator, procs and bytecode behind, as
 * an extension does whose errors are longjmps.  churn::protect puts the
 * interpreter's chains back to where they were (and leaks what was on them), so the
 * program is sane again, and must be profiled as such.
 */
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

/* What Tcl's configure finds here; else its private headers bring their own. */
#define HAVE_UNISTD_H	1
#define HAVE_SYS_TIME_H 1
#define HAVE_INTTYPES_H 1

#include <tcl.h>
#include <tclInt.h>

#include "truth_leaf.h"

#define HOPS 10

/* Where the interpreter's chains were. */
struct mark {
	jmp_buf back;
	struct mark *outer;
	CallFrame *frame, *variables, *root;
	CmdFrame *command;
	NRE_callback *callback;
	ExecStack *stack;
	Tcl_Obj **top, **marker;
	int levels;
};

int churn_hop(jmp_buf *back, int depth);
int churn_protected(Tcl_Interp *interp, Tcl_Obj *script, struct mark *mark);
int Churn_Init(Tcl_Interp *interp);

static unsigned long turns;
static __thread struct mark *innermost;

/* The compiler need not know that it does not return. */
static void (*volatile jump)(jmp_buf, int) = longjmp;

static int leaf_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	int number;

	(void)data;
	if (objc != 2 ||
	    Tcl_GetIntFromObj(interp, objv[1], &number) != TCL_OK ||
	    number < 0 || number >= TRUTH_LEAVES)
		return TCL_ERROR;
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

TRUTH_EXPORT int churn_hop(jmp_buf *back, int depth)
{
	char room[100];
	int got;

	__asm__ volatile("" : : "r"(room) : "memory");
	if (!depth)
		jump(*back, 1);
	got = depth ? churn_hop(back, depth - 1) : 0;
	__asm__ volatile("" : : "r"(room) : "memory");
	return got;
}

static int hop_command(ClientData data, Tcl_Interp *interp, int objc,
		       Tcl_Obj *const objv[])
{
	jmp_buf back;
	int number;

	(void)data;
	if (objc != 2 || Tcl_GetIntFromObj(interp, objv[1], &number) != TCL_OK)
		return TCL_ERROR;
	if (!setjmp(back))
		return churn_hop(&back, HOPS);
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

static void mark_set(struct mark *m, Interp *interp)
{
	m->outer = innermost;
	m->frame = interp->framePtr;
	m->variables = interp->varFramePtr;
	m->root = interp->rootFramePtr;
	m->command = interp->cmdFramePtr;
	m->callback = interp->execEnvPtr->callbackPtr;
	m->stack = interp->execEnvPtr->execStackPtr;
	m->top = m->stack->tosPtr;
	m->marker = m->stack->markerPtr;
	m->levels = interp->numLevels;
	innermost = m;
}

static void mark_restore(struct mark *m, Interp *interp)
{
	interp->framePtr = m->frame;
	interp->varFramePtr = m->variables;
	interp->rootFramePtr = m->root;
	interp->cmdFramePtr = m->command;
	interp->execEnvPtr->callbackPtr = m->callback;
	interp->execEnvPtr->execStackPtr = m->stack;
	m->stack->tosPtr = m->top;
	m->stack->markerPtr = m->marker;
	interp->numLevels = m->levels;
}

/* Between the command and the evaluator, as real extension code has. */
TRUTH_EXPORT int churn_protected(Tcl_Interp *interp, Tcl_Obj *script,
				 struct mark *mark)
{
	int code;

	if (setjmp(mark->back)) {
		mark_restore(mark, (Interp *)interp);
		Tcl_ResetResult(interp);
		return TCL_OK;
	}
	code = Tcl_EvalObjEx(interp, script, 0);
	TRUTH_KEEP_FRAME();
	return code;
}

static int protect_command(ClientData data, Tcl_Interp *interp, int objc,
			   Tcl_Obj *const objv[])
{
	struct mark mark;
	int code;

	(void)data;
	if (objc != 2)
		return TCL_ERROR;
	mark_set(&mark, (Interp *)interp);
	code = churn_protected(interp, objv[1], &mark);
	innermost = mark.outer;
	return code;
}

static int leap_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	(void)data;
	(void)interp;
	(void)objc;
	(void)objv;
	if (innermost)
		longjmp(innermost->back, 1);
	return TCL_ERROR;
}

TRUTH_EXPORT int Churn_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.6-", 0))
		return TCL_ERROR;
	if (!turns)
		turns = truth_measure() / 25 + 1;
	Tcl_CreateObjCommand(interp, "churn::leaf", leaf_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "churn::hop", hop_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "churn::protect", protect_command, NULL,
			     NULL);
	Tcl_CreateObjCommand(interp, "churn::leap", leap_command, NULL, NULL);
	return TCL_OK;
}
