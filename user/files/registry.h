/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the registry of modules knows of each file; used within it only.  modules.c
 * fills the registry, modules_find.c searches it, modules_retire.c empties it.
 */
#ifndef JPBPF_USER_FILES_REGISTRY_H
#define JPBPF_USER_FILES_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "user/lib/hash.h"
#include "user/files/modules.h"
#include "user/elf/module.h"

struct engine;
struct roots;
struct tables;

struct module_entry {
	struct module m; /* found by its key */
	u64 opened;	 /* ns: since then the inode is this file's only */
	/* Device and inode as the last mapping showed them; 0 if none did. */
	struct module_mapping {
		u64 dev, ino;
	} mapping;
	UT_hash_handle hh, hh_mapping;
};

struct modules {
	struct engine *engine;
	struct tables *tables;
	struct modules_config config;
	struct module_entry *by_key;
	struct module_entry *by_mapping; /* those with a mapping */
	struct module_entry **by_id;	 /* NULL: no module */
	size_t n, capacity;
	/* The last id given out, and the number of ids in use. */
	u32 last, used;
	size_t unread;		  /* files that cannot be read */
	struct module_entry none; /* stands for all files without room */
	u64 retired;		  /* ns: when unused files were last closed */
	u64 named;		  /* ns: when all stacks were last named here */
	u64 pause;		  /* ns: until that may be done again */
	struct module_entry *vdso;
	struct roots *roots;
	struct modules_sum sum;
};

/* Whether there is an id for another module.  A false result is counted. */
bool registry_has_room(struct modules *ms);
/* Give a new entry with a key an id; there must be room. */
struct module *registry_number(struct modules *ms, struct module_entry *e);
/* The module of a looked-up entry, which counts as used now.  NULL: e is NULL. */
struct module *registry_module(struct modules *ms, struct module_entry *e);
/* Mappings do not lead to the entry any more.  e may be NULL. */
void registry_unmap(struct modules *ms, struct module_entry *e);
/* Free an entry that is in no list any more. */
void registry_free(struct modules *ms, struct module_entry *e);

#endif
