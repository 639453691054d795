/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The position of a native walk: the state of the unwinder (jpbpf/unwinder.h), which
 * both sides compile. */
#ifndef JPBPF_CURSOR_H
#define JPBPF_CURSOR_H

#include <jpbpf/types.h>

#include "arch/registers.h"

struct cursor {
	u64 pc;	 /* address of the instruction (exact), or return address */
	u64 cfa; /* CFA of the frame at pc once that frame is located */
	u64 reg[REG_COUNT]; /* by DWARF number */
	/* Addresses of registers saved on the stack, in the order of saved_reg[]. */
	u64 saved_at[SAVED_REGS];
	u32 valid; /* bit per register: its value is known */
	/* Bit per register: its value is still at saved_at, not in reg. */
	u32 saved;
	u32 frames; /* written so far */
	u32 falls;  /* times that the CFA did not rise */
	u8 exact;   /* pc is an instruction, not a return address */
	/* Restore all registers that calls preserve, not only the frame pointer. */
	u8 want_saved;
};

#endif
