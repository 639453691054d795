/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registry's own: what it knows of each file.  Filled by modules.c, searched by
 * modules_find.c, emptied by modules_retire.c.
 */
#ifndef JPBPF_USER_FILES_REGISTRY_H
#define JPBPF_USER_FILES_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include <uthash.h>

#include "user/files/own_mounts.h"
#include "user/files/modules.h"
#include "user/elf/module.h"

struct engine;
struct roots;
struct tables;

struct module_entry {
	struct module_key key;
	struct module m;
	u64 opened; /* ns: the inode is nobody else's since then */
	bool is_elf;
	bool retired; /* about to be freed */
	UT_hash_handle hh;
};

/* A file by what mappings say of it. */
struct module_alias {
	struct module_alias_key {
		u64 dev, ino;
	} key;
	struct module_entry *entry;
	UT_hash_handle hh;
};

struct modules {
	struct engine *engine;
	struct tables *tables;
	const char *proc;
	bool lines; /* source lines are wanted */
	struct module_entry *by_key;
	struct module_alias *by_mapping;
	struct module_entry **by_id; /* NULL: of none */
	size_t n, capacity;
	/* Ids: the highest, the one that was given out last, and how many are out. */
	u32 limit, last, used;
	size_t n_code, n_others;
	struct module_entry none; /* stands for all that there is no room for */
	bool lacking;		  /* for some since the last modules_retire() */
	u64 next_sweep;		  /* ns: close no unused ones before */
	bool unnamed;		  /* some stay open for stacks without names */
	u64 named;  /* ns: when all stacks were last named for this ... */
	u64 naming; /* ... which took so many ns */
	struct module_entry *vdso;
	struct roots *roots;
	struct own_mounts own_mounts;
	struct modules_sum sum;
};

/* false: there is no id for a file or code, and that is counted. */
bool registry_has_room(struct modules *ms, bool for_code);
/* The entry, which is new, gets an id; there is room. */
struct module *registry_number(struct modules *ms, struct module_entry *e);
/* Somebody has looked for the entry.  NULL when it is none, or no ELF file. */
struct module *registry_module(struct modules *ms, struct module_entry *e);
/* It is in no list any more. */
void registry_free(struct modules *ms, struct module_entry *e);

#endif
