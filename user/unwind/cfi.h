/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From a module's call frame information to rows and rules.
 *
 * Rows are classified into the few shapes of struct unwind_rule.  Covers .eh_frame, and .debug_frame where
 * only that exists.  Addresses in no FDE get an UNWIND_NONE row,
 * but for the few that arch/cfi.h knows.
 */
#ifndef JPBPF_USER_UNWIND_CFI_H
#define JPBPF_USER_UNWIND_CFI_H

#include <stddef.h>

#include <jpbpf/unwind.h>

struct module;

/* Two rules that every table has. */
#define CFI_RULE_NONE	     0
#define CFI_RULE_UNSUPPORTED 1

#define CFI_MAX_ROWS (8u << 20) /* per file; the largest seen has 0.9 million */

struct cfi_row {
	u32 vaddr; /* files with code above 4 GiB are refused (-EFBIG) */
	u16 rule;
};

struct cfi_table {
	struct cfi_row *row; /* sorted, no two with one vaddr, no two neighbours
			      * with one rule; the first row is at vaddr 0, the
			      * last is UNWIND_NONE */
	size_t rows, row_capacity;
	struct unwind_rule *rule; /* rule[CFI_RULE_NONE] and so on first */
	size_t rules, rule_capacity;
	size_t unsupported; /* rows whose rule did not fit */
	size_t errors;	    /* FDEs whose program is broken */
};

/* Address range of the file whose rules get a mark (UNWIND_MARK). */
struct cfi_mark {
	u64 start, end;
	u8 mark;
};

/* marks need no order; where they overlap the first one counts.  *t needs no
 * initialisation and holds nothing after an error.  0 or -errno (-ENOENT: no
 * call frame information at all; -E2BIG: more of it than any real file has). */
int cfi_build(struct cfi_table *t, const struct module *m,
	      const struct cfi_mark *marks, size_t n_marks);
void cfi_release(struct cfi_table *t);

#endif
