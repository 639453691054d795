/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The rule for an address, by rows that are no table yet. */
#ifndef JPBPF_TESTS_UNIT_CFI_FIND_H
#define JPBPF_TESTS_UNIT_CFI_FIND_H

#include "user/unwind/cfi.h"

static inline const struct unwind_rule *cfi_find(const struct cfi_table *t,
						 u64 vaddr)
{
	size_t low = 0, high = t->rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->row[middle].vaddr <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return &t->rule[low ? t->row[low - 1].rule : CFI_RULE_NONE];
}

#endif
