/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * C functions that Tcl calls back, and the commands that have it do so:
 *
 *   truth::nrburn N MS         pushed on the chain of callbacks
 *   truth::watch VAR N MS      when the variable is written
 *   truth::observe N MS SCRIPT when a command `mark` is called in the script
 *   truth::async N MS          as soon as the interpreter looks
 *   truth::later SCRIPT        from the event loop
 *   truth::doomed CMD N MS     makes CMD, which burns when it is deleted
 *
 * The functions are exported and have stack frames of their own, as truth_inner
 * has.  Part of truth_tcl.c, which includes it below burn().
 */
#ifndef JPBPF_TESTS_TRUTH_BACK_H
#define JPBPF_TESTS_TRUTH_BACK_H

#include <string.h>

#include <tcl.h>

#include "truth_leaf.h"

/* What a callback has to burn. */
struct work {
	int number;
	int ms;
};

int truth_after_proc(ClientData data[], Tcl_Interp *interp, int result);
char *truth_trace_proc(ClientData data, Tcl_Interp *interp, const char *name,
		       const char *key, int flags);
int truth_observe_proc(ClientData data, Tcl_Interp *interp, int level,
		       const char *text, Tcl_Command command, int objc,
		       Tcl_Obj *const objv[]);
int truth_async_proc(ClientData data, Tcl_Interp *interp, int code);
void truth_timer_proc(ClientData data);
void truth_delete_proc(ClientData data);

static TRUTH_INLINE int get_work(Tcl_Interp *interp, Tcl_Obj *const objv[],
				 struct work *work)
{
	if (Tcl_GetIntFromObj(interp, objv[0], &work->number) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[1], &work->ms) != TCL_OK)
		return TCL_ERROR;
	return TCL_OK;
}

static TRUTH_INLINE void burn_work(const struct work *work)
{
	if (work->ms > 0)
		burn(NULL, work->number, work->ms);
}

TRUTH_EXPORT int truth_after_proc(ClientData data[], Tcl_Interp *interp,
				  int result)
{
	struct work work = { (int)(size_t)data[0], (int)(size_t)data[1] };

	(void)interp;
	burn_work(&work);
	TRUTH_KEEP_FRAME();
	return result;
}

static int nrburn_command(ClientData data, Tcl_Interp *interp, int objc,
			  Tcl_Obj *const objv[])
{
	struct work work;

	(void)data;
	if (objc != 3 || get_work(interp, objv + 1, &work) != TCL_OK)
		return TCL_ERROR;
	Tcl_NRAddCallback(interp, truth_after_proc,
			  (ClientData)(size_t)work.number,
			  (ClientData)(size_t)work.ms, NULL, NULL);
	return TCL_OK;
}

static int nr_command(ClientData data, Tcl_Interp *interp, int objc,
		      Tcl_Obj *const objv[])
{
	(void)data;
	return objc == 2 ? Tcl_NREvalObj(interp, objv[1], 0) : TCL_ERROR;
}

/* What such a command is when something calls it past the evaluator. */
static int not_recursive(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	return Tcl_NRCallObjProc(interp, (Tcl_ObjCmdProc *)data, NULL, objc,
				 objv);
}

TRUTH_EXPORT char *truth_trace_proc(ClientData data, Tcl_Interp *interp,
				    const char *name, const char *key,
				    int flags)
{
	(void)interp;
	(void)name;
	(void)key;
	(void)flags;
	burn_work(data);
	TRUTH_KEEP_FRAME();
	return NULL;
}

/* The trace is there for one write. */
static int watch_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	static struct work work;
	const char *name;

	(void)data;
	if (objc != 4 || get_work(interp, objv + 2, &work) != TCL_OK)
		return TCL_ERROR;
	name = Tcl_GetString(objv[1]);
	Tcl_UntraceVar2(interp, name, NULL, TCL_TRACE_WRITES | TCL_GLOBAL_ONLY,
			truth_trace_proc, &work);
	return Tcl_TraceVar2(interp, name, NULL,
			     TCL_TRACE_WRITES | TCL_GLOBAL_ONLY,
			     truth_trace_proc, &work);
}

TRUTH_EXPORT int truth_observe_proc(ClientData data, Tcl_Interp *interp,
				    int level, const char *text,
				    Tcl_Command command, int objc,
				    Tcl_Obj *const objv[])
{
	(void)interp;
	(void)level;
	(void)text;
	(void)command;
	if (objc && !strcmp(Tcl_GetString(objv[0]), "mark"))
		burn_work(data);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

static int observe_command(ClientData data, Tcl_Interp *interp, int objc,
			   Tcl_Obj *const objv[])
{
	struct work work;
	Tcl_Trace trace;
	int code;

	(void)data;
	if (objc != 4 || get_work(interp, objv + 1, &work) != TCL_OK)
		return TCL_ERROR;
	trace = Tcl_CreateObjTrace(interp, 0, 0, truth_observe_proc, &work,
				   NULL);
	code = Tcl_EvalObjEx(interp, objv[3], 0);
	Tcl_DeleteTrace(interp, trace);
	return code;
}

TRUTH_EXPORT int truth_async_proc(ClientData data, Tcl_Interp *interp, int code)
{
	(void)interp;
	burn_work(data);
	TRUTH_KEEP_FRAME();
	return code;
}

static int async_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	static struct work work;
	static Tcl_AsyncHandler handler;

	(void)data;
	if (objc != 3 || get_work(interp, objv + 1, &work) != TCL_OK)
		return TCL_ERROR;
	if (!handler)
		handler = Tcl_AsyncCreate(truth_async_proc, &work);
	Tcl_AsyncMark(handler);
	return TCL_OK;
}

struct later {
	Tcl_Interp *interp;
	Tcl_Obj *script;
};

TRUTH_EXPORT void truth_timer_proc(ClientData data)
{
	struct later *later = data;

	Tcl_EvalObjEx(later->interp, later->script, TCL_EVAL_GLOBAL);
	Tcl_DecrRefCount(later->script);
	TRUTH_KEEP_FRAME();
}

static int later_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	static struct later later;

	(void)data;
	if (objc != 2)
		return TCL_ERROR;
	later = (struct later){ interp, objv[1] };
	Tcl_IncrRefCount(objv[1]);
	Tcl_CreateTimerHandler(0, truth_timer_proc, &later);
	return TCL_OK;
}

TRUTH_EXPORT void truth_delete_proc(ClientData data)
{
	burn_work(data);
	TRUTH_KEEP_FRAME();
}

static int does_nothing(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	(void)data;
	(void)interp;
	(void)objc;
	(void)objv;
	return TCL_OK;
}

static int doomed_command(ClientData data, Tcl_Interp *interp, int objc,
			  Tcl_Obj *const objv[])
{
	static struct work work;

	(void)data;
	if (objc != 4 || get_work(interp, objv + 2, &work) != TCL_OK)
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, Tcl_GetString(objv[1]), does_nothing,
			     &work, truth_delete_proc);
	return TCL_OK;
}

#endif
