/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The functions of embed_tcl.c and embed_late.c, each with a frame of its own. */
#ifndef JPBPF_TESTS_EMBED_TCL_H
#define JPBPF_TESTS_EMBED_TCL_H

#include "tcl.h" /* not in <>: these are no extensions */

#define ROUNDS	20
#define SERVICE __attribute__((noipa))

SERVICE void service_wait(const char *name);
SERVICE void service_burn(int number);
SERVICE int service_deep(Tcl_Interp *interp, Tcl_Obj *script);
SERVICE int service_init(Tcl_Interp *interp);
SERVICE int service_app_init(Tcl_Interp *interp);
SERVICE void service_request(Tcl_Interp *interp, int number);
SERVICE void service_plain(void);

SERVICE void service_late_commands(Tcl_Interp *interp);
SERVICE int service_deeper(Tcl_Interp *interp, Tcl_Obj *script);
SERVICE int service_dispatch(Tcl_Interp *interp, int number);
SERVICE void service_tick(ClientData data);
SERVICE void service_later(Tcl_Interp *interp);
SERVICE void service_events(void);
SERVICE void service_loop(Tcl_Interp *interp);
SERVICE void service_main(int argc, char **argv);

#endif
