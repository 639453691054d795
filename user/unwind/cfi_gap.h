/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of code that no call frame information covers. */
#ifndef JPBPF_USER_UNWIND_CFI_GAP_H
#define JPBPF_USER_UNWIND_CFI_GAP_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

struct module;

#define CFI_GAP_PARTS 6

struct cfi_gap {
	u64 start, end; /* vaddr; in the gap that was asked about */
	struct unwind_rule rule;
};

/* What a module has of it that lies in sections of its own, by address. */
struct cfi_gaps {
	const struct module *m;
	struct cfi_gap part[CFI_GAP_PARTS];
	size_t n;
};

/* The module has to outlive it. */
void cfi_gaps_init(struct cfi_gaps *g, const struct module *m);
/* Is there a rule for a part of the gap [start, end)? The first such part. */
bool cfi_gaps_find(const struct cfi_gaps *g, u64 start, u64 end,
		   struct cfi_gap *out);

#endif
