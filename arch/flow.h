/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The control flow of a function: which instruction may run after which. */
#ifndef JPBPF_ARCH_FLOW_H
#define JPBPF_ARCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct code;
struct module;

/* Indexes of instructions: those of instruction i are to[] from first[i] up to
 * first[i + 1]. */
struct edges {
	int *to;
	size_t *first;
};

struct flow {
	struct edges next, before; /* successors and predecessors */
	bool complete; /* false: the target of an indirect jump is not known */
	int bound; /* index of the compare that bounds the largest table, or -1 */
};

/* Sets *f, which the caller releases, and the depth of each instruction in c. */
void flow_open(struct flow *f, struct code *c, const struct module *m);
void flow_release(struct flow *f);
/* Sets only the depths. */
void flow_depths(struct code *c, const struct module *m);

/* Sets *to to the successors or the predecessors of an instruction.  Returns their
 * number.  The flow owns them. */
static inline size_t flow_edges(const struct edges *e, int at, const int **to)
{
	*to = e->to + e->first[at];
	return e->first[at + 1] - e->first[at];
}

#endif
