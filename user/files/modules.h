/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registry of modules: every file that a target maps, once.
 *
 * A file is first only opened and probed by the walkers (cheap: the dynamic
 * symbols); its unwind table is built when a process that is to be sampled maps
 * it.
 *
 * An open file keeps its file system mounted, and its blocks when it is deleted.  So
 * files that no live target maps any more are closed after a minute, unless they are in
 * nobody's way (own_mounts.h).  There is a limit besides: then they are closed for new
 * ones, those that were used least recently first.  Their ids serve again; but no id that
 * a record or a stack without names may still hold.  What finds no room all the same has
 * the id MODULES_NONE, and is counted.
 */
#ifndef JPBPF_USER_FILES_MODULES_H
#define JPBPF_USER_FILES_MODULES_H

#include <stddef.h>
#include <sys/types.h>

#include <stdbool.h>

#include <jpbpf/types.h>

struct engine;
struct map;
struct module;
struct modules; /* opaque */
struct tables;

#define MODULES_NONE 0 /* id of what is one too many */

struct modules_config {
	const char *proc;
	struct tables *tables; /* stay the caller's */
	bool lines;	       /* source lines are wanted */
	u32 max;	       /* files at a time; ids are at most that */
};

/* Until modules_bind() gives it, and the tables, the kernel side, only the arena is
 * written: so files can be read while the programs are being loaded. */
struct modules *modules_new(const struct modules_config *config);
void modules_bind(struct modules *ms, struct engine *e);
void modules_free(struct modules *ms);
struct tables *modules_tables(const struct modules *ms);

/* The module behind a mapping of a process, which was there at that time or later (ns,
 * CLOCK_MONOTONIC); NULL when it is no ELF file or cannot be opened any more; that of
 * MODULES_NONE when there are too many.  The module stays the registry's, until
 * modules_retire() at the soonest. */
struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map, u64 time);
/* The same, when the process may have ended meanwhile, or have mapped other things. */
struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map, u64 time);
/* The vDSO: the kernel's own, shared by all; NULL when this mapping cannot be all of
 * it.  It is read from our memory, for a target can have written to its own. */
struct module *modules_vdso(struct modules *ms, const struct map *map);
/* Code in a mapping of a process that is no ELF file: anonymous, or of a file that
 * was made for it.  NULL: the process has gone. */
struct module *modules_code(struct modules *ms, pid_t pid,
			    const struct map *map);
/* Are there so few ids left that modules_retire() is wanted soon? */
bool modules_crowded(const struct modules *ms);
/* ns: when modules_retire() may have something to do all the same; all ones: nothing is
 * known of. */
u64 modules_due(const struct modules *ms);
/* Can it be asked now, as there is other work to do? */
bool modules_may_retire(const struct modules *ms, u64 now);

/* ns, CLOCK_MONOTONIC */
struct modules_time {
	u64 now;
	/* No sample that was taken before it is still to come, or waits to be
	 * walked. */
	u64 settled;
};

/* Close those that nobody has needed for a minute, or some when it is crowded.  name:
 * called when stacks that have been counted are in the way, to give all of them names.
 * Number of ids that have become free: they are of no module now. */
size_t modules_retire(struct modules *ms, const struct modules_time *time,
		      void (*name)(void *ctx), void *ctx);
/* Is the address in the vDSO of a process that has it at start? Then the file id
 * and the address in it. */
bool modules_vdso_at(const struct modules *ms, u64 start, u64 address,
		     u32 *file, u64 *vaddr);
/* By file id; NULL when there is none. */
const struct module *modules_get(const struct modules *ms, u32 id);
/* Bit per walker id: whose interpreter is in this file. */
u32 modules_walkers(const struct module *m);

struct modules_sum {
	size_t modules;	  /* that were ever known */
	size_t retired;	  /* of them, those that were closed for others */
	size_t refused;	  /* looked at in vain: there are too many */
	u64 without_root; /* roots_refused() */
};
struct modules_sum modules_sum(const struct modules *ms);

#endif
