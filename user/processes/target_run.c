/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Mapping tables, as long as anybody may use them.
 *
 * A fork copies its parent's entry, and the notice of that is read later: the parent may
 * have been published anew by then, and the child's samples are walked by what it was
 * before.  So who drops a table is not the last that may use it before all notices from
 * until then have been read.
 */
#include <stdlib.h>

#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/processes/target.h"
#include "user/unwind/arena.h"

static void free_run(const struct target_env *env, struct target_run *run)
{
	if (run->chunks)
		arena_release(env->arena, run->first, run->chunks);
	for (size_t i = 0; i < run->maps; i++)
		tables_unmap(modules_tables(env->modules),
			     run->mapping[i].file);
	free(run->mapping);
	free(run);
}

void target_release_run(const struct target_env *env, struct target_run *run)
{
	if (!run)
		return;
	run->users--;
	if (run->dropped)
		return;
	run->dropped = true;
	run->next_dropped = *env->dropped;
	*env->dropped = run;
}

void target_free_dropped(const struct target_env *env)
{
	struct target_run *run;

	while ((run = *env->dropped)) {
		*env->dropped = run->next_dropped;
		run->dropped = false;
		if (!run->users)
			free_run(env, run);
	}
}

void target_drop_run(const struct target_env *env, struct target *t)
{
	struct target_run *run = t->run;

	t->run = NULL;
	target_release_run(env, run);
}

void target_inherit_dropped(const struct target_env *env, struct target *child,
			    const struct process_entry *entry)
{
	struct target_run *run = *env->dropped;

	while (run &&
	       (run->first != entry->maps_first || run->maps != entry->maps))
		run = run->next_dropped;
	if (!run)
		return;
	run->users++;
	target_drop_run(env, child);
	child->run = run;
}
