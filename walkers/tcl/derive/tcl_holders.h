/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which registers and stack slots hold an address, plus a constant, at one
 * instruction; and what an instruction makes of that.
 */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_HOLDERS_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_HOLDERS_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct code;

#define TCL_MAX_HOLDERS 10
#define TCL_NO_PLACE	99

struct tcl_holder {
	s32 place; /* a register's number, or minus a slot's bytes below CFA */
	s32 add;   /* it holds the address plus this */
};

struct tcl_holders {
	bool reached; /* else nothing is known, not even that nothing is */
	u8 n;
	struct tcl_holder h[TCL_MAX_HOLDERS];
};

/* A function and rsp's distance below the CFA before each instruction. */
struct tcl_frame_code {
	const struct code *c;
	const int *depth;
};

/* Does the instruction at index at write to the place? */
bool tcl_holders_overwrites(const struct tcl_frame_code *f, int at, s32 place);
/* What holds it after the instruction at index at, of what did before. */
void tcl_holders_step(const struct tcl_frame_code *f, int at,
		      struct tcl_holders *s);
/* From the load at index at on, the address that it loads from is meant. */
void tcl_holders_start(const struct tcl_frame_code *f, int at,
		       struct tcl_holders *s);
/* Leaves what both agree on.  True: *s has changed. */
bool tcl_holders_meet(struct tcl_holders *s, const struct tcl_holders *other);
/* NULL: the place does not hold it. */
const struct tcl_holder *tcl_holders_get(const struct tcl_holders *s,
					 s32 place);
/* The place before the instruction of what h is after it. */
struct tcl_holder tcl_holders_before(const struct tcl_frame_code *f, int at,
				     struct tcl_holder h);

#endif
