/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registry of modules holds every file that a process maps, once.
 *
 * A file is first only opened and probed by the walkers, which is cheap (the dynamic
 * symbols).  Its unwind table is built when a process that is to be sampled maps it.
 *
 * An open file keeps its file system mounted, and keeps its blocks when it is deleted.
 * So a file that no live process maps any more is closed after a minute, unless a program
 * that maps it is expected.  When ids get scarce, files that were used
 * least recently are closed for new ones.  Ids are used again, but never while a record
 * or a stack without names may hold them.  A file that finds no room all the same gets
 * the id MODULES_NONE and is counted.
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

#define MODULES_NONE 0 /* id of files that found no room */

struct modules_config {
	const char *proc;
	struct tables *tables; /* stay the caller's */
	bool lines;	       /* source lines are wanted */
	u32 max;	       /* files at a time, and the highest id */
	/* Name all counted stacks, because files are to be closed. */
	void (*name)(void *ctx);
	void *ctx;
};

/* The kernel side is given by modules_bind(), to the tables too.  Until then only the
 * arena is written, so files can be read while the programs are being loaded. */
struct modules *modules_new(const struct modules_config *config);
void modules_bind(struct modules *ms, struct engine *e);
void modules_free(struct modules *ms);
struct tables *modules_tables(const struct modules *ms);

/* The module of a process's mapping that existed at that time or later (ns,
 * CLOCK_MONOTONIC).  NULL: it is no ELF file or can no longer be opened.  The module of
 * MODULES_NONE: there are too many.  The module stays the registry's, and valid until
 * the next modules_retire(). */
struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map, u64 time);
/* The same for a process that may have ended meanwhile, or have mapped other files. */
struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map, u64 time);
/* The vDSO's module, shared by all processes.  NULL: this mapping cannot be the whole
 * vDSO.  The vDSO is read from our own memory, because a process can write to its
 * own. */
struct module *modules_vdso(struct modules *ms, const struct map *map);
/* The module of code in a mapping that is no ELF file: anonymous, or of a file made for
 * it.  NULL: the process has gone. */
struct module *modules_code(struct modules *ms, pid_t pid,
			    const struct map *map);
/* Whether so few ids are left that modules_retire() is wanted soon. */
bool modules_crowded(const struct modules *ms);
/* ns: when modules_retire() may next have something to do, even if not crowded; 0:
 * nothing is known of. */
u64 modules_due(const struct modules *ms);
/* Whether modules_retire() is wanted at that time (ns), along with other work. */
bool modules_may_retire(const struct modules *ms, u64 now);
/* Close the files that nobody has needed for a minute, or some when it is crowded.
 * settled (ns): no sample taken earlier is still to come or deferred.  Returns the
 * number of freed ids, which belong to no module now. */
size_t modules_retire(struct modules *ms, u64 now, u64 settled);
/* The module of a file id.  NULL: there is none. */
const struct module *modules_get(const struct modules *ms, u32 id);
/* One bit per walker whose interpreter is in this file. */
u32 modules_walkers(const struct module *m);

struct modules_sum {
	size_t modules;	  /* ever known */
	size_t retired;	  /* closed files */
	size_t refused;	  /* look-ups that found no room */
	u64 without_root; /* roots_refused() */
};
struct modules_sum modules_sum(const struct modules *ms);

#endif
