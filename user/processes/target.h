/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One profiled process: its mappings as the kernel side sees them, and how far
 * each walker has got with it.
 */
#ifndef JPBPF_USER_PROCESSES_TARGET_H
#define JPBPF_USER_PROCESSES_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>
#include <jpbpf/walkers.h>

#include "walkers/walker.h"

struct arena;
struct engine;
struct map;
struct maps;
struct module;
struct modules;

/* A mapping table in the arena; a forked child shares its parent's. */
struct target_run {
	u32 first, chunks, maps;
	struct unwind_mapping *mapping; /* the same, by start */
	size_t users;
	bool dropped; /* by a user, lately */
	struct target_run *next_dropped;
};

enum target_walker {
	WALKER_ABSENT,
	WALKER_WAITING,	 /* interpreter not initialised yet */
	WALKER_UNPROVEN, /* the same, or another one; not used until proven */
	WALKER_PROVEN,
	WALKER_REFUSED,
};

#define TARGET_PUTS 4

struct target {
	pid_t pid;
	u32 serial;
	struct target_run *run; /* NULL until published */
	enum target_walker walker[WALKER_COUNT];
	u8 tries[WALKER_COUNT]; /* failed proofs */
	bool listed;		/* wanted whatever is in it */
	bool counted;		/* it is in tracker_sum.seen */
	bool dirty;		/* look at its mappings again */
	bool partial;	/* there was no room for all files that it maps */
	u64 due;	/* ns: when to look at it next; 0: no need */
	u64 not_before; /* ns: whatever happens, not sooner */
	u64 delay;	/* ns: the last wait, doubled each time */
	/* Serials that were published for a moment, when something of it was not
	 * so any more; 0: none. */
	u32 doubtful[TARGET_PUTS];
};

struct target_env {
	struct engine *engine;
	struct modules *modules;
	struct arena *arena;
	const char *proc;
	struct walker_keep keep;     /* what lines need; add is NULL: nothing */
	struct target_run **dropped; /* of which not all users may be known */
};

/* Which walkers' interpreters does the process map? Bits; -errno when gone. */
int target_walkers(const struct target_env *env, pid_t pid,
		   const struct maps *maps);
/* Ask for the unwind tables of all files that the process maps executable. */
void target_want(const struct target_env *env, pid_t pid,
		 const struct maps *maps);
/* Publish the process, which is being looked at (look.h), as ready with its mappings and walkers, unless it is so
 * already, and ask for the unwind tables that are missing (samples meanwhile are
 * kept).  before: the entry, read before the maps; zeroes: there was none.  0 or
 * -errno (-ESRCH gone, -EAGAIN the program was replaced meanwhile: a notice
 * follows). */
int target_publish(const struct target_env *env, struct target *t,
		   const struct maps *maps, const struct process_entry *before);
/* What the kernel told that a process has mapped at that time, as the kernel side
 * wants it; file is SPACE_NO_FILE when it is no ELF file or cannot be had any more. */
struct unwind_mapping target_mapping(const struct target_env *env, pid_t pid,
				     const struct map *map, u64 time);
/* Child shares everything with its parent; its entry is there already. */
void target_inherit(struct target *child, const struct target *parent);
/* The child has what its entry says, when that is a mapping table that its parent has
 * dropped, and not what that has now. */
void target_inherit_dropped(const struct target_env *env, struct target *child,
			    const struct process_entry *entry);
/* One user less.  It stays until target_free_dropped(): a child may use it by its
 * parent's entry, and the notice of that still be to come.  run may be NULL. */
void target_release_run(const struct target_env *env, struct target_run *run);
void target_drop_run(const struct target_env *env, struct target *t);
/* All notices that were written before the last of these calls have been read: what has
 * no user now will have none. */
void target_free_dropped(const struct target_env *env);

#endif
