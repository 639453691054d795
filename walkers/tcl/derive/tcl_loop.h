/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Whether one indirect call of a function is the evaluator's, and in which loop it is. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_LOOP_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_LOOP_H

#include <stdbool.h>

#include "walkers/tcl/tcl.h"
#include "arch/values.h"

/* Instructions are indexes into code.  The caller sets the first part and owns
 * in_loop, which has one item per instruction. */
struct tcl_loop {
	const struct code *code;
	const struct tcl_layout *layout;
	u8 *in_loop;
	int call;

	int popped; /* what takes the callback off the chain */
	struct places interp, callback;
	s32 root;	 /* PLACE_NONE: no exit was met */
	int first, last; /* lowest and highest that belong to the loop */
};

/* Whether the call runs a callback just popped.  Sets popped, interp, callback. */
bool tcl_loop_pops(struct tcl_loop *s, struct values *v);
/* After that: whether the call is in a loop that ends at the root only.  Sets the rest. */
bool tcl_loop_closes(struct tcl_loop *s, struct values *v);

#endif
