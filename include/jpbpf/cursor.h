/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where a native walk stands: what both sides' unwinder (jpbpf/unwinder.h) works on. */
#ifndef JPBPF_CURSOR_H
#define JPBPF_CURSOR_H

#include <jpbpf/types.h>

#include "arch/registers.h"

struct cursor {
	u64 pc;			  /* exact, or the return address */
	u64 cfa;		  /* of the frame at pc, once it is located */
	u64 reg[REG_COUNT];	  /* by DWARF number */
	u64 saved_at[SAVED_REGS]; /* where those are that were not read yet */
	u32 valid;		  /* bit per register */
	u32 saved;  /* the same: its value is not in reg, but in saved_at */
	u32 frames; /* written so far */
	u32 falls;  /* how often the CFA did not rise */
	u8 exact;   /* pc is an instruction, not a return address */
	u8 want_saved; /* restore all that calls preserve, not only the frame pointer */
};

#endif
