/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What places hold at one instruction, computed along the straight line of code that
 * leads to the instruction. A value is a name (a node) plus a constant. Two places with
 * the same node and constant hold the same value.
 */
#ifndef JPBPF_ARCH_VALUES_H
#define JPBPF_ARCH_VALUES_H

#include <stdbool.h>

#include <jpbpf/types.h>

#include "arch/place.h"

#define MAX_PLACES 8

/* The first n of place[] are set. */
struct places {
	s32 place[MAX_PLACES];
	int n;
};

/* A node plus a constant. node 0: nothing is known. */
struct value {
	int node;
	s64 add;
};

enum node_kind {
	NODE_NONE,    /* node 0 */
	NODE_NUMBER,  /* zero: a value of this node is its constant */
	NODE_INITIAL, /* what the place held when the line began */
	NODE_LOADED,  /* the 8 bytes in memory at node base plus off */
	NODE_LOW,     /* the low 4 bytes of node base plus off */
};

struct node {
	u8 kind;
	s32 place;
	int base;
	s64 off;
};

#define VALUES_LINE   48 /* limit of instructions per line */
#define VALUES_NODES  512
#define VALUES_SLOTS  64
#define VALUES_STORES 96

struct values {
	const struct code *code;
	struct node node[VALUES_NODES];
	int n_nodes;
	struct value reg[REG_ALL];
	struct {
		s32 place;
		struct value value;
	} slot[VALUES_SLOTS];
	int n_slots;
	/* Stores to memory outside the slots, 8 or 4 bytes each. */
	struct {
		struct value address, value;
		int at; /* index of the instruction */
	} store[VALUES_STORES];
	int n_stores;
	int first; /* index of the instruction that the line begins with */
};

/* Sets *v to the values just before the instruction at index at. The line begins where
 * other code may jump to, or after a call, or after a change of the stack's depth. c
 * must outlive v. */
void values_at(struct values *v, const struct code *c, int at);

/* The values on the way from a function's first instruction to its return. Conditional
 * jumps are not taken. values_begin() sets the values before the first instruction,
 * values_step() changes them as the instruction at index at does, and values_next()
 * gives the index of the next instruction, or -1 at the end. */
void values_begin(struct values *v, const struct code *c);
void values_step(struct values *v, int at);
int values_next(const struct code *c, int at);

/* The value of an 8-byte operand of the instruction at index at. node 0 for other
 * operands. */
struct value values_operand(struct values *v, int at, const struct operand *o);
/* Sets *p to the places that hold the value and survive a call, registers first. At most
 * MAX_PLACES. */
void values_places(const struct values *v, struct value value,
		   struct places *p);

/* The vaddr that a value is: a number, or loaded from a pointer that the file has or that
 * is relocated (module_pointer()). 0: not known. */
u64 values_address(const struct values *v, const struct module *m,
		   struct value value);

static inline const struct node *values_node(const struct values *v,
					     struct value value)
{
	return &v->node[value.node];
}

/* The address that a node was loaded from, NODE_LOADED; or the whole of NODE_LOW. */
static inline struct value values_base(const struct node *n)
{
	return (struct value){ n->base, n->off };
}

static inline bool value_same(struct value a, struct value b)
{
	return a.node && a.node == b.node && a.add == b.add;
}

#endif
