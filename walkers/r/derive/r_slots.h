/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The GOT slots of a module: through which slot its code reaches which of its
 * own exported symbols.
 *
 * The slot, not the symbol, says where a variable of a running process is: when
 * an executable refers to a library's data, the linker gives it a copy
 * (R_X86_64_COPY), the dynamic linker points the library's slot to that copy,
 * and the library's own symbol stays dead.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_SLOTS_H
#define JPBPF_WALKERS_R_DERIVE_R_SLOTS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

struct r_slot {
	u64 slot;   /* vaddr of the GOT slot */
	u64 symbol; /* vaddr of the symbol, defined in the same module */
};

struct r_slots {
	struct r_slot *slot; /* in the order of the relocations */
	size_t n, capacity;
};

/* { 0 } first. 0 or -errno; release in either case. */
int r_slots_read(const struct module *m, struct r_slots *slots);
void r_slots_release(struct r_slots *slots);
/* The symbol behind a slot, and the slot of a symbol; 0: none. */
u64 r_slots_symbol(const struct r_slots *slots, u64 slot);
u64 r_slots_slot(const struct r_slots *slots, u64 symbol);

#endif
