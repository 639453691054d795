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

struct arena;
struct engine;
struct map;
struct module;
struct modules; /* opaque */
struct unwind_rule;

/* Until modules_bind() gives it the kernel side, only the arena is written: so
 * files can be read while the programs are being loaded.  The arena stays the
 * caller's.  lines: source lines are wanted. */
struct modules *modules_new(const char *proc, struct arena *a, bool lines);
void modules_bind(struct modules *ms, struct engine *e);
void modules_free(struct modules *ms);

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
/* Is the address in the vDSO of a process that has it at start? Then the file id
 * and the address in it. */
bool modules_vdso_at(const struct modules *ms, u64 start, u64 address,
		     u32 *file, u64 *vaddr);
/* Its unwind table is needed; modules_build() makes it. */
void modules_want(struct modules *ms, struct module *m);
/* Build wanted tables, on all CPUs at once: at most so many (0: all). Returns how
 * many are still wanted. */
size_t modules_build(struct modules *ms, size_t max);
/* By file id; NULL when there is none. */
const struct module *modules_get(const struct modules *ms, u32 id);
/* The rule for an address of a file.  0, CUT_NOT_READY (its table is asked for
 * then), CUT_NO_TABLE. */
u32 modules_rule(struct modules *ms, u32 id, u64 vaddr,
		 struct unwind_rule *rule);
/* Bit per walker id: whose interpreter is in this file. */
u32 modules_walkers(const struct module *m);

struct modules_sum {
	size_t modules, tables, rows;
	size_t made;  /* tables, and failures to make one */
	u64 build_ns; /* spent building tables */
};
struct modules_sum modules_sum(const struct modules *ms);

#endif
