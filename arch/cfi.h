/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Unwind rules for code whose call frame information is missing or wrong.  Such code is
 * recognised by its instructions.
 */
#ifndef JPBPF_ARCH_CFI_H
#define JPBPF_ARCH_CFI_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

struct golang;
struct golang_function;
struct module;

/* Whether a CFA's expression is that of the linkers' stubs.  *pushed is the cfa_off of
 * UNWIND_PLT. */
bool cfi_is_plt(const u8 *expression, size_t len, s64 *pushed);

/* A CFA that counts from the stack pointer; the return address is just below it.  slot: what
 * all saved registers have, UNWIND_SLOT_*. */
static inline struct unwind_rule cfi_plain_rule(u8 kind, s32 cfa_off, s16 slot)
{
	return (struct unwind_rule){
		.kind = kind,
		.cfa_reg = REG_STACK,
		.cfa_off = cfa_off,
		.ra = -1,
		.slot = { [0 ... SAVED_REGS - 1] = slot },
	};
}

#define CFI_GAP_PARTS 24

struct cfi_gap {
	u64 start, end; /* vaddr; in the gap that was asked about */
	struct unwind_rule rule;
};

/* Code at the ends of a module that no call frame information covers. */
struct cfi_gaps {
	const struct module *m;
	struct cfi_gap part[CFI_GAP_PARTS];
	size_t n;
};

/* The module must outlive g. */
void cfi_gaps_init(struct cfi_gaps *g, const struct module *m);
/* The first part of the gap [start, end) with a rule, to *out.  Returns false if there
 * is none. */
bool cfi_gaps_find(const struct cfi_gaps *g, u64 start, u64 end,
		   struct cfi_gap *out);

/* Address of the code to which a function started by makecontext() returns, if m is
 * a C library that says something wrong of it; else 0. */
u64 cfi_context_end(const struct module *m);

/* Calls fn with the end of each row of a Go function, in order from its start.  If fn
 * returns non-zero, stops and returns that value; else returns 0. */
int cfi_go_rows(const struct module *m, const struct golang *g,
		const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, struct unwind_rule *rule),
		void *ctx);

#endif
