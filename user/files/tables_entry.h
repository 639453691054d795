/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the tables know of each file; used within this folder only.  tables.c makes
 * room and notes what is used, tables_build.c builds, modules_retire.c closes files. */
#ifndef JPBPF_USER_FILES_TABLES_ENTRY_H
#define JPBPF_USER_FILES_TABLES_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>
#include <jpbpf/unwind.h>

#include "user/files/tables.h"

struct table_entry {
	struct module *m;
	struct unwind_file file; /* no chunks: no table, .rules is the status */
	u32 chunks;		 /* of the whole table when last built */
	u32 maps;		 /* mappings of the file in live processes */
	u64 used;	/* ns: when last looked up, mapped, or in a stack */
	u64 not_before; /* ns: no room was found, try again then */
	bool wanted, dropped;
	bool sampled;  /* a counted stack without names has a frame in it */
	bool asked;    /* wanted for a sample, not only for a mapping */
	bool expected; /* a program that maps it is expected to begin */
};

struct tables {
	struct engine *engine;
	struct arena *arena;
	struct table_entry *entry; /* by file id */
	size_t n, capacity;
	u32 *wanted; /* ids in the order they were asked for */
	size_t n_wanted, wanted_capacity;
	u64 batch;   /* ns: when storing the batch began */
	u64 pause;   /* ns: build nothing before */
	u64 crowded; /* ns: when a table in use was last dropped */
	bool hurry;
	/* There may be files that no live process maps. */
	bool unmapped;
	struct tables_sum sum;
};

/* Tell the kernel side of the entry's present table. */
void tables_show(const struct tables *t, size_t id);
/* Make sure that a run of so many chunks can be allocated.  0, -EAGAIN: later, or
 * -errno. */
int tables_fit(struct tables *t, u32 chunks);

#endif
