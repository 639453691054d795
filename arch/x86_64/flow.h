/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which instructions of a function may run after which. */
#ifndef JPBPF_ARCH_X86_64_FLOW_H
#define JPBPF_ARCH_X86_64_FLOW_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct code;

struct edge {
	int from, to; /* indexes of instructions */
};

struct flow {
	/* Sorted by from; and the same sorted by to. */
	struct edge *next, *before;
	size_t n;
	int dispatch; /* the jump through the largest table, or -1 */
	int bound;    /* the compare that bounds its index */
};

/* 0; -ENOENT when an indirect jump is not understood. */
int flow_open(struct flow *f, const struct code *c, const struct module *m);
void flow_release(struct flow *f);
/* Completes what code_depths() says: rsp is at the same depth on both sides of
 * a jump through a table. */
void flow_depths(const struct flow *f, const struct code *c, int *depth);

/* The edges from, or to, an instruction; their number. */
size_t flow_next(const struct flow *f, int from, const struct edge **edge);
size_t flow_before(const struct flow *f, int to, const struct edge **edge);

#endif
