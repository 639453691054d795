/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which Tcl a file contains. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_VERSION_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_VERSION_H

#include <jpbpf/types.h>

struct module;

struct tcl_version {
	u32 number;    /* as in struct tcl_file */
	char text[16]; /* patch level: "8.6.13" */
};

/* major 0: any.  0; -ENOENT: no patch level; -EEXIST: several, and nothing
 * tells which is Tcl's. */
int tcl_version_find(const struct module *m, u32 major, struct tcl_version *v);
/* "8.6.13" to 0x080613; 0: not a version.  Alpha and beta count as patch 0. */
u32 tcl_version_number(const char *text);

#endif
