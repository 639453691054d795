/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Symbolic values of places at one instruction, computed along the straight line of
 * code that leads to it.  Values have names, not numbers; two equal names are one
 * value.
 */
#ifndef JPBPF_ARCH_VALUES_H
#define JPBPF_ARCH_VALUES_H

#include <stdbool.h>

#include <jpbpf/types.h>

#include "arch/place.h"

#define MAX_PLACES 8

struct places {
	s32 place[MAX_PLACES];
	int n;
};

/* Node plus a constant; node 0: nothing is known. */
struct value {
	int node;
	s64 add;
};

enum node_kind {
	NODE_NONE, /* node 0 */
	NODE_NUMBER, /* 0, so that a value with this node is a number or an address */
	NODE_INITIAL, /* what place held at the line's beginning */
	NODE_LOADED,  /* the 8 bytes at node base plus off */
	NODE_LOW, /* the low 4 bytes of node base plus off, or loaded from there */
};

struct node {
	u8 kind;
	s32 place;
	int base;
	s64 off;
};

#define VALUES_LINE   48 /* instructions looked at, at most */
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
	/* To what is no slot, 8 or 4 bytes each. */
	struct {
		struct value address, value;
		int at; /* instruction */
	} store[VALUES_STORES];
	int n_stores;
	int first; /* instruction at which the line begins */
};

/* Values just before an instruction: the line begins where other code may jump to, or
 * behind a call or a change of the stack's depth, so each place has one history
 * there. */
void values_at(struct values *v, const struct code *c, int at);

/* Values on the way from a function's first instruction to its return, with conditional
 * jumps not taken.  next(): the instruction after the one at index at, or -1. */
void values_begin(struct values *v, const struct code *c);
void values_step(struct values *v, int at);
int values_next(const struct code *c, int at);

/* The value of an 8-byte operand of the instruction at index at, and the address of one
 * in memory. */
struct value values_operand(struct values *v, int at, const struct operand *o);
struct value values_address(const struct values *v, const struct operand *o);
/* Every place that holds the value and survives a call, registers first. */
void values_places(const struct values *v, struct value value,
		   struct places *p);

static inline const struct node *values_node(const struct values *v,
					     struct value value)
{
	return &v->node[value.node];
}

static inline bool value_same(struct value a, struct value b)
{
	return a.node && a.node == b.node && a.add == b.add;
}

#endif
