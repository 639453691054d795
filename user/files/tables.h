/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The unwind tables of modules: which are in the arena, which are wanted there,
 * and which have to leave when there is no more room.
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

/* The arena stays the caller's.  Until tables_bind() gives it the kernel side,
 * only the arena is written. */
struct tables *tables_new(struct arena *a);
void tables_bind(struct tables *t, struct engine *e);
void tables_free(struct tables *t);
/* A new module; its id is the next one, or one that was given back.  It stays the
 * caller's.  stays: it needs not be forgotten when nothing maps it. */
void tables_add(struct tables *t, struct module *m, bool stays);
/* The next id is of no module: a walk that comes to it ends with that status. */
void tables_add_none(struct tables *t, u32 status);

/* The module's table is needed; tables_build() makes it. */
void tables_want(struct tables *t, u32 id);
/* Build wanted tables, on all CPUs at once: at most so many (0: all that there
 * is room for). Returns milliseconds until more can be done, -1: nothing is. */
int tables_build(struct tables *t, size_t max);
/* No sample is taken any more: dropping tables need not be sparing. */
void tables_hurry(struct tables *t);
/* One more, or one less, mapping of a live target is of this file. */
void tables_map(struct tables *t, u32 id);
void tables_unmap(struct tables *t, u32 id);
/* A stack's frames were found with these tables.  time: ns, CLOCK_MONOTONIC. */
void tables_use(struct tables *t, const u64 *word, u32 words, u64 time);
/* Somebody has just looked for this file. */
void tables_touch(struct tables *t, u32 id);
/* ns: when it was last looked for, mapped, or in a stack. */
u64 tables_used(const struct tables *t, u32 id);
/* ns: no file that no live target maps, and does not stay, was last used before that;
 * all ones: there is none.  It is earlier than need be until tables_review(). */
u64 tables_over_since(const struct tables *t);
void tables_review(struct tables *t);
/* Does no live target map it, and was it last used before that time? */
bool tables_is_over(const struct tables *t, u32 id, u64 time);
/* Has a stack a frame in it, of those since tables_named()? */
bool tables_is_sampled(const struct tables *t, u32 id);
/* All frames of all stacks have names: no id is needed for them any more. */
void tables_named(struct tables *t);
/* It is over and in no stack: the id is given back. */
void tables_forget(struct tables *t, u32 id);
/* Chunks for something else; tables make room. 0 or -errno. */
int tables_alloc(struct tables *t, u32 chunks, u32 *first);
/* The rule for an address of a file.  0, CUT_NOT_READY (its table is asked for
 * then), or the reason for which there is none. */
u32 tables_rule(struct tables *t, u32 id, u64 vaddr, struct unwind_rule *rule);
/* Are there more tables wanted than there is room for? */
bool tables_crowded(const struct tables *t);

struct tables_sum {
	size_t tables, rows; /* built, also those that were dropped since */
	size_t made;	     /* the same, and failures */
	size_t dropped, rebuilt;
	size_t refused; /* built, but there was no room */
	u64 build_ns;	/* spent building tables */
};
struct tables_sum tables_sum(const struct tables *t);

#endif
