/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Builds rows and rules from a module's call frame information.
 *
 * Rows are classified into the few shapes of struct unwind_rule. The source is
 * .eh_frame, or .debug_frame where only that exists, and Go's own table. Addresses
 * in no FDE get an UNWIND_NONE row, except for the few that arch/cfi.h knows.
 */
#ifndef JPBPF_USER_UNWIND_CFI_H
#define JPBPF_USER_UNWIND_CFI_H

#include <stddef.h>

#include <jpbpf/unwind.h>

struct module;

/* The two rules that every table has. */
#define CFI_RULE_NONE	     0
#define CFI_RULE_UNSUPPORTED 1

#define CFI_MAX_ROWS (8u << 20) /* per file; the largest seen has 0.9 million */

struct cfi_row {
	u32 vaddr; /* files with code above 4 GiB are refused (-EFBIG) */
	u16 rule;
};

struct cfi_table {
	/* Sorted; neighbours differ in vaddr and in rule.  The first row is at
	 * vaddr 0, the last is UNWIND_NONE. */
	struct cfi_row *row;
	size_t rows, row_capacity;
	struct unwind_rule *rule; /* begins with the rules CFI_RULE_* */
	size_t rules, rule_capacity;
	size_t unsupported; /* rows whose rule is UNWIND_UNSUPPORTED */
	size_t errors;	    /* FDEs with a broken program */
};

/* An address range of the file whose rules get a mark (UNWIND_MARK). */
struct cfi_mark {
	u64 start, end;
	u8 mark;
};

/* Builds *t, which needs no initialisation and holds nothing after an error. marks
 * need no order; where they overlap the first one counts. 0 or -errno. -ENOENT: no
 * call frame information at all. -E2BIG: more of it than any real file has. */
int cfi_build(struct cfi_table *t, const struct module *m,
	      const struct cfi_mark *marks, size_t n_marks);
void cfi_release(struct cfi_table *t);

#endif
