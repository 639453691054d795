/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Maps.  A map is a row in a table, found by the address of its declaration;
 * hash maps are searched from the front, they have few entries here.  The inner
 * maps of the arena are known by addresses inside a dummy array.
 */
#include "host.h"

#include <bpf/bpf_helpers.h>

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/unwind.h>

#include "user/lib/mem.h"
#include "user/unwind/arena.h"

#define MAX_MAPS 32

static struct host_map maps[MAX_MAPS];
static u32 n_maps;
static const void *arena_map;
void (*host_interrupt)(void);
static struct arena *chunks;
static u8 segments[ARENA_MAX_SEGMENTS];

void host_map_bind(const struct host_map *map)
{
	struct host_map *m = &maps[n_maps++];

	if (n_maps > MAX_MAPS)
		errx(1, "more maps than expected");
	*m = *map;
	m->value = xcalloc(m->entries, m->value_size);
	m->key = xcalloc(m->entries, m->key_size);
	m->used = 0;
}

const void *host_map_named(const char *name)
{
	for (u32 i = 0; i < n_maps; i++)
		if (!strcmp(maps[i].name, name))
			return maps[i].map;
	return NULL;
}

void host_map_bind_arena(const void *map, struct arena *a)
{
	arena_map = map;
	chunks = a;
}

void host_map_release(void)
{
	while (n_maps) {
		n_maps--;
		free(maps[n_maps].value);
		free(maps[n_maps].key);
	}
	arena_map = NULL;
	chunks = NULL;
}

static struct host_map *map_of(const void *map)
{
	for (u32 i = 0; i < n_maps; i++)
		if (maps[i].map == map)
			return &maps[i];
	errx(1, "a map is in use that self.c does not bind");
}

static void *arena_lookup(const void *map, u32 key)
{
	u32 segment = (const u8 *)map - segments;

	if (map == arena_map) {
		if (key >=
		    arena_bytes(chunks) / ARENA_CHUNK / ARENA_SEGMENT_CHUNKS)
			return NULL;
		return &segments[key];
	}
	if (key >= ARENA_SEGMENT_CHUNKS)
		return NULL;
	return arena_chunk(chunks, segment << ARENA_SEGMENT_SHIFT | key);
}

static bool is_arena(const void *map)
{
	return map == arena_map ||
	       ((const u8 *)map >= segments &&
		(const u8 *)map < segments + ARENA_MAX_SEGMENTS);
}

static long hash_find(const struct host_map *m, const void *key)
{
	for (u32 i = 0; i < m->used; i++)
		if (!memcmp(m->key + (size_t)i * m->key_size, key, m->key_size))
			return i;
	return -1;
}

static void interrupt(void)
{
	void (*call)(void) = host_interrupt;

	host_interrupt = NULL;
	if (call)
		call();
}

void *host_map_lookup(const void *map, const void *key)
{
	struct host_map *m;
	u32 array_index;
	long i;

	interrupt();
	memcpy(&array_index, key, sizeof(array_index));
	if (is_arena(map))
		return arena_lookup(map, array_index);
	m = map_of(map);
	i = m->hash ? hash_find(m, key) : array_index;
	if (i < 0 || i >= m->entries)
		return NULL;
	return m->value + (size_t)i * m->value_size;
}

long host_map_update(const void *map, const void *key, const void *value,
		     __u64 flags)
{
	struct host_map *m = map_of(map);
	void *old = host_map_lookup(map, key);

	if (flags == BPF_NOEXIST && old)
		return -EEXIST;
	if (flags != BPF_ANY && flags != BPF_NOEXIST)
		return -EINVAL;
	if (old) {
		memmove(old, value, m->value_size);
		return 0;
	}
	if (!m->hash || m->used >= m->entries)
		return -E2BIG;
	memcpy(m->key + (size_t)m->used * m->key_size, key, m->key_size);
	memcpy(m->value + (size_t)m->used * m->value_size, value,
	       m->value_size);
	m->used++;
	return 0;
}

void host_map_empty(const void *map)
{
	map_of(map)->used = 0;
}

long host_map_delete(const void *map, const void *key)
{
	struct host_map *m = map_of(map);
	long i = m->hash ? hash_find(m, key) : -1;
	size_t after;

	if (i < 0)
		return -ENOENT;
	after = m->used - i - 1;
	memmove(m->key + i * m->key_size, m->key + (i + 1) * m->key_size,
		after * m->key_size);
	memmove(m->value + i * m->value_size,
		m->value + (i + 1) * m->value_size, after * m->value_size);
	m->used--;
	return 0;
}
