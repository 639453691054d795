/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The merged call tree: stacks with a common beginning share the nodes of it.
 *
 * Stacks are lists of name ids, outermost first; who adds them says what the ids are.
 * Each stack has a number on one of two sides: of one profile, or of two that are
 * compared.  Nodes are in pre-order: the children of node i are i + 1, then the end of
 * that one, and so on until the end of i.  Node 0 is the root and has no name.
 */
#ifndef JPBPF_USER_VIEW_TREE_H
#define JPBPF_USER_VIEW_TREE_H

#include <stddef.h>

#include <jpbpf/types.h>

#define TREE_SIDES 2

struct tree_node {
	u32 parent, name;
	u32 end;   /* the first node behind this one's descendants */
	u32 depth; /* the root's is 0 */
	/* What ended here, and what was here or beneath. */
	u64 in[TREE_SIDES], under[TREE_SIDES];
};

struct tree_stack {
	size_t at; /* in names */
	u32 depth, side;
	u32 id;	  /* for who added it */
	u32 node; /* where it ends, after tree_build() */
	u64 number;
};

/* { 0 } is a tree without stacks. */
struct tree {
	struct tree_stack *stack; /* sorted by tree_build() */
	size_t stacks, stack_capacity;
	u32 *names;
	size_t used, names_capacity;
	struct tree_node *node; /* after tree_build() or tree_list() */
	size_t n, capacity;
};

/* Add a stack without names; add a name to the last stack. */
void tree_stack(struct tree *t, u32 side, u64 number, u32 id);
void tree_name(struct tree *t, u32 name);
/* Once, after all stacks are there: make the nodes. */
void tree_build(struct tree *t);
/* The same in place of a tree: node i + 1 is name i, a child of the root.  A stack counts
 * once under a name that it has several times. */
void tree_list(struct tree *t);
void tree_release(struct tree *t);

#endif
