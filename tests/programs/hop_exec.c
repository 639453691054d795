/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * For hop.tcl: hop::exec FILE ?ARG...? makes the process another program.
 */
#include <unistd.h>

#include <tcl.h>

int Hop_Init(Tcl_Interp *interp);

static int exec_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	char *word[16] = { NULL };

	(void)data;
	if (objc < 2 || objc > 16) {
		Tcl_WrongNumArgs(interp, 1, objv, "file ?arg ...?");
		return TCL_ERROR;
	}
	for (int i = 1; i < objc; i++)
		word[i - 1] = Tcl_GetString(objv[i]);
	execv(word[0], word);
	Tcl_SetResult(interp, (char *)Tcl_PosixError(interp), TCL_VOLATILE);
	return TCL_ERROR;
}

int Hop_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.5-", 0))
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "hop::exec", exec_command, NULL, NULL);
	return TCL_OK;
}
