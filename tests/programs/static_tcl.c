/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A tclsh with Tcl linked in: static_tcl SCRIPT.  Tcl is in the program, stripped,
 * without symbols, and without relocations that would tell where its data are. */
#include "tcl.h"

int main(int argc, char **argv)
{
	Tcl_Main(argc, argv, Tcl_Init);
	return 1;
}
