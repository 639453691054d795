/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The control flow of a function: which instruction may run after which. */
#ifndef JPBPF_ARCH_FLOW_H
#define JPBPF_ARCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct code;
struct module;

struct flow {
	/* Indexes of instructions. The successors of instruction i are next[] from
	 * first_next[i] up to first_next[i + 1]; its predecessors are before[] from
	 * first_before[i] up to first_before[i + 1]. */
	int *next, *before;
	size_t *first_next, *first_before;
	bool complete; /* false: the target of an indirect jump is not known */
	int bound; /* index of the compare that bounds the largest table, or -1 */
};

/* Sets *f, which the caller releases, and the depth of each instruction in c. */
void flow_open(struct flow *f, struct code *c, const struct module *m);
void flow_release(struct flow *f);
/* Sets only the depths. */
void flow_depths(struct code *c, const struct module *m);

/* Sets *next to the successors of an instruction, or *before to its predecessors.
 * Returns their number. f owns them. */
static inline size_t flow_next(const struct flow *f, int at, const int **next)
{
	*next = f->next + f->first_next[at];
	return f->first_next[at + 1] - f->first_next[at];
}

static inline size_t flow_before(const struct flow *f, int at,
				 const int **before)
{
	*before = f->before + f->first_before[at];
	return f->first_before[at + 1] - f->first_before[at];
}

#endif
