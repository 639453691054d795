/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arena has a limit.  A table that does not fit takes the place of others: first of
 * those that no live process maps and nobody has looked up lately, then of those used
 * least recently.  A table is used when a sampled stack has a frame in its file, or
 * when a deferred sample is walked with it.
 *
 * The kernel side may be reading a table that is dropped.  So only its number of chunks
 * becomes 0, which a walk reads first and once.  A walk that has read it already finds
 * the chunks unchanged until arena_sync() says that there is no such walk any more.  A
 * rebuilt table is the same as before, so a walk that mixes both is right as well.
 *
 * Samples that need a dropped table are deferred (bpf/defer.bpf.c), and walking them
 * asks for the table.  When the running programs need more tables than there is room
 * for, this would go round in circles.  Building then pauses, so that it takes about a
 * tenth of a CPU.
 */
#include "user/files/tables.h"

#include <errno.h>
#include <stdlib.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/tables_entry.h"
#include "user/elf/module.h"
#include "user/unwind/arena.h"
#include "user/unwind/table.h"

#define IDLE	1000000000ull  /* ns unused: then it is idle */
#define CROWDED 10000000000ull /* ns: after the last drop */

static struct table_entry *next_entry(struct tables *t)
{
	t->entry = xgrow(t->entry, t->n, &t->capacity, sizeof(*t->entry));
	return &t->entry[t->n++];
}

struct tables *tables_new(struct arena *a)
{
	struct tables *t = xcalloc(1, sizeof(*t));

	t->arena = a;
	/* The entry of id 0 looks like that of a table that could not be built. */
	*next_entry(t) = (struct table_entry){ .file.rules = CUT_NO_FILE,
					       .wanted = true };
	return t;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	free(t->entry);
	free(t->wanted);
	free(t);
}

void tables_add(struct tables *t, struct module *m)
{
	struct table_entry *e = m->id < t->n ? &t->entry[m->id] : next_entry(t);

	*e = (struct table_entry){ .m = m, .used = now_ns() };
	t->unmapped = true;
}

void tables_show(const struct tables *t, size_t id)
{
	if (t->engine)
		engine_put_file(t->engine, id, &t->entry[id].file);
}

void tables_bind(struct tables *t, struct engine *e)
{
	t->engine = e;
	for (size_t i = 0; i < t->n; i++)
		tables_show(t, i);
}

static void want(struct tables *t, u32 id)
{
	struct table_entry *e = &t->entry[id];

	if (e->wanted || (e->not_before && now_ns() < e->not_before))
		return;
	e->wanted = true;
	t->wanted = xgrow(t->wanted, t->n_wanted, &t->wanted_capacity,
			  sizeof(*t->wanted));
	t->wanted[t->n_wanted++] = id;
}

void tables_want(struct tables *t, u32 id)
{
	/* When room is short, only tables that samples need are built. */
	if (!tables_crowded(t))
		want(t, id);
}

void tables_expect(struct tables *t, u32 id)
{
	t->entry[id].expected = true;
	tables_want(t, id);
}

static bool is_idle(const struct table_entry *e, u64 now)
{
	return !e->maps && now - e->used > IDLE;
}

/* Whether a is to be dropped before b. */
static bool is_staler(const struct table_entry *a, const struct table_entry *b,
		      u64 now)
{
	bool idle = is_idle(a, now);

	return idle != is_idle(b, now) ? idle : a->used < b->used;
}

/* The table that is needed least, except those of the batch being stored. */
static struct table_entry *find_victim(const struct tables *t, u64 now)
{
	struct table_entry *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct table_entry *e = &t->entry[i];

		if (e->file.chunks && e->used < t->batch &&
		    (!found || is_staler(e, found, now)))
			found = e;
	}
	return found;
}

/* Take the table away from the kernel side. */
static void hide(struct tables *t, struct table_entry *e)
{
	struct unwind_file file = e->file;

	e->file = (struct unwind_file){ 0 };
	tables_show(t, e - t->entry);
	if (file.chunks)
		table_drop(t->arena, &file);
}

void tables_forget(struct tables *t, u32 id)
{
	struct table_entry *e = &t->entry[id];
	size_t n = 0;

	hide(t, e);
	for (size_t i = 0; e->wanted && i < t->n_wanted; i++)
		if (t->wanted[i] != id)
			t->wanted[n++] = t->wanted[i];
	if (e->wanted)
		t->n_wanted = n;
	*e = (struct table_entry){ .wanted = true };
}

static void drop(struct tables *t, struct table_entry *e, u64 now)
{
	if (!is_idle(e, now))
		t->crowded = now;
	hide(t, e);
	e->wanted = false;
	e->dropped = true;
	t->sum.dropped++;
	log_debug("%s: unwind table dropped: no room", e->m->path);
}

/* Drop tables of at least so many chunks together, or all.  Returns false when there
 * are none. */
static bool drop_some(struct tables *t, u32 chunks)
{
	u64 now = now_ns();
	u32 dropped = 0;
	struct table_entry *e;

	while (dropped < chunks && (e = find_victim(t, now))) {
		dropped += e->chunks;
		drop(t, e, now);
	}
	return dropped > 0;
}

int tables_fit(struct tables *t, u32 chunks)
{
	int err = arena_reserve(t->arena, chunks);
	bool more = true;

	if (err != -ENOSPC || chunks > arena_limit(t->arena))
		return err;
	if (arena_sync(t->arena))
		err = arena_reserve(t->arena, chunks);
	/* Dropped chunks need not be adjacent: it may take more of them. */
	while (err == -ENOSPC && more) {
		more = drop_some(t, chunks);
		if (!arena_sync(t->arena))
			return -EAGAIN;
		err = arena_reserve(t->arena, chunks);
	}
	return err;
}

int tables_alloc(struct tables *t, u32 chunks, u32 *first)
{
	int err;

	t->batch = now_ns();
	err = tables_fit(t, chunks);
	return err ? err : arena_alloc(t->arena, chunks, first);
}

void tables_hurry(struct tables *t)
{
	t->hurry = true;
	t->pause = 0;
}

/* A sample needs the table. */
static struct table_entry *need(struct tables *t, u32 id)
{
	struct table_entry *e = &t->entry[id];

	want(t, id);
	e->asked |= !e->file.chunks;
	return e;
}

u32 tables_rule(struct tables *t, u32 id, u64 vaddr, struct unwind_rule *rule)
{
	struct table_entry *e = need(t, id);

	e->used = now_ns();
	if (!e->file.chunks)
		return e->file.rules ? e->file.rules : CUT_NOT_READY;
	*rule = *table_find(t->arena, &e->file, vaddr);
	return 0;
}

bool tables_crowded(const struct tables *t)
{
	return t->crowded && now_ns() - t->crowded < CROWDED;
}

struct tables_sum tables_sum(const struct tables *t)
{
	return t->sum;
}

void tables_map(struct tables *t, u32 id)
{
	t->entry[id].maps++;
}

void tables_unmap(struct tables *t, u32 id)
{
	t->entry[id].maps--;
	t->entry[id].used = now_ns();
	t->unmapped |= !t->entry[id].maps;
}

void tables_use(struct tables *t, const u64 *word, u32 words, u64 time)
{
	for (u32 i = 0; i < words; i += 1 + frame_extra(word[i])) {
		u32 id = frame_file(word[i]);
		struct table_entry *e;

		if (frame_kind(word[i]) != FRAME_NATIVE || id >= t->n)
			continue;
		e = need(t, id);
		e->sampled = true;
		if (e->used < time)
			e->used = time;
	}
}

void tables_touch(struct tables *t, u32 id)
{
	t->entry[id].used = now_ns();
}
