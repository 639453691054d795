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

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <uthash.h>

#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/session/builder.h"
#include "user/session/engine.h"
#include "user/target/code.h"
#include "user/target/module.h"
#include "user/target/process.h"
#include "user/target/root.h"
#include "user/target/vdso.h"
#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"
#include "user/unwind/table.h"
#include "walkers/walker.h"

#define MAX_MODULES  16384 /* entries of the map "files" */
#define SPARE_CHUNKS 1024
#define BATCH	     64 /* tables that are in memory at once */

struct entry {
	struct module_key key;
	struct module m;
	bool is_elf, wanted, built;
	struct unwind_file file;
	UT_hash_handle hh;
};

/* A file by what mappings say of it. */
struct mapped {
	struct mapped_key {
		u64 dev, ino;
	} key;
	struct entry *entry;
	UT_hash_handle hh;
};

struct modules {
	struct engine *engine;
	struct arena *arena;
	const char *proc;
	bool lines; /* source lines are wanted */
	struct entry *by_key;
	struct mapped *by_mapping;
	struct entry **by_id;
	size_t n, capacity;
	struct entry *vdso;
	struct roots *roots;
	struct module **wanted; /* in the order they were asked for */
	size_t n_wanted, wanted_capacity;
	struct modules_sum sum;
};

struct modules *modules_new(const char *proc, struct arena *a, bool lines)
{
	struct modules *ms = xcalloc(1, sizeof(*ms));

	ms->proc = proc;
	ms->arena = a;
	ms->lines = lines;
	ms->roots = roots_new();
	return ms;
}

static void entry_free(struct entry *e)
{
	if (e->is_elf) {
		for (size_t i = 0; i < WALKER_COUNT; i++)
			if (e->m.walker[i] && walkers[i]->forget)
				walkers[i]->forget(e->m.walker[i]);
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
		entry_free(e);
	}
	if (ms->vdso)
		entry_free(ms->vdso);
	roots_free(ms->roots);
	free(ms->by_id);
	free(ms->wanted);
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

static struct module *number(struct modules *ms, struct entry *e)
{
	ms->by_id = xgrow(ms->by_id, ms->n, &ms->capacity, sizeof(*ms->by_id));
	e->m.id = ms->n;
	ms->by_id[ms->n++] = e;
	ms->sum.modules++;
	if (!e->m.code) {
		probe(ms, e);
		rest(e);
	}
	return &e->m;
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
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
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
	if (e || ms->n >= MAX_MODULES) {
		close(fd);
		return e;
	}
	e = xcalloc(1, sizeof(*e));
	e->key = key;
	e->is_elf = module_open(&e->m, fd, map->path) == 0;
	e->m.key = key;
	if (e->is_elf)
		e->m.root = roots_of(ms->roots, ms->proc, pid);
	HASH_ADD(hh, ms->by_key, key, sizeof(e->key), e);
	if (e->is_elf)
		number(ms, e);
	return e;
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

/* A file that is open already and has not changed since. */
static struct entry *find_open(struct modules *ms, const struct map *map)
{
	struct mapped *found = find_mapped(ms, map);
	struct entry *e = found ? found->entry : NULL;
	struct stat st;

	if (!e || !e->is_elf || fstat(e->m.fd, &st) ||
	    e->key.size != (u64)st.st_size ||
	    e->key.mtime_ns !=
		    st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec)
		return NULL;
	return e;
}

static struct entry *find_entry(struct modules *ms, pid_t pid,
				const struct map *map)
{
	struct entry *e = find_open(ms, map);

	if (e && e->key.dev == map->dev)
		return e;
	e = open_entry(ms, pid, process_open_map(ms->proc, pid, map), map);
	if (e)
		remember(ms, map, e);
	return e;
}

struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map)
{
	struct entry *e = find_entry(ms, pid, map);

	return e && e->is_elf ? &e->m : NULL;
}

struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map)
{
	struct entry *e = find_entry(ms, pid, map);

	if (!e) {
		e = find_open(ms, map);
		if (e && strcmp(e->m.path, map->path))
			e = NULL;
	}
	if (!e)
		e = open_entry(ms, getpid(),
			       process_open_path(ms->proc, getpid(), map), map);
	return e && e->is_elf ? &e->m : NULL;
}

struct module *modules_vdso(struct modules *ms, const struct map *map)
{
	if (!ms->vdso) {
		struct entry *e = xcalloc(1, sizeof(*e));

		if (vdso_open(&e->m, ms->proc)) {
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
	if (e || ms->n >= MAX_MODULES)
		return e ? &e->m : NULL;
	e = xcalloc(1, sizeof(*e));
	*e = (struct entry){ .key = key, .is_elf = true };
	code_open(&e->m, ms->proc, pid, &key);
	e->m.root = roots_of(ms->roots, ms->proc, pid);
	HASH_ADD(hh, ms->by_key, key, sizeof(e->key), e);
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

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Put a finished table where the kernel side finds it. */
static void store_table(struct modules *ms, struct entry *e,
			const struct builder_job *job)
{
	int err = job->err;

	ms->sum.made++;

	if (!err)
		err = table_store(ms->arena, &job->table, &e->file);
	if (err) {
		/* No rows, but rules: the kernel side's "there is no table". */
		e->file = (struct unwind_file){ .rules = 1 };
		log_debug("%s: no unwind table: %s", e->m.path, strerror(-err));
	} else {
		ms->sum.rows += job->table.rows;
		ms->sum.tables++;
	}
	e->built = true;
	rest(e);
	if (ms->engine)
		engine_put_file(ms->engine, e->m.id, &e->file);
}

void modules_want(struct modules *ms, struct module *m)
{
	struct entry *e = ms->by_id[m->id];

	if (e->wanted)
		return;
	e->wanted = true;
	ms->wanted = xgrow(ms->wanted, ms->n_wanted, &ms->wanted_capacity,
			   sizeof(*ms->wanted));
	ms->wanted[ms->n_wanted++] = m;
}

/* Take the tables that the jobs made. */
static void store_tables(struct modules *ms, struct builder_job *job, size_t n)
{
	u32 chunks = 0;

	for (size_t i = 0; i < n; i++)
		if (!job[i].err)
			chunks += table_chunks(&job[i].table);
	/* One grace period for all new segments, not one for each; a few chunks
	 * more for the processes' mappings. */
	if (chunks)
		arena_reserve(ms->arena, chunks + SPARE_CHUNKS);
	for (size_t i = 0; i < n; i++) {
		store_table(ms, ms->by_id[job[i].module->id], &job[i]);
		cfi_release(&job[i].table);
	}
}

void modules_bind(struct modules *ms, struct engine *e)
{
	ms->engine = e;
	for (size_t i = 0; i < ms->n; i++) {
		struct entry *entry = ms->by_id[i];

		for (size_t w = 0; w < WALKER_COUNT; w++)
			if (entry->m.walker[w])
				store_walker_file(ms, entry, w);
		if (entry->built)
			engine_put_file(e, entry->m.id, &entry->file);
	}
}

/* The first n that are wanted. */
static void build(struct modules *ms, size_t n)
{
	struct builder_job *job = xcalloc(n, sizeof(*job));

	for (size_t i = 0; i < n; i++)
		job[i].module = ms->wanted[i];
	ms->n_wanted -= n;
	if (ms->n_wanted)
		memmove(ms->wanted, ms->wanted + n,
			ms->n_wanted * sizeof(*ms->wanted));
	builder_run(job, n);
	store_tables(ms, job, n);
	free(job);
}

size_t modules_build(struct modules *ms, size_t max)
{
	size_t left = max && max < ms->n_wanted ? max : ms->n_wanted;
	u64 start = now_ns();

	if (!left)
		return 0;
	while (left) {
		size_t n = left < BATCH ? left : BATCH;

		build(ms, n);
		left -= n;
	}
	/* What the threads have used of the heap is not given back by itself. */
	malloc_trim(0);
	ms->sum.build_ns += now_ns() - start;
	return ms->n_wanted;
}

const struct module *modules_get(const struct modules *ms, u32 id)
{
	return id < ms->n ? &ms->by_id[id]->m : NULL;
}

u32 modules_rule(struct modules *ms, u32 id, u64 vaddr,
		 struct unwind_rule *rule)
{
	struct entry *e = ms->by_id[id];

	modules_want(ms, &e->m);
	if (!e->file.chunks)
		return e->file.rules ? CUT_NO_TABLE : CUT_NOT_READY;
	*rule = *table_find(ms->arena, &e->file, vaddr);
	return 0;
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
	return ms->sum;
}
