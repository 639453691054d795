/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What code itself says where no call frame information does, or where that is not true;
 * known by its instructions.
 */
#ifndef JPBPF_ARCH_CFI_H
#define JPBPF_ARCH_CFI_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

struct golang;
struct golang_function;
struct module;

/* Is a CFA's expression that of the linkers' stubs? *pushed is cfa_off of UNWIND_PLT. */
bool cfi_is_plt(const u8 *expression, size_t len, s64 *pushed);

#define CFI_GAP_PARTS 6

struct cfi_gap {
	u64 start, end; /* vaddr; in the gap that was asked about */
	struct unwind_rule rule;
};

/* What a module has of code that no information covers and that is found by its
 * sections. */
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

/* Address of the code to which a function started by makecontext() returns, if m is
 * a C library that says something wrong of it; else 0. */
u64 cfi_context_end(const struct module *m);

/* Calls fn with the end of each row of a function of Go, in order from its start, until
 * it returns non-zero, which is then returned.  0: all of it. */
int cfi_go_rows(const struct module *m, const struct golang *g,
		const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, struct unwind_rule *rule),
		void *ctx);

#endif
