/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The unwind tables of modules: which are in the arena, which are wanted there, and
 * which have to leave when room is short.
 */
#ifndef JPBPF_USER_FILES_TABLES_H
#define JPBPF_USER_FILES_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct arena;
struct engine;
struct module;
struct tables; /* opaque */
struct unwind_rule;

/* The arena stays the caller's.  Until tables_bind() gives the kernel side, only the
 * arena is written.  Id 0 is no module's: a walk that comes to it ends with
 * CUT_NO_FILE. */
struct tables *tables_new(struct arena *a);
void tables_bind(struct tables *t, struct engine *e);
void tables_free(struct tables *t);
/* Add a module, which stays the caller's.  Its id is the next one, or one that was
 * given back. */
void tables_add(struct tables *t, struct module *m);

/* The module's table is needed; tables_build() makes it. */
void tables_want(struct tables *t, u32 id);
/* The same before any process maps the module.  It is kept for that. */
void tables_expect(struct tables *t, u32 id);
/* Build wanted tables, on all CPUs at once: at most max (0: all that find room).  Those
 * that samples wait for come first, and others only when there are none of these.
 * Returns the milliseconds until more can be done; -1: nothing is wanted. */
int tables_build(struct tables *t, size_t max);
/* No sample is taken any more: building need not pause from now on. */
void tables_hurry(struct tables *t);
/* Count one mapping more or less of this file in live processes. */
void tables_map(struct tables *t, u32 id);
void tables_unmap(struct tables *t, u32 id);
/* A stack's frames were found with these tables.  time: ns, CLOCK_MONOTONIC. */
void tables_use(struct tables *t, const u64 *word, u32 words, u64 time);
/* Somebody has just looked up this file. */
void tables_touch(struct tables *t, u32 id);
/* Forget a file that no live process maps and no stack has.  Its id can be used again. */
void tables_forget(struct tables *t, u32 id);
/* Allocate chunks for something else; tables are dropped for it.  0 or -errno. */
int tables_alloc(struct tables *t, u32 chunks, u32 *first);
/* The rule for an address of a file.  0, CUT_NOT_READY (the table is asked for then),
 * or the status that says why there is none. */
u32 tables_rule(struct tables *t, u32 id, u64 vaddr, struct unwind_rule *rule);
/* Whether more tables were wanted lately than there is room for. */
bool tables_crowded(const struct tables *t);

struct tables_sum {
	size_t tables, rows; /* built, including dropped ones */
	size_t made;	     /* tables built and failures */
	size_t dropped, rebuilt;
	size_t refused; /* built, but without room */
	u64 build_ns;	/* spent building tables */
};
struct tables_sum tables_sum(const struct tables *t);

#endif
