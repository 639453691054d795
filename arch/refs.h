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

/* Sets *r to the functions that the function at vaddr calls or jumps to. */
void refs_called(struct refs *r, const struct module *m, u64 vaddr);
/* Sets *r to the functions whose address the function at vaddr makes. Such functions are
 * called later. */
void refs_made(struct refs *r, const struct module *m, u64 vaddr);
bool refs_has(const struct refs *r, u64 vaddr);

#endif
