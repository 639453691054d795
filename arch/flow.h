/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which instructions of a function may run after which. */
#ifndef JPBPF_ARCH_FLOW_H
#define JPBPF_ARCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct code;
struct module;

struct flow {
	/* Indexes of instructions: those that follow one, and those that it follows.
	 * They begin at first_next[i], or first_before[i], and end where those of the
	 * instruction after it begin. */
	int *next, *before;
	size_t *first_next, *first_before;
	bool complete; /* else there is an indirect jump that is not understood */
	int dispatch; /* the jump through the largest table, or -1 */
	int bound;    /* the compare that bounds its index */
};

/* Also sets the depth of each instruction. */
void flow_open(struct flow *f, struct code *c, const struct module *m);
void flow_release(struct flow *f);
/* The depths alone. */
void flow_depths(struct code *c, const struct module *m);

/* The instructions after one, or before it; their number. */
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
