/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A module's rows and rules, packed into the arena. */
#ifndef JPBPF_USER_UNWIND_TABLE_H
#define JPBPF_USER_UNWIND_TABLE_H

#include <jpbpf/unwind.h>

struct arena;
struct cfi_table;

/* The number of chunks that the table takes in the arena, rows and rules together. */
u32 table_chunks(const struct cfi_table *t);
/* Packs a table into the arena. 0 with *out filled, or -errno (-ENOSPC: the arena
 * is full). */
int table_store(struct arena *a, const struct cfi_table *t,
		struct unwind_file *out);
void table_drop(struct arena *a, const struct unwind_file *f);
/* The rule for an address. */
const struct unwind_rule *table_find(struct arena *a,
				     const struct unwind_file *f, u64 vaddr);

#endif
