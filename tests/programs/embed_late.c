/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The part of embed_tcl.c that is linked behind Tcl. */
#include "embed_tcl.h"

#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

static int ticks;

static int late_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	int number;

	(void)data;
	if (objc != 2 || Tcl_GetIntFromObj(interp, objv[1], &number) != TCL_OK)
		return TCL_ERROR;
	service_burn(number);
	KEEP_FRAME();
	return TCL_OK;
}

static int again_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	int code;

	(void)data;
	code = objc == 2 ? service_deep(interp, objv[1]) : TCL_ERROR;
	KEEP_FRAME();
	return code;
}

void service_late_commands(Tcl_Interp *interp)
{
	Tcl_CreateObjCommand(interp, "service::late", late_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "service::again", again_command, NULL,
			     NULL);
	KEEP_FRAME();
}

/* From the service, which Tcl has called, into Tcl again. */
int service_deeper(Tcl_Interp *interp, Tcl_Obj *script)
{
	int objc, code = TCL_ERROR;
	Tcl_Obj **objv;

	if (Tcl_ListObjGetElements(interp, script, &objc, &objv) == TCL_OK)
		code = Tcl_EvalObjv(interp, objc, objv, 0);
	KEEP_FRAME();
	return code;
}

int service_dispatch(Tcl_Interp *interp, int number)
{
	static const char *const script[] = {
		NULL, "outer 1", "outer 2", "late 3", "again 4", "writes",
	};
	Tcl_Obj *words = Tcl_NewStringObj(script[number], -1);
	int code;

	Tcl_IncrRefCount(words);
	switch (number) {
	case 1:
		code = Tcl_EvalEx(interp, script[number], -1, 0);
		break;
	case 2:
		code = service_deeper(interp, words);
		break;
	case 3:
		code = Tcl_GlobalEval(interp, script[number]);
		break;
	default:
		code = Tcl_EvalObjEx(interp, words, 0);
	}
	Tcl_DecrRefCount(words);
	KEEP_FRAME();
	return code;
}

void service_tick(ClientData data)
{
	if (Tcl_EvalEx(data, "outer 7", -1, 0) != TCL_OK)
		ticks = 1;
	if (--ticks > 0)
		Tcl_CreateTimerHandler(0, service_tick, data);
	KEEP_FRAME();
}

void service_later(Tcl_Interp *interp)
{
	ticks = ROUNDS;
	Tcl_CreateTimerHandler(0, service_tick, interp);
	KEEP_FRAME();
}

void service_events(void)
{
	while (ticks > 0)
		Tcl_DoOneEvent(0);
	KEEP_FRAME();
}

void service_loop(Tcl_Interp *interp)
{
	for (int number = 1; number <= 6; number++)
		service_request(interp, number);
	service_later(interp);
	ticks = 2;
	service_events();
	KEEP_FRAME();
}

void service_main(int argc, char **argv)
{
	Tcl_Main(argc, argv, service_app_init);
	KEEP_FRAME();
}
