/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registry of modules: every file that a target maps, once.
 *
 * A file is first only opened and probed by the walkers (cheap: the dynamic
 * symbols); its unwind table is built when a process that is to be sampled maps
 * it.
 */
#ifndef JPBPF_USER_SESSION_MODULES_H
#define JPBPF_USER_SESSION_MODULES_H

#include <stddef.h>
#include <sys/types.h>

#include <stdbool.h>

#include <jpbpf/types.h>

struct engine;
struct map;
struct module;
struct modules; /* opaque */
struct tables;

/* Until modules_bind() gives it, and the tables, the kernel side, only the arena is
 * written: so files can be read while the programs are being loaded.  The tables
 * stay the caller's.  lines: source lines are wanted. */
struct modules *modules_new(const char *proc, struct tables *t, bool lines);
void modules_bind(struct modules *ms, struct engine *e);
void modules_free(struct modules *ms);
struct tables *modules_tables(const struct modules *ms);

/* The module behind a mapping of a process; NULL when it is no ELF file or
 * cannot be opened any more. The module stays the registry's. */
struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map);
/* The same, when the process may have ended meanwhile. */
struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map);
/* The vDSO: the kernel's own, shared by all; NULL when this mapping cannot be all of
 * it.  It is read from our memory, for a target can have written to its own. */
struct module *modules_vdso(struct modules *ms, const struct map *map);
/* Code in a mapping of a process that is no ELF file: anonymous, or of a file that
 * was made for it.  NULL: there are too many modules. */
struct module *modules_code(struct modules *ms, pid_t pid,
			    const struct map *map);
/* No sample that was taken before that time, ns, waits to be walked. */
void modules_settled(struct modules *ms, u64 time);
/* Is the address in the vDSO of a process that has it at start? Then the file id
 * and the address in it. */
bool modules_vdso_at(const struct modules *ms, u64 start, u64 address,
		     u32 *file, u64 *vaddr);
/* By file id; NULL when there is none. */
const struct module *modules_get(const struct modules *ms, u32 id);
/* Bit per walker id: whose interpreter is in this file. */
u32 modules_walkers(const struct module *m);

struct modules_sum {
	size_t modules;
	size_t refused; /* looked at in vain: there are too many */
};
struct modules_sum modules_sum(const struct modules *ms);

#endif
