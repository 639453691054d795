/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The mapping tables of processes: what each process maps, as the kernel side sees
 * it. */
#ifndef JPBPF_USER_PROCESSES_MAPPING_TABLE_H
#define JPBPF_USER_PROCESSES_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

struct tracker;

/* A mapping table in the arena.  A forked child shares its parent's table. */
struct mapping_table {
	u32 first, chunks, maps;
	struct unwind_mapping *mapping; /* a copy of the table, by start */
	size_t users;
	bool dropped; /* it is in the list of dropped tables */
	struct mapping_table *next_dropped;
};

/* Whether the table has another file, or another part of it, at the mapping's addresses.
 * table may be NULL. */
bool mapping_table_has_other(const struct mapping_table *table,
			     const struct unwind_mapping *mapping);
/* Remove one user of *table, which becomes NULL and may be NULL before.  The table stays
 * until mapping_table_free_dropped(): a child may use it by its parent's entry before the
 * notice of the fork is read. */
void mapping_table_drop(struct tracker *t, struct mapping_table **table);
/* Find a recently released table by its place in the arena.  NULL: there is none. */
struct mapping_table *mapping_table_find_dropped(const struct tracker *t,
						 u32 first, u32 maps);
/* Free the released tables that have no user.  Call it when all notices written before
 * the releases have been read. */
void mapping_table_free_dropped(struct tracker *t);

#endif
