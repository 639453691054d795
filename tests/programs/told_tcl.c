/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* told SCRIPT: a function of a third language, which evaluates the script. */
#include <tcl.h>

#include <jpbpf-interp.h>

int Told_Init(Tcl_Interp *interp);

static const struct jpi_method method =
	JPI_METHOD("in_tcl", "third", "told_tcl.c");

static int told_tcl(void *unused, Tcl_Interp *interp, int objc,
		    Tcl_Obj *const objv[])
{
	jpi_mark mark;
	int code;

	(void)unused;
	if (objc != 2)
		return TCL_ERROR;
	mark = jpi_enter(&method, 0);
	code = Tcl_EvalObjEx(interp, objv[1], 0);
	jpi_leave(mark);
	return code;
}

int Told_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.6", 0))
		return TCL_ERROR;
	return Tcl_CreateObjCommand(interp, "told", told_tcl, NULL, NULL)
		       ? TCL_OK
		       : TCL_ERROR;
}
