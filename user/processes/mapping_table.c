/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A mapping table lives as long as anybody may use it.
 *
 * A fork copies the parent's entry, and the notice of the fork is read later.  By then
 * the parent may have been published anew, while the child's samples are still walked
 * by the parent's earlier table.  So a table that has lost its last known user is freed
 * only when all notices written until then have been read.
 */
#include "user/processes/mapping_table.h"

#include <stdlib.h>

#include "user/lib/search.h"
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/processes/process.h"
#include "user/unwind/arena.h"

bool mapping_table_has_other(const struct mapping_table *table,
			     const struct unwind_mapping *mapping)
{
	size_t i =
		table ? SEARCH(table->mapping, table->maps, end, mapping->start)
		      : 0;

	for (; table && i < table->maps; i++) {
		const struct unwind_mapping *m = &table->mapping[i];

		if (m->start >= mapping->end)
			break;
		if (m->file != mapping->file || m->bias != mapping->bias)
			return true;
	}
	return false;
}

static void free_table(struct tracker *t, struct mapping_table *table)
{
	if (table->chunks)
		arena_release(t->config.arena, table->first, table->chunks);
	for (size_t i = 0; i < table->maps; i++)
		tables_unmap(modules_tables(t->config.modules),
			     table->mapping[i].file);
	free(table->mapping);
	free(table);
}

void mapping_table_drop(struct tracker *t, struct mapping_table **table)
{
	struct mapping_table *dropped = *table;

	*table = NULL;
	if (!dropped)
		return;
	dropped->users--;
	if (dropped->dropped)
		return;
	dropped->dropped = true;
	dropped->next_dropped = t->dropped;
	t->dropped = dropped;
}

void mapping_table_free_dropped(struct tracker *t)
{
	struct mapping_table *table;

	while ((table = t->dropped)) {
		t->dropped = table->next_dropped;
		table->dropped = false;
		if (!table->users)
			free_table(t, table);
	}
}

struct mapping_table *mapping_table_find_dropped(const struct tracker *t,
						 u32 first, u32 maps)
{
	struct mapping_table *table = t->dropped;

	while (table && (table->first != first || table->maps != maps))
		table = table->next_dropped;
	return table;
}
