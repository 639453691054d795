/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registry's own: what it knows of each file, and how that is found.  Filled by
 * modules.c, emptied by modules_retire.c.
 */
#ifndef JPBPF_USER_SESSION_REGISTRY_H
#define JPBPF_USER_SESSION_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include <uthash.h>

#include "user/session/ids.h"
#include "user/session/modules.h"
#include "user/target/module.h"

struct engine;
struct roots;
struct tables;

struct entry {
	struct module_key key;
	struct module m;
	u64 opened; /* ns: the inode is nobody else's since then */
	bool is_elf;
	bool retired; /* about to be freed */
	UT_hash_handle hh;
};

/* A file by what mappings say of it. */
struct mapped {
	struct mapped_key {
		u64 dev, ino;
	} key;
	struct entry *entry;
	UT_hash_handle hh;
};

struct modules {
	struct engine *engine;
	struct tables *tables;
	const char *proc;
	bool lines; /* source lines are wanted */
	struct entry *by_key;
	struct mapped *by_mapping;
	struct entry **by_id; /* NULL: of none */
	size_t n, capacity;
	struct ids ids;
	size_t n_code, n_others;
	struct entry none; /* stands for all that there is no room for */
	bool lacking;	   /* for some since the last modules_retire() */
	u64 named;	   /* ns: when all stacks were last named for this */
	struct entry *vdso;
	struct roots *roots;
	struct modules_sum sum;
};

/* It is in no list any more. */
void entry_free(struct modules *ms, struct entry *e);

#endif
