/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The proof, on a live process, that its interpreters are laid out as believed.
 * */
#ifndef JPBPF_WALKERS_TCL_ATTACH_H
#define JPBPF_WALKERS_TCL_ATTACH_H

#include <sys/types.h>

#include <jpbpf/types.h>

struct buf;
struct maps;
struct tcl_layout_row;

struct tcl_attach {
	pid_t pid;
	u64 stubs; /* address of tclStubs there; 0: unknown */
	const struct tcl_layout_row *row;
	u64 budget; /* bytes to look at, at most; 0: the default */
};

/* As struct walker's attach; see tcl_attach.c for what each answer means. */
int tcl_attach(const struct tcl_attach *a, const struct maps *maps,
	       struct buf *why);

#endif
