/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One row of call frame information as a shape that the kernel side knows. */
#ifndef JPBPF_USER_UNWIND_CFI_RULE_H
#define JPBPF_USER_UNWIND_CFI_RULE_H

#include <elfutils/libdw.h>

#include <jpbpf/unwind.h>

/* A row that needs no expression: the CFA is a register and an offset, and the
 * caller's registers are untouched, undefined, or in memory at CFA + off. */
enum cfi_where { CFI_SAME, CFI_UNDEFINED, CFI_AT_CFA, CFI_UNSET };
struct cfi_place {
	enum cfi_where where;
	s64 off;
};
struct cfi_plain {
	u8 cfa_reg;
	s64 cfa_off;
	struct cfi_place ra, saved[SAVED_REGS];
};

/* The rule of such a row; fills all of *rule, as cfi_rule_classify() does. */
void cfi_rule_plain(const struct cfi_plain *row, struct unwind_rule *rule);

/* Fills all of *rule.  What cannot be expressed becomes UNWIND_UNSUPPORTED; a
 * callee-saved register that cannot, UNWIND_SLOT_LOST. */
void cfi_rule_classify(Dwarf_Frame *frame, struct unwind_rule *rule);

#endif
