/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The tables' own: what is known of each file.  tables.c builds and drops, tables_use.c
 * keeps in mind what is used. */
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
	u32 chunks; /* in all, of the table when it was last built */
	u32 maps;   /* mappings of it in live targets */
	u64 used;   /* ns */
	bool wanted, dropped;
	bool stays;   /* also when nothing maps it */
	bool sampled; /* a stack that counts has a frame in it */
	bool asked;   /* for a sample, not only because it is mapped */
};

struct tables {
	struct engine *engine;
	struct arena *arena;
	struct table_entry *entry; /* by file id */
	size_t n, capacity;
	u32 *wanted; /* ids in the order they were asked for */
	size_t n_wanted, wanted_capacity;
	u64 batch;	/* ns: when the batch began that is being stored */
	u64 pause;	/* ns: build nothing before */
	u64 crowded;	/* ns: when a table in use was last dropped */
	u64 over_since; /* tables_over_since() */
	bool hurry;
	struct tables_sum sum;
};

/* It has been made, used or unmapped: does nothing map it? */
void tables_may_be_over(struct tables *t, const struct table_entry *e);

#endif
