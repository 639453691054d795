/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C half of demo_tcl.tcl: a queue of events, ordered by simulated time.
 *
 *   sim::at DELAY CMD ?ARG...?  evaluate the command DELAY from now
 *   sim::run                    take events in order until there are none
 *   sim::now                    the simulated time
 *   sim::exponential MEAN       a random duration
 *   sim::clear                  forget all events, set the time to zero
 */
#include <math.h>
#include <stdlib.h>

#include <tcl.h>

#define MAX_EVENTS 100000

struct event {
	double time;
	Tcl_Obj *script;
};

static struct event queue[MAX_EVENTS + 1]; /* a heap; [1] comes first */
static int events;
static double now;

int Demo_Init(Tcl_Interp *interp);

static __attribute__((noinline)) void queue_push(double time, Tcl_Obj *script)
{
	int i = ++events;

	for (; i > 1 && queue[i / 2].time > time; i /= 2)
		queue[i] = queue[i / 2];
	queue[i] = (struct event){ time, script };
}

static __attribute__((noinline)) struct event queue_pop(void)
{
	struct event first = queue[1], last = queue[events--];
	int i = 1;

	for (int child = 2; child <= events; child = 2 * i) {
		if (child < events && queue[child + 1].time < queue[child].time)
			child++;
		if (last.time <= queue[child].time)
			break;
		queue[i] = queue[child];
		i = child;
	}
	queue[i] = last;
	return first;
}

static int at_command(ClientData data, Tcl_Interp *interp, int objc,
		      Tcl_Obj *const objv[])
{
	Tcl_Obj *script;
	double delay;

	(void)data;
	if (objc < 3 || events == MAX_EVENTS) {
		Tcl_WrongNumArgs(interp, 1, objv, "delay command ?arg ...?");
		return TCL_ERROR;
	}
	if (Tcl_GetDoubleFromObj(interp, objv[1], &delay) != TCL_OK)
		return TCL_ERROR;
	script = Tcl_NewListObj(objc - 2, objv + 2);
	Tcl_IncrRefCount(script);
	queue_push(now + delay, script);
	return TCL_OK;
}

static __attribute__((noinline)) int event_fire(Tcl_Interp *interp)
{
	struct event event = queue_pop();
	int code;

	now = event.time;
	code = Tcl_EvalObjEx(interp, event.script, TCL_EVAL_GLOBAL);
	Tcl_DecrRefCount(event.script);
	return code;
}

static int run_command(ClientData data, Tcl_Interp *interp, int objc,
		       Tcl_Obj *const objv[])
{
	(void)data, (void)objc, (void)objv;
	while (events) {
		if (event_fire(interp) != TCL_OK)
			return TCL_ERROR;
	}
	return TCL_OK;
}

static int now_command(ClientData data, Tcl_Interp *interp, int objc,
		       Tcl_Obj *const objv[])
{
	(void)data, (void)objc, (void)objv;
	Tcl_SetObjResult(interp, Tcl_NewDoubleObj(now));
	return TCL_OK;
}

static int exponential_command(ClientData data, Tcl_Interp *interp, int objc,
			       Tcl_Obj *const objv[])
{
	double mean;

	(void)data;
	if (objc != 2 || Tcl_GetDoubleFromObj(interp, objv[1], &mean) != TCL_OK)
		return TCL_ERROR;
	Tcl_SetObjResult(interp, Tcl_NewDoubleObj(-mean * log1p(-drand48())));
	return TCL_OK;
}

static int clear_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	(void)data, (void)interp, (void)objc, (void)objv;
	while (events)
		Tcl_DecrRefCount(queue_pop().script);
	now = 0;
	return TCL_OK;
}

int Demo_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.6-", 0))
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "sim::at", at_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "sim::run", run_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "sim::now", now_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "sim::exponential", exponential_command,
			     NULL, NULL);
	Tcl_CreateObjCommand(interp, "sim::clear", clear_command, NULL, NULL);
	return TCL_OK;
}
