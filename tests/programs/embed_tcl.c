/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A service that has Tcl in it:
 *
 *   embed_tcl FILE plain         waits until FILE is there, makes interpreters of its
 *                                own, serves for a while, and ends
 *   embed_tcl FILE main SCRIPT   the same under Tcl_Main
 *
 * All functions of the service are to be seen: those that stand outside Tcl, those
 * that Tcl calls back, and those that go into Tcl again.  They stand in two files, this
 * one and embed_late.c, and every stack has functions of both: where Tcl is linked in
 * statically, it lies between them.
 */
#include <stdlib.h>
#include <unistd.h>

#include "embed_tcl.h"
#include "truth_leaf.h"

#define MS 2

static unsigned long turns;
static int init_leaf = 10;

void service_wait(const char *name)
{
	while (access(name, F_OK))
		usleep(5000);
	TRUTH_KEEP_FRAME();
}

void service_burn(int number)
{
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
}

static int burn_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	int number;

	(void)data;
	if (objc != 2 || Tcl_GetIntFromObj(interp, objv[1], &number) != TCL_OK)
		return TCL_ERROR;
	service_burn(number);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

/* When a variable is written. */
static char *watch(ClientData data, Tcl_Interp *interp, const char *name,
		   const char *key, int flags)
{
	(void)data;
	(void)interp;
	(void)name;
	(void)key;
	(void)flags;
	service_burn(5);
	TRUTH_KEEP_FRAME();
	return NULL;
}

int service_deep(Tcl_Interp *interp, Tcl_Obj *script)
{
	int code = service_deeper(interp, script);

	TRUTH_KEEP_FRAME();
	return code;
}

int service_init(Tcl_Interp *interp)
{
	static const char procs[] =
		"proc work n {service::burn $n}\n"
		"proc outer n {work $n}\n"
		"proc late n {service::late $n}\n"
		"proc again n {service::again [list outer $n]}\n"
		"proc writes {} {set ::watched 1}\n";

	if (Tcl_Init(interp) != TCL_OK)
		return TCL_ERROR;
	Tcl_CreateNamespace(interp, "service", NULL, NULL);
	Tcl_CreateObjCommand(interp, "service::burn", burn_command, NULL, NULL);
	service_late_commands(interp);
	Tcl_TraceVar2(interp, "watched", NULL,
		      TCL_TRACE_WRITES | TCL_GLOBAL_ONLY, watch, NULL);
	if (Tcl_EvalEx(interp, procs, -1, 0) != TCL_OK)
		return TCL_ERROR;
	service_burn(init_leaf);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

/* What Tcl_Main calls. */
int service_app_init(Tcl_Interp *interp)
{
	int code;

	init_leaf = 12;
	for (int i = 0; i < ROUNDS; i++) {
		Tcl_Interp *another = Tcl_CreateInterp();

		if (service_init(another) != TCL_OK ||
		    Tcl_EvalEx(another, "outer 11", -1, 0) != TCL_OK)
			return TCL_ERROR;
		Tcl_DeleteInterp(another);
	}
	Tcl_SetMainLoop(service_events);
	service_later(interp);
	code = service_init(interp);
	TRUTH_KEEP_FRAME();
	return code;
}

void service_request(Tcl_Interp *interp, int number)
{
	if (number == 6)
		service_burn(number);
	else if (service_dispatch(interp, number) != TCL_OK)
		_exit(1);
	TRUTH_KEEP_FRAME();
}

void service_plain(void)
{
	Tcl_FindExecutable("embed_tcl");
	for (int i = 0; i < ROUNDS; i++) {
		Tcl_Interp *interp = Tcl_CreateInterp();

		if (service_init(interp) != TCL_OK)
			_exit(1);
		service_loop(interp);
		Tcl_DeleteInterp(interp);
	}
	TRUTH_KEEP_FRAME();
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	turns = truth_measure() * MS;
	service_wait(argv[1]);
	if (argv[2][0] == 'p')
		service_plain();
	else
		service_main(argc - 2, argv + 2);
	return 0;
}
