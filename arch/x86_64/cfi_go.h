/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A Go function while its rules are made. */
#ifndef JPBPF_ARCH_X86_64_CFI_GO_H
#define JPBPF_ARCH_X86_64_CFI_GO_H

#include "arch/cfi.h"
#include "arch/code.h"

#define SPANS_MAX 4

/* A part of a function with a rule of its own, before all that follow. */
struct span {
	u64 start, end;
	struct unwind_rule rule;
};

struct go_function {
	const struct module *m;
	const struct golang_function *f;
	struct code code; /* empty if nothing asks for it */
	bool injected;
	/* The prologue. */
	u32 frame;   /* depth with which rbp is at CFA - 16; 0: it has none */
	u64 saved;   /* vaddr from which rbp is saved there */
	u64 pointed; /* vaddr from which rbp points to that place; 0: never */
	s16 slot[SAVED_REGS];
	struct span span[SPANS_MAX];
	size_t spans;
	/* The row that is being written. */
	u64 at;
	int (*fn)(void *ctx, u64 end, struct unwind_rule *rule);
	void *ctx;
};

/* What crosscall2 saves from a vaddr on: the rest of what C wants to find unchanged. */
void go_read_saves(struct go_function *f, u64 at);
/* Adds the parts that have rules of their own. */
void go_add_parts(struct go_function *f);
bool go_is_named(const struct go_function *f, const char *name);

#endif
