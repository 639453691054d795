/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What registers and stack slots hold at one instruction, told from the
 * straight line of code that leads to it: names for values, not numbers.  Two
 * equal names are the same value.
 */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_VALUES_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "walkers/tcl/tcl.h"
#include "arch/x86_64/code.h"

/* A register, or the 8 bytes of stack at reg + off. */
struct tcl_place {
	bool slot;
	u8 reg;
	s32 off;
};

#define TCL_MAX_PLACES 8

struct tcl_places {
	struct tcl_place place[TCL_MAX_PLACES];
	int n;
};

/* Node plus a constant; node 0: nothing is known. */
struct tcl_value {
	int node;
	s64 add;
};

enum tcl_node_kind {
	TCL_INITIAL, /* what place held at the line's beginning */
	TCL_LOADED,  /* the 8 bytes at node base plus off */
};

struct tcl_node {
	u8 kind;
	struct tcl_place place;
	int base;
	s64 off;
};

#define TCL_VALUES_LINE	  48 /* instructions looked at, at most */
#define TCL_VALUES_NODES  192
#define TCL_VALUES_SLOTS  64
#define TCL_VALUES_STORES 32

struct tcl_values {
	const struct code *code;
	struct tcl_node node[TCL_VALUES_NODES];
	int n_nodes;
	struct tcl_value reg[REG_COUNT];
	struct {
		struct tcl_place place;
		struct tcl_value value;
	} slot[TCL_VALUES_SLOTS];
	int n_slots;
	struct {
		struct tcl_value address, value;
		int at; /* instruction */
	} store[TCL_VALUES_STORES];
	int n_stores;
	int first; /* instruction at which the line begins */
};

/* Values just before instruction number at. */
void tcl_values_at(struct tcl_values *v, const struct code *c, int at);
/* The value of an 8-byte operand there. */
struct tcl_value tcl_values_operand(struct tcl_values *v,
				    const struct operand *o);
/* The value's node; NULL when the value is unknown. */
const struct tcl_node *tcl_values_node(const struct tcl_values *v,
				       struct tcl_value value);
/* The stack slot an operand is, if it is one. */
bool tcl_values_slot(const struct code *c, const struct operand *o,
		     struct tcl_place *place);
/* Would a called function leave the place alone? */
bool tcl_values_survives(struct tcl_place p);
/* Every such place that holds the value, registers first. */
void tcl_values_places(const struct tcl_values *v, struct tcl_value value,
		       struct tcl_places *p);
/* The place as the kernel side sees it, rsp being depth bytes below the CFA. */
bool tcl_values_role(struct tcl_place p, int depth, struct tcl_role *role);

static inline bool tcl_value_same(struct tcl_value a, struct tcl_value b)
{
	return a.node && a.node == b.node && a.add == b.add;
}

static inline bool tcl_place_same(struct tcl_place a, struct tcl_place b)
{
	return a.slot == b.slot && a.reg == b.reg && a.off == b.off;
}

#endif
