/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The mapping tables of processes: what each process maps, as the kernel side sees
 * it. */
#ifndef JPBPF_USER_PROCESSES_MAPPING_TABLE_H
#define JPBPF_USER_PROCESSES_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

#include "walkers/walker.h"

struct arena;
struct engine;
struct modules;

/* A mapping table in the arena.  A forked child shares its parent's table. */
struct mapping_table {
	u32 first, chunks, maps;
	struct unwind_mapping *mapping; /* a copy of the table, by start */
	size_t users;
	bool dropped; /* it is in the list of dropped tables */
	struct mapping_table *next_dropped;
};

/* What all processes of a run share. */
struct process_env {
	struct engine *engine;
	struct modules *modules;
	struct arena *arena;
	const char *proc;
	struct walker_keep keep; /* what line numbers need; add NULL: no
				  * lines */
	struct mapping_table *
		*dropped; /* tables whose users may not all be known */
};

/* Whether the table has another file, or another part of it, at the mapping's addresses.
 * table may be NULL. */
bool mapping_table_has_other(const struct mapping_table *table,
			     const struct unwind_mapping *mapping);
/* Remove one user of *table, which becomes NULL and may be NULL before.  The table stays
 * until mapping_table_free_dropped(): a child may use it by its parent's entry before the
 * notice of the fork is read. */
void mapping_table_drop(const struct process_env *env,
			struct mapping_table **table);
/* Find a recently released table by its place in the arena.  NULL: there is none. */
struct mapping_table *mapping_table_find_dropped(const struct process_env *env,
						 u32 first, u32 maps);
/* Free the released tables that have no user.  Call it when all notices written before
 * the releases have been read. */
void mapping_table_free_dropped(const struct process_env *env);

#endif
