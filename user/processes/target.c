/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Publishing a process: mappings into the arena, walkers' values into their
 * maps, and last the entry, so that a sample never finds half of it.
 *
 * Every publication has a new serial: with it all cached rules of the process
 * are void, so a file that was unmapped and another mapped in its place cannot be
 * mixed up.
 */
#include "user/processes/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/kernel/look.h"
#include "user/files/modules.h"
#include "user/kernel/part.h"
#include "user/processes/space.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/target/presence.h"
#include "user/unwind/arena.h"
#include "walkers/walker.h"

#define MAX_MAPPINGS 65535u
#define MAX_TRIES    8 /* a running target may be read at a bad moment */

/* A file can be mapped ten thousand times, and is opened to be known: within one
 * reading of maps the next mapping of the same file need not be. */
struct lately {
	u64 time; /* maps.time */
	const struct map *map;
	struct module *m;
};

static bool same_file(const struct map *a, const struct map *b)
{
	return a && a->ino == b->ino && a->dev == b->dev &&
	       !strcmp(a->path, b->path);
}

static bool is_vdso(const struct map *map)
{
	return !map->ino && !strcmp(map->path, "[vdso]");
}

static struct module *module_of(const struct target_env *env, pid_t pid,
				const struct map *map, struct lately *lately)
{
	struct module *m = NULL;

	if (!map->executable || !strcmp(map->path, "[vsyscall]"))
		return NULL;
	if (is_vdso(map))
		return modules_vdso(env->modules, map);
	if (map->ino && !same_file(lately->map, map)) {
		lately->map = map;
		lately->m = modules_find(env->modules, pid, map, lately->time);
	}
	if (map->ino)
		m = lately->m;
	return m ? m : modules_code(env->modules, pid, map);
}

int target_walkers(const struct target_env *env, pid_t pid,
		   const struct maps *maps)
{
	struct lately lately = { .time = maps->time };
	u32 bits = 0;

	for (size_t i = 0; i < maps->n; i++) {
		struct module *m = module_of(env, pid, &maps->map[i], &lately);

		if (m)
			bits |= modules_walkers(m);
	}
	return bits;
}

void target_want(const struct target_env *env, pid_t pid,
		 const struct maps *maps)
{
	struct lately lately = { .time = maps->time };

	for (size_t i = 0; i < maps->n; i++) {
		struct module *m = module_of(env, pid, &maps->map[i], &lately);

		if (m)
			tables_want(modules_tables(env->modules), m->id);
	}
}

/* One mapping; false: it has no address in the file. */
static bool fill_mapping(struct unwind_mapping *out, const struct map *map,
			 const struct module *m)
{
	u64 vaddr;

	if (m->code)
		vaddr = map->start - m->code->base;
	else if (module_offset_to_vaddr(m, m->image ? 0 : map->offset, &vaddr))
		return false;
	*out = (struct unwind_mapping){
		.start = map->start,
		.end = map->end,
		.bias = map->start - vaddr,
		.file = m->id,
	};
	return true;
}

/* What a target maps, and which modules hold an interpreter in it. */
struct survey {
	struct unwind_mapping *mapping;
	struct module **module; /* of each mapping */
	size_t n, capacity, module_capacity;
	bool partial; /* some have no module */
	const struct module *with[WALKER_COUNT];
	u64 bias[WALKER_COUNT];
};

static void survey_add(struct survey *s, const struct unwind_mapping *mapping,
		       struct module *m)
{
	if (s->n >= MAX_MAPPINGS)
		return;
	s->mapping = xgrow(s->mapping, s->n, &s->capacity, sizeof(*s->mapping));
	s->module =
		xgrow(s->module, s->n, &s->module_capacity, sizeof(*s->module));
	s->partial |= m->id == MODULES_NONE;
	s->module[s->n] = m;
	s->mapping[s->n++] = *mapping;
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!m->walker[i])
			continue;
		s->with[i] = m;
		s->bias[i] = mapping->bias;
	}
}

static void survey(const struct target_env *env, pid_t pid,
		   const struct maps *maps, struct survey *s)
{
	struct lately lately = { .time = maps->time };

	for (size_t i = 0; i < maps->n; i++) {
		struct module *m = module_of(env, pid, &maps->map[i], &lately);
		struct unwind_mapping mapping;

		if (!m || !fill_mapping(&mapping, &maps->map[i], m))
			continue;
		survey_add(s, &mapping, m);
	}
}

static struct target_run *store_run(const struct target_env *env,
				    const struct survey *s)
{
	struct tables *tables = modules_tables(env->modules);
	struct target_run *run = xcalloc(1, sizeof(*run));

	run->maps = s->n;
	run->chunks = (s->n + 1) / 2;
	run->users = 1;
	if (run->chunks && tables_alloc(tables, run->chunks, &run->first)) {
		free(run);
		return NULL;
	}
	run->mapping = xmalloc(s->n * sizeof(*run->mapping) + 1);
	for (size_t i = 0; i < s->n; i++) {
		struct unwind_mapping *pair =
			arena_chunk(env->arena, run->first + i / 2);

		run->mapping[i] = s->mapping[i];
		tables_map(tables, s->mapping[i].file);
		pair[i & 1] = s->mapping[i];
		if (!(i & 1))
			memset(&pair[1], 0xff, sizeof(pair[1]));
	}
	return run;
}

static enum target_walker state_after(int attached)
{
	if (attached > 0)
		return WALKER_PROVEN;
	switch (attached) {
	case -EAGAIN:
	case -ENODATA:
	case -ENOTSUP:
		return WALKER_UNPROVEN;
	default:
		return WALKER_WAITING;
	}
}

/* What has failed for long is said, and given up unless it can come yet. */
static void note_failure(struct target *t, size_t i, int err, const char *why)
{
	bool is_said = t->tries[i] == MAX_TRIES;

	if (err >= 0 || err == -ESRCH || err == -EAGAIN)
		return;
	t->tries[i] += !is_said;
	if (t->tries[i] < MAX_TRIES || (err == -ENODATA && is_said))
		return;
	if (err != -ENODATA)
		t->walker[i] = WALKER_REFUSED;
	log_warn("process %d: %s frames cannot be shown%s: %s", t->pid,
		 walkers[i]->title, err == -ENODATA ? " yet" : "", why);
}

/* Let one walker prove itself on the process. */
static void attach(const struct target_env *env, struct target *t,
		   const struct survey *s, const struct maps *maps, size_t i)
{
	const struct walker *w = walkers[i];
	_Alignas(8) char value[4096] = { 0 };
	struct buf why = { 0 };
	int got = 1;

	presence_forget();
	if (w->attach)
		got = w->attach(t->pid, s->with[i], s->bias[i], maps,
				s->with[i]->walker[i], value, &why);
	presence_forget();
	t->walker[i] = state_after(got);
	note_failure(t, i, got, buf_text(&why));
	/* What lines will need, as the process can be gone when they are written. */
	if (got > 0 && w->process_texts && env->keep.add)
		w->process_texts(env->proc, t->pid, value, &env->keep);
	if (got <= 0)
		part_drop(env->engine, w, t->pid);
	else if (part_put(env->engine, w, t->pid, value))
		/* Its frames are counted as those of one that is not proven. */
		t->walker[i] = WALKER_WAITING;
	buf_release(&why);
}

/* Let those that can prove themselves.  Bits: which just have. */
static u32 attach_all(const struct target_env *env, struct target *t,
		      const struct survey *s, const struct maps *maps)
{
	u32 bits = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!s->with[i] || t->walker[i] == WALKER_REFUSED ||
		    t->walker[i] == WALKER_PROVEN)
			continue;
		attach(env, t, s, maps, i);
		if (t->walker[i] == WALKER_PROVEN)
			bits |= 1u << i;
	}
	return bits;
}

/* Without an entry for it nobody would take away what these walkers have: the process
 * has ended, or begun another program, or there was no room. */
static void keep_attached(const struct target_env *env, struct target *t,
			  u32 bits)
{
	struct process_entry now = { 0 };

	if (!bits || (!engine_get_process(env->engine, t->pid, &now) &&
		      now.serial == t->serial))
		return;
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!(bits >> i & 1))
			continue;
		part_drop(env->engine, walkers[i], t->pid);
		t->walker[i] = WALKER_WAITING;
	}
}

static u32 next_serial(void)
{
	static u32 serial;

	serial = (serial + 1) & ~SERIAL_FROM_KERNEL;
	return serial ? serial : ++serial;
}

static u32 walker_bits(const struct target *t)
{
	u32 bits = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (t->walker[i] == WALKER_PROVEN ||
		    t->walker[i] == WALKER_WAITING)
			bits |= 1u << i;
	return bits;
}

/* Leave out what may be something else by now, for all that the entry with that serial
 * knows.  false: nothing is. */
static bool survey_forget(struct survey *s, const struct look *look, u32 serial)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (look_hits(look, serial, s->mapping[i].start,
			      s->mapping[i].end))
			continue;
		s->mapping[n] = s->mapping[i];
		s->module[n++] = s->module[i];
	}
	if (n == s->n)
		return false;
	s->n = n;
	return true;
}

/* Does the entry say all this already? Then what is cached of it stays good. */
static bool is_published(const struct target *t, const struct survey *s,
			 const struct process_entry *entry)
{
	return t->run && entry->state == PROCESS_READY &&
	       entry->serial == t->serial && entry->gone_of != entry->serial &&
	       entry->walkers == walker_bits(t) &&
	       entry->maps_first == t->run->first && t->run->maps == s->n &&
	       (!s->n || !memcmp(t->run->mapping, s->mapping,
				 s->n * sizeof(*s->mapping)));
}

/* An entry whose process has ended meanwhile would stay for ever. */
static int put_entry(const struct target_env *env, pid_t pid,
		     const struct process_entry *entry, bool had_one)
{
	int err;

	if (!had_one)
		return engine_put_process(env->engine, pid, entry);
	err = engine_change_process(env->engine, pid, entry);
	return err == -ENOENT ? -ESRCH : err;
}

/* Write the entry, unless the kernel side has changed it since before. */
static int publish(const struct target_env *env, struct target *t,
		   const struct target_run *run,
		   const struct process_entry *before)
{
	struct process_entry now = { 0 }, entry = {
		.serial = next_serial(),
		.state = PROCESS_READY,
		.maps_first = run->first,
		.maps = run->maps,
		.walkers = walker_bits(t),
		.memory = before->memory,
	};
	int err;

	/* An entry that the notices have not told of may be about another program
	 * than it seems. */
	if (before->memory && before->memory_of == before->serial &&
	    before->serial == t->serial)
		entry.memory_of = entry.serial;
	engine_get_process(env->engine, t->pid, &now);
	if (now.serial != before->serial)
		return -EAGAIN;
	err = put_entry(env, t->pid, &entry, t->serial || before->serial);
	if (!err)
		t->serial = entry.serial;
	return err;
}

/* The survey's mappings take the place of what the target had. */
static int replace_once(const struct target_env *env, struct target *t,
			const struct survey *s,
			const struct process_entry *before)
{
	struct target_run *run = store_run(env, s);
	struct target old = *t;
	int err;

	if (!run)
		return -ENOSPC;
	err = publish(env, t, run, before);
	if (err)
		old.run = run;
	else
		t->run = run;
	target_drop_run(env, &old);
	return err;
}

/* The kernel side tells of what is replaced from now on.  What was replaced until it
 * had the entry is known now: that entry was there for a moment only. */
static int replace(const struct target_env *env, struct target *t,
		   struct survey *s, const struct process_entry *before)
{
	const struct look *look = engine_look(env->engine);
	struct process_entry entry = *before;
	int err;

	t->dirty |= survey_forget(s, look, 0);
	for (size_t i = 0; i < TARGET_PUTS; i++) {
		err = replace_once(env, t, s, &entry);
		if (err || !survey_forget(s, look, t->serial))
			return err;
		t->dirty = true;
		t->doubtful[i] = t->serial;
		entry.serial = t->serial;
		entry.memory_of = 0;
	}
	return 0;
}

int target_publish(const struct target_env *env, struct target *t,
		   const struct maps *maps, const struct process_entry *before)
{
	struct survey s = { 0 };
	u32 attached;
	int err = 0;

	memset(t->doubtful, 0, sizeof(t->doubtful));
	survey(env, t->pid, maps, &s);
	t->partial = s.partial;
	attached = attach_all(env, t, &s, maps);
	if (!is_published(t, &s, before))
		err = replace(env, t, &s, before);
	keep_attached(env, t, attached);
	for (size_t i = 0; i < s.n && !err; i++)
		tables_want(modules_tables(env->modules), s.module[i]->id);
	free(s.mapping);
	free(s.module);
	return err;
}

struct unwind_mapping target_mapping(const struct target_env *env, pid_t pid,
				     const struct map *map, u64 time)
{
	struct unwind_mapping mapping = {
		.start = map->start,
		.end = map->end,
		.file = SPACE_NO_FILE,
	};
	struct module *m = NULL;

	if (map->ino)
		m = modules_find_late(env->modules, pid, map, time);
	else if (is_vdso(map))
		m = modules_vdso(env->modules, map);
	if (m)
		fill_mapping(&mapping, map, m);
	return mapping;
}

void target_inherit(struct target *child, const struct target *parent)
{
	child->run = parent->run;
	if (child->run)
		child->run->users++;
	memcpy(child->walker, parent->walker, sizeof(child->walker));
	child->listed = parent->listed;
	child->counted = false;
}
