/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Fills the registry of modules, and answers look-ups by id. */
#include "user/files/modules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "user/lib/buf.h"
#include "user/lib/hash.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/registry.h"
#include "user/files/tables.h"
#include "user/elf/code.h"
#include "user/elf/module.h"
#include "user/target/proc.h"
#include "user/target/root.h"
#include "walkers/walker.h"

#define MAX_TOLD 3 /* files that cannot be read */

/* Make the module of MODULES_NONE.  Its addresses are those of the process. */
static void add_none(struct modules *ms)
{
	static struct module_code nowhere;

	ms->none.m = (struct module){ .id = MODULES_NONE,
				      .fd = -1,
				      .code = &nowhere };
	ms->by_id = xgrow(ms->by_id, ms->n, &ms->capacity, sizeof(*ms->by_id));
	ms->by_id[ms->n++] = NULL;
}

struct modules *modules_new(const struct modules_config *config)
{
	struct modules *ms = xcalloc(1, sizeof(*ms));

	ms->config = *config;
	ms->tables = config->tables;
	ms->roots = roots_new();
	add_none(ms);
	return ms;
}

void registry_free(struct modules *ms, struct module_entry *e)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (e->m.walker[i] && walkers[i]->file.forget)
			walkers[i]->file.forget(e->m.walker[i]);
	roots_drop(ms->roots, e->m.root);
	module_close(&e->m);
	free(e);
}

void modules_free(struct modules *ms)
{
	struct module_entry *e, *next;

	if (!ms)
		return;
	HASH_CLEAR(hh_mapping, ms->by_mapping);
	HASH_ITER (hh, ms->by_key, e, next) {
		HASH_DEL(ms->by_key, e);
		registry_free(ms, e);
	}
	roots_free(ms->roots);
	free(ms->by_id);
	free(ms);
}

static void store_walker_file(struct modules *ms, struct module_entry *e,
			      size_t i)
{
	const struct walker *w = walkers[i];
	u32 id = e->m.id;
	void *value;
	int fd;

	if (!w->file.map)
		return;
	value = xcalloc(1, w->file.value_size);
	w->file.value(e->m.walker[i], value);
	fd = engine_map(ms->engine, w->file.map);
	if (fd < 0 || bpf_map_update_elem(fd, &id, value, BPF_ANY))
		log_err("cannot store what is known of %s: %m", e->m.path);
	free(value);
}

static void probe(struct modules *ms, struct module_entry *e)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		int got;

		buf_reset(&text);
		got = w->file.probe(&e->m, &e->m.walker[i], &text);
		if (got < 0) {
			log_warn("%s: %s frames cannot be shown: %s", e->m.path,
				 w->title, buf_text(&text));
			e->m.walker[i] = NULL;
		}
		if (got <= 0)
			continue;
		if (ms->config.lines && w->file.find_lines)
			w->file.find_lines(&e->m, e->m.walker[i]);
		if (ms->engine)
			store_walker_file(ms, e, i);
		if (w->file.describe)
			w->file.describe(e->m.walker[i], &text);
		log_debug("%s: %s", e->m.path, buf_text(&text));
	}
	buf_release(&text);
}

bool registry_has_room(struct modules *ms)
{
	bool has = ms->used < ms->config.max && heap_fits(HEAP_FILES, 0);

	ms->sum.refused += !has;
	return has;
}

/* Of the free ids, the one that was given out longest ago. */
static u32 next_id(struct modules *ms)
{
	do
		ms->last = ms->last % ms->config.max + 1;
	while (ms->last < ms->n && ms->by_id[ms->last]);
	ms->used++;
	return ms->last;
}

struct module *registry_number(struct modules *ms, struct module_entry *e)
{
	u32 id = next_id(ms);

	if (id == ms->n)
		ms->by_id = xgrow(ms->by_id, ms->n++, &ms->capacity,
				  sizeof(*ms->by_id));
	e->m.id = id;
	ms->by_id[id] = e;
	HASH_ADD(hh, ms->by_key, m.key, sizeof(e->m.key), e);
	ms->sum.modules++;
	tables_add(ms->tables, &e->m);
	if (!e->m.code)
		probe(ms, e);
	/* Thousands of files may be mapped.  What was read of a file without an
	 * interpreter is mostly not needed again. */
	if (!modules_walkers(&e->m))
		module_rest(&e->m);
	return &e->m;
}

struct module *registry_module(struct modules *ms, struct module_entry *e)
{
	if (e && e != &ms->none)
		tables_touch(ms->tables, e->m.id);
	return e ? &e->m : NULL;
}

struct module *modules_vdso(struct modules *ms, const struct map *map)
{
	if (!ms->vdso) {
		struct module_entry *e = xcalloc(1, sizeof(*e));

		if (!registry_has_room(ms) || vdso_open(&e->m)) {
			free(e);
			return NULL;
		}
		ms->vdso = e;
		registry_number(ms, e);
		/* The vDSO stays in use as long as this program runs. */
		tables_map(ms->tables, e->m.id);
	}
	if (map->end - map->start != ms->vdso->m.key.size)
		return NULL;
	return &ms->vdso->m;
}

/* The path of a mapped file that cannot be read; "" if there is none. */
static const char *unread_file(struct modules *ms, pid_t pid,
			       const struct map *map)
{
	int fd = map->ino && map->path
			 ? proc_open_map(ms->config.proc, pid, map)
			 : -ESRCH;

	if (fd >= 0)
		close(fd);
	if (fd >= 0 || fd == -ESRCH)
		return "";
	if (ms->unread++ < MAX_TOLD)
		log_warn("%s of process %d has no names: %s", map->path, pid,
			 fd == -ENXIO ? "its file system is not mounted any "
					"more, or is a user's own (FUSE): "
					"start it from a mounted one"
				      : strerror(-fd));
	return map->path;
}

struct module *modules_code(struct modules *ms, pid_t pid,
			    const struct map *map)
{
	struct module_key key;
	struct module_entry *e;

	if (code_key(ms->config.proc, pid, map->start, &key))
		return NULL;
	HASH_FIND(hh, ms->by_key, &key, sizeof(key), e);
	if (e || !registry_has_room(ms))
		return registry_module(ms, e ? e : &ms->none);
	e = xcalloc(1, sizeof(*e));
	code_open(&e->m, ms->config.proc, pid, &key, unread_file(ms, pid, map));
	e->m.root = roots_hold(ms->roots, ms->config.proc, pid);
	return registry_number(ms, e);
}

void modules_bind(struct modules *ms, struct engine *e)
{
	ms->engine = e;
	for (size_t i = 1; i < ms->n; i++)
		for (size_t w = 0; w < WALKER_COUNT; w++)
			if (ms->by_id[i]->m.walker[w])
				store_walker_file(ms, ms->by_id[i], w);
	tables_bind(ms->tables, e);
}

struct tables *modules_tables(const struct modules *ms)
{
	return ms->tables;
}

const struct module *modules_get(const struct modules *ms, u32 id)
{
	return id < ms->n && ms->by_id[id] ? &ms->by_id[id]->m : NULL;
}

u32 modules_walkers(const struct module *m)
{
	u32 bits = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (m->walker[i])
			bits |= 1u << i;
	return bits;
}

struct modules_sum modules_sum(const struct modules *ms)
{
	struct modules_sum sum = ms->sum;

	sum.without_root = roots_refused(ms->roots);
	return sum;
}
