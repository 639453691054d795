/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* touch PAGES: so many page faults; returns how many the kernel says. */
#include <tcl.h>

#include "touch.h"

int Touch_Init(Tcl_Interp *interp);

static int touch(ClientData data, Tcl_Interp *interp, int objc,
		 Tcl_Obj *const objv[])
{
	long pages;

	(void)data;
	if (objc != 2 || Tcl_GetLongFromObj(interp, objv[1], &pages) != TCL_OK)
		return TCL_ERROR;
	Tcl_SetObjResult(interp, Tcl_NewLongObj(touch_pages(pages)));
	return TCL_OK;
}

int Touch_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.5", 0))
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "touch", touch, NULL, NULL);
	return TCL_OK;
}
