/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One row of call frame information, classified into a shape that the kernel side
 * knows. */
#ifndef JPBPF_USER_UNWIND_CFI_RULE_H
#define JPBPF_USER_UNWIND_CFI_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

enum cfi_where {
	CFI_OTHER, /* no other value fits */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_AT_CFA, /* in memory at CFA + off */
	CFI_AT_REG, /* in memory at reg + off */
	CFI_IS_CFA, /* is CFA + off */
	CFI_IN_REG  /* is the value of reg */
};

/* Where the caller's value of a register is found. */
struct cfi_place {
	u8 where; /* enum cfi_where, which says which of the others count */
	u8 reg;
	s64 off;
};

/* The part of a row that the unwinder uses. */
struct cfi_frame {
	bool is_signal;
	u8 cfa; /* UNWIND_CFA, UNWIND_DEREF, UNWIND_PLT or UNWIND_UNSUPPORTED */
	u8 cfa_reg;
	s64 cfa_off, deref_off;
	struct cfi_place ra, sp, saved[SAVED_REGS];
};

/* Sets the row before any instruction: a callee preserves the registers that the
 * psABI names. */
void cfi_frame_init(struct cfi_frame *f, bool is_signal);
/* The entry for a register; NULL: the unwinder does not use the register. */
struct cfi_place *cfi_frame_place(struct cfi_frame *f, u64 reg);
/* Sets the CFA from an expression. */
void cfi_frame_cfa(struct cfi_frame *f, const u8 *expression, size_t len);
/* Sets a register's place from an expression, which gives its value (is_value) or
 * its address. */
void cfi_frame_expression(struct cfi_frame *f, u64 reg, const u8 *expression,
			  size_t len, bool is_value);

/* Fills all of *rule. A row that has no rule becomes UNWIND_UNSUPPORTED. A
 * callee-saved register whose place has no slot becomes UNWIND_SLOT_LOST. */
void cfi_rule_classify(const struct cfi_frame *f, struct unwind_rule *rule);

#endif
