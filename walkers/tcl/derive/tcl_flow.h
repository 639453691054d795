/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which instructions of a function may run after which. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_FLOW_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_FLOW_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct tcl_code;

struct tcl_edge {
	int from, to; /* indexes of instructions */
};

struct tcl_flow {
	/* Sorted by from; and the same sorted by to. */
	struct tcl_edge *next, *before;
	size_t n;
	int dispatch; /* the jump through the largest table, or -1 */
	int bound;    /* the compare that bounds its index */
};

/* 0; -ENOENT when an indirect jump is not understood. */
int tcl_flow_open(struct tcl_flow *f, const struct tcl_code *c,
		  const struct module *m);
void tcl_flow_release(struct tcl_flow *f);
/* Completes what tcl_code_depths() says: rsp is at the same depth on both sides of
 * a jump through a table. */
void tcl_flow_depths(const struct tcl_flow *f, const struct tcl_code *c,
		     int *depth);

/* The edges from, or to, an instruction; their number. */
size_t tcl_flow_next(const struct tcl_flow *f, int from,
		     const struct tcl_edge **edge);
size_t tcl_flow_before(const struct tcl_flow *f, int to,
		       const struct tcl_edge **edge);

#endif
