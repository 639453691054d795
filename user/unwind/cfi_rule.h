/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One row of call frame information as a shape that the kernel side knows. */
#ifndef JPBPF_USER_UNWIND_CFI_RULE_H
#define JPBPF_USER_UNWIND_CFI_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

enum cfi_where {
	CFI_OTHER, /* nothing we can express */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_AT_CFA, /* in memory at CFA + off */
	CFI_AT_REG, /* in memory at reg + off */
	CFI_IS_CFA, /* is CFA + off */
	CFI_IN_REG  /* is the value of reg */
};

/* Where the caller's value of a register is. */
struct cfi_place {
	u8 where; /* enum cfi_where */
	u8 reg;
	s64 off;
};

/* A row, as far as it is of interest. */
struct cfi_frame {
	bool is_signal;
	u8 cfa; /* UNWIND_CFA, UNWIND_DEREF, UNWIND_PLT or UNWIND_UNSUPPORTED */
	u8 cfa_reg;
	s64 cfa_off, deref_off;
	struct cfi_place ra, sp, saved[SAVED_REGS];
};

/* What holds before any instruction: a callee preserves what the psABI says. */
void cfi_frame_init(struct cfi_frame *f, bool is_signal);
/* Where a register's place is kept; NULL: it is of no interest. */
struct cfi_place *cfi_frame_place(struct cfi_frame *f, u64 reg);
/* The CFA is what the expression says. */
void cfi_frame_cfa(struct cfi_frame *f, const u8 *expression, size_t len);
/* A register is, or is in memory, where the expression says. */
void cfi_frame_expression(struct cfi_frame *f, u64 reg, const u8 *expression,
			  size_t len, bool is_value);

/* Fills all of *rule.  What cannot be expressed becomes UNWIND_UNSUPPORTED; a
 * callee-saved register that cannot, UNWIND_SLOT_LOST. */
void cfi_rule_classify(const struct cfi_frame *f, struct unwind_rule *rule);

#endif
