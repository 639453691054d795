/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of code that no call frame information covers. */
#ifndef JPBPF_USER_UNWIND_CFI_GAP_H
#define JPBPF_USER_UNWIND_CFI_GAP_H

#include <stdbool.h>

#include <jpbpf/unwind.h>

struct module;

struct cfi_gap {
	u64 start, end; /* vaddr; in the gap that was asked about */
	struct unwind_rule rule;
};

/* Is there a rule for a part of the gap [start, end)? */
bool cfi_gap_find(const struct module *m, u64 start, u64 end,
		  struct cfi_gap *out);

#endif
