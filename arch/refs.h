/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The other functions that a function's code names. */
#ifndef JPBPF_ARCH_REFS_H
#define JPBPF_ARCH_REFS_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct module;

#define MAX_REFS 512

/* Start addresses in the order of the code, each once. What has no room is left out. */
struct refs {
	u64 at[MAX_REFS];
	size_t n;
};

enum refs_kind {
	REFS_CALLED, /* functions that it calls or jumps to */
	REFS_MADE, /* functions whose address it makes, which are called later */
};

/* These functions, of the function at vaddr. */
struct refs refs_of(const struct module *m, u64 vaddr, enum refs_kind kind);
bool refs_has(const struct refs *r, u64 vaddr);

#endif
