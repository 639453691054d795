/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The mapping tables of processes: what each maps, as the kernel side sees it. */
#ifndef JPBPF_USER_PROCESSES_MAPPING_TABLE_H
#define JPBPF_USER_PROCESSES_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

#include "walkers/walker.h"

struct arena;
struct engine;
struct modules;

/* A mapping table in the arena; a forked child shares its parent's. */
struct mapping_table {
	u32 first, chunks, maps;
	struct unwind_mapping *mapping; /* the same, by start */
	size_t users;
	bool dropped; /* by a user, lately */
	struct mapping_table *next_dropped;
};

/* What all processes of a run share. */
struct process_env {
	struct engine *engine;
	struct modules *modules;
	struct arena *arena;
	const char *proc;
	struct walker_keep keep; /* what lines need; add is NULL: nothing */
	struct mapping_table *
		*dropped; /* of which not all users may be known */
};

/* One user less.  The table stays until mapping_table_free_dropped(): a child may use it
 * by its parent's entry, and the notice of that still be to come.  table may be NULL. */
void mapping_table_release(const struct process_env *env,
			   struct mapping_table *table);
/* The same of what a process has. */
void mapping_table_drop(const struct process_env *env,
			struct mapping_table **table);
/* One that was released lately, by its place in the arena; NULL: there is none. */
struct mapping_table *mapping_table_find_dropped(const struct process_env *env,
						 u32 first, u32 maps);
/* All notices that were written before the last of these calls have been read: what has
 * no user now will have none. */
void mapping_table_free_dropped(const struct process_env *env);

#endif
