/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of code that no call frame information covers. */
#ifndef JPBPF_USER_UNWIND_CFI_GAP_H
#define JPBPF_USER_UNWIND_CFI_GAP_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

struct module;

#define CFI_CRT_PARTS 7
#define CFI_GAP_PARTS (6 + CFI_CRT_PARTS)

struct cfi_gap {
	u64 start, end; /* vaddr; in the gap that was asked about */
	struct unwind_rule rule;
};

/* Code in which the CFA is so far above rsp, and no register is saved. */
struct cfi_gap cfi_gap_plain(u64 start, u64 end, s32 cfa_off);

/* What a module has of it that is found by its sections. */
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
