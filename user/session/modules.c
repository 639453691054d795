/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files are told apart by device, inode, size and time of change, so one opened
 * through any process or mount namespace is recognised.  Files that are no ELF
 * are remembered too, so that they are not opened again for every process.
 *
 * Device and inode as a mapping tells them find a file without opening it, when
 * they are what stat() says (not so on btrfs and overlayfs): a module's file stays
 * open, so its inode cannot become another file's.  For a process that has ended
 * that is the only way; the path must then be the same.
 */
#include "user/session/modules.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <uthash.h>

#include <jpbpf/status.h>

#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/session/engine.h"
#include "user/session/registry.h"
#include "user/session/tables.h"
#include "user/target/code.h"
#include "user/target/module.h"
#include "user/target/process.h"
#include "user/target/root.h"
#include "user/target/vdso.h"
#include "walkers/walker.h"

#define MAX_OTHERS 4096 /* files that are remembered as no ELF */
#define CODE_PART  4	/* of the ids for code that processes made in memory */

/* Its addresses are those of the process. */
static void add_none(struct modules *ms)
{
	static struct module_code nowhere;

	ms->none.m = (struct module){ .id = MODULES_NONE,
				      .fd = -1,
				      .code = &nowhere };
	ms->by_id = xgrow(ms->by_id, ms->n, &ms->capacity, sizeof(*ms->by_id));
	ms->by_id[ms->n++] = NULL;
	if (ms->tables)
		tables_add_none(ms->tables, CUT_NO_FILE);
}

struct modules *modules_new(const struct modules_config *config)
{
	struct modules *ms = xcalloc(1, sizeof(*ms));

	ms->proc = config->proc;
	ms->tables = config->tables;
	ms->lines = config->lines;
	ms->roots = roots_new();
	ids_init(&ms->ids, config->max);
	add_none(ms);
	return ms;
}

void entry_free(struct modules *ms, struct entry *e)
{
	if (e->is_elf) {
		for (size_t i = 0; i < WALKER_COUNT; i++)
			if (e->m.walker[i] && walkers[i]->forget)
				walkers[i]->forget(e->m.walker[i]);
		roots_drop(ms->roots, e->m.root);
		module_close(&e->m);
	}
	free(e);
}

void modules_free(struct modules *ms)
{
	struct mapped *mapped, *after;
	struct entry *e, *next;

	if (!ms)
		return;
	HASH_ITER (hh, ms->by_mapping, mapped, after) {
		HASH_DEL(ms->by_mapping, mapped);
		free(mapped);
	}
	HASH_ITER (hh, ms->by_key, e, next) {
		HASH_DEL(ms->by_key, e);
		entry_free(ms, e);
	}
	if (ms->vdso)
		entry_free(ms, ms->vdso);
	roots_free(ms->roots);
	ids_release(&ms->ids);
	free(ms->by_id);
	free(ms);
}

static void store_walker_file(struct modules *ms, struct entry *e, size_t i)
{
	const struct walker *w = walkers[i];
	u32 id = e->m.id;
	void *value;
	int fd;

	if (!w->file_map)
		return;
	value = xcalloc(1, w->file_value_size);
	w->file_value(e->m.walker[i], value);
	fd = engine_map(ms->engine, w->file_map);
	if (fd < 0 || bpf_map_update_elem(fd, &id, value, BPF_ANY))
		log_err("cannot store what is known of %s: %m", e->m.path);
	free(value);
}

static void probe(struct modules *ms, struct entry *e)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		int got;

		buf_reset(&text);
		got = w->probe(&e->m, &e->m.walker[i], &text);
		if (got < 0) {
			log_warn("%s: %s frames cannot be shown: %s", e->m.path,
				 w->title, buf_text(&text));
			e->m.walker[i] = NULL;
		}
		if (got <= 0)
			continue;
		if (ms->lines && w->find_lines)
			w->find_lines(&e->m, e->m.walker[i]);
		if (ms->engine)
			store_walker_file(ms, e, i);
		if (w->describe)
			w->describe(e->m.walker[i], &text);
		log_debug("%s: %s", e->m.path, buf_text(&text));
	}
	buf_release(&text);
}

/* Thousands of files may be mapped somewhere; what was read of one that is no
 * interpreter's is mostly not needed again. */
static void rest(struct entry *e)
{
	if (!modules_walkers(&e->m))
		module_rest(&e->m);
}

/* false: there is no id left, and that is counted. */
static bool has_room(struct modules *ms, bool for_code)
{
	if (ids_left(&ms->ids) &&
	    (!for_code || ms->n_code <= ms->ids.limit / CODE_PART))
		return true;
	ms->lacking = true;
	ms->sum.refused++;
	return false;
}

/* There is room. */
static struct module *number(struct modules *ms, struct entry *e)
{
	u32 id = ids_take(&ms->ids);

	if (id == ms->n)
		ms->by_id = xgrow(ms->by_id, ms->n++, &ms->capacity,
				  sizeof(*ms->by_id));
	e->m.id = id;
	ms->by_id[id] = e;
	ms->sum.modules++;
	tables_add(ms->tables, &e->m);
	if (!e->m.code) {
		probe(ms, e);
		rest(e);
	}
	return &e->m;
}

/* Programs that map a new file each time for what they make in memory would have us
 * remember ever more. */
static void forget_others(struct modules *ms)
{
	struct mapped *mapped, *after;
	struct entry *e, *next;

	HASH_ITER (hh, ms->by_mapping, mapped, after) {
		if (mapped->entry->is_elf)
			continue;
		HASH_DEL(ms->by_mapping, mapped);
		free(mapped);
	}
	HASH_ITER (hh, ms->by_key, e, next) {
		if (e->is_elf)
			continue;
		HASH_DEL(ms->by_key, e);
		entry_free(ms, e);
	}
	ms->n_others = 1;
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* What the file was found to be; takes fd. */
static struct entry *new_entry(struct modules *ms, pid_t pid, int fd,
			       const struct map *map,
			       const struct module_key *key)
{
	struct entry *e = xcalloc(1, sizeof(*e));

	e->key = *key;
	e->opened = now_ns();
	e->is_elf = module_open(&e->m, fd, map->path) == 0;
	e->m.key = *key;
	if (e->is_elf)
		e->m.root = roots_hold(ms->roots, ms->proc, pid);
	if (!e->is_elf && ++ms->n_others > MAX_OTHERS)
		forget_others(ms);
	HASH_ADD(hh, ms->by_key, key, sizeof(e->key), e);
	if (e->is_elf)
		number(ms, e);
	return e;
}

/* Takes fd; NULL when that is an error. */
static struct entry *open_entry(struct modules *ms, pid_t pid, int fd,
				const struct map *map)
{
	struct module_key key;
	struct entry *e;
	struct stat st;

	if (fd < 0)
		return NULL;
	/* Another file may have been mapped there meanwhile.  Some file systems show
	 * another device in maps than here, and then the inode says nothing. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (st.st_dev == map->dev && st.st_ino != map->ino)) {
		close(fd);
		return NULL;
	}
	/* Padding is part of the hashed key. */
	memset(&key, 0, sizeof(key));
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	key.size = st.st_size;
	key.mtime_ns = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	HASH_FIND(hh, ms->by_key, &key, sizeof(key), e);
	if (!e && has_room(ms, false))
		return new_entry(ms, pid, fd, map, &key);
	close(fd);
	return e ? e : &ms->none;
}

static struct mapped *find_mapped(struct modules *ms, const struct map *map)
{
	struct mapped_key key = { map->dev, map->ino };
	struct mapped *found;

	HASH_FIND(hh, ms->by_mapping, &key, sizeof(key), found);
	return found;
}

/* The entry is what these mappings are of. */
static void remember(struct modules *ms, const struct map *map, struct entry *e)
{
	struct mapped *found = find_mapped(ms, map);

	if (!found) {
		found = xcalloc(1, sizeof(*found));
		found->key = (struct mapped_key){ map->dev, map->ino };
		HASH_ADD(hh, ms->by_mapping, key, sizeof(found->key), found);
	}
	found->entry = e;
}

static bool is_unchanged(const struct entry *e)
{
	struct stat st;

	return !fstat(e->m.fd, &st) && e->key.size == (u64)st.st_size &&
	       e->key.mtime_ns ==
		       st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
}

/* A container that has ended must not stay mounted for what others map as well: the
 * file is now the one's that maps it now. */
static void move_root(struct modules *ms, struct entry *e, pid_t pid,
		      const struct map *map)
{
	const struct root *old = e->m.root, *root;

	if (!old)
		return;
	root = roots_hold(ms->roots, ms->proc, pid);
	if (root == old || !root_is_known(root)) {
		roots_drop(ms->roots, root);
		return;
	}
	roots_drop(ms->roots, old);
	e->m.root = root;
	module_move(&e->m, map->path);
}

/* A file that was open by that time already and has not changed since.  One that was
 * opened later can have the inode of the one that was mapped, which has gone. */
static struct entry *find_open(struct modules *ms, const struct map *map,
			       u64 time)
{
	struct mapped *found = find_mapped(ms, map);
	struct entry *e = found ? found->entry : NULL;

	return e && e->is_elf && e->opened < time && is_unchanged(e) ? e : NULL;
}

static struct entry *find_entry(struct modules *ms, pid_t pid,
				const struct map *map, u64 time)
{
	struct entry *e = find_open(ms, map, time);

	if (!e || e->key.dev != map->dev) {
		e = open_entry(ms, pid, process_open_map(ms->proc, pid, map),
			       map);
		if (!e || e == &ms->none)
			return e;
		remember(ms, map, e);
	}
	move_root(ms, e, pid, map);
	return e;
}

/* NULL when it is none. */
static struct module *module_of(struct modules *ms, struct entry *e)
{
	if (e == &ms->none)
		return &e->m;
	if (!e || !e->is_elf)
		return NULL;
	tables_touch(ms->tables, e->m.id);
	return &e->m;
}

struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map, u64 time)
{
	return module_of(ms, find_entry(ms, pid, map, time));
}

/* Another one, which has been mapped at the same addresses since? Where devices are
 * not what stat() says, inodes need not be. */
static bool is_other(const struct entry *e, const struct map *map)
{
	return e->key.dev == map->dev && e->key.ino != map->ino;
}

struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map, u64 time)
{
	struct entry *e = find_entry(ms, pid, map, time);

	if (e && e != &ms->none && is_other(e, map))
		e = NULL;
	if (!e) {
		e = find_open(ms, map, time);
		if (e && strcmp(e->m.path, map->path))
			e = NULL;
	}
	if (!e)
		e = open_entry(ms, getpid(),
			       process_open_path(ms->proc, getpid(), map), map);
	return module_of(ms, e);
}

struct module *modules_vdso(struct modules *ms, const struct map *map)
{
	if (!ms->vdso) {
		struct entry *e = xcalloc(1, sizeof(*e));

		if (!has_room(ms, false) || vdso_open(&e->m, ms->proc)) {
			free(e);
			return NULL;
		}
		e->is_elf = true;
		ms->vdso = e;
		number(ms, e);
	}
	if (map->end - map->start != ms->vdso->m.key.size)
		return NULL;
	return &ms->vdso->m;
}

struct module *modules_code(struct modules *ms, pid_t pid,
			    const struct map *map)
{
	struct module_key key;
	struct entry *e;

	if (code_key(ms->proc, pid, map->start, &key))
		return NULL;
	HASH_FIND(hh, ms->by_key, &key, sizeof(key), e);
	if (e || !has_room(ms, true))
		return module_of(ms, e ? e : &ms->none);
	e = xcalloc(1, sizeof(*e));
	e->key = key;
	e->is_elf = true;
	code_open(&e->m, ms->proc, pid, &e->key);
	e->m.root = roots_hold(ms->roots, ms->proc, pid);
	HASH_ADD(hh, ms->by_key, key, sizeof(e->key), e);
	ms->n_code++;
	return number(ms, e);
}

bool modules_vdso_at(const struct modules *ms, u64 start, u64 address,
		     u32 *file, u64 *vaddr)
{
	u64 first;

	if (!ms->vdso || !start || address - start >= ms->vdso->m.key.size ||
	    module_offset_to_vaddr(&ms->vdso->m, 0, &first))
		return false;
	*file = ms->vdso->m.id;
	*vaddr = address - start + first;
	return true;
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
