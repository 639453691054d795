/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files are told apart by device, inode, size and time of change, so a file is
 * recognised through any process or mount namespace.
 *
 * The device and inode of a mapping find a file without opening it, if stat() shows the
 * same ones (btrfs and overlayfs do not).  A module's file stays open, so its inode
 * cannot become another file's.  For a process that has ended this is the only way, and
 * the path must then be the same.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/hash.h"
#include "user/lib/mem.h"
#include "user/lib/clock.h"
#include "user/files/registry.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/target/proc.h"
#include "user/target/root.h"

/* Make an entry for a file, whose path is in the file tree of process pid.  Takes fd.
 * NULL: it is no ELF file. */
static struct module_entry *new_entry(struct modules *ms, pid_t pid,
				      const char *path, int fd)
{
	struct module_entry *e;
	struct module m;

	if (module_open(&m, fd, path))
		return NULL;
	e = xcalloc(1, sizeof(*e));
	e->m = m;
	e->opened = now_ns();
	e->m.root = roots_hold(ms->roots, ms->config.proc, pid);
	registry_number(ms, e);
	return e;
}

static u64 ns_of(const struct statx_timestamp *t)
{
	return t->tv_sec * 1000000000ull + t->tv_nsec;
}

/*
 * Takes fd and returns it; -1: fd is an error, or its file was made after that time (ns,
 * CLOCK_MONOTONIC).  Its inode was then another file's, which has gone.  File times are
 * those of the last clock tick, so a file that is younger by less than a tick may be
 * missed.
 */
static int not_younger(int fd, u64 time)
{
	struct statx st;
	u64 since, made;

	if (fd < 0 ||
	    statx(fd, "", AT_EMPTY_PATH, STATX_BTIME | STATX_CTIME, &st))
		return fd;
	since = clock_ns(CLOCK_REALTIME) - now_ns();
	made = ns_of(st.stx_mask & STATX_BTIME ? &st.stx_btime : &st.stx_ctime);
	if (made <= since || made - since <= time)
		return fd;
	close(fd);
	return -1;
}

/* Finds or makes the entry of an open file.  Takes fd.  NULL: fd is an error, no ELF
 * file, or not the file of the mapping. */
static struct module_entry *open_entry(struct modules *ms, pid_t pid,
				       const struct map *map, int fd)
{
	struct module_key key;
	struct module_entry *e;
	struct stat st;

	if (fd < 0)
		return NULL;
	/* Another file may have been mapped there meanwhile.  Some file systems show
	 * another device in maps than in stat(); the inode then says nothing. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (st.st_dev == map->dev && st.st_ino != map->ino)) {
		close(fd);
		return NULL;
	}
	key = module_key_of(&st);
	HASH_FIND(hh, ms->by_key, &key, sizeof(key), e);
	if (!e && registry_has_room(ms))
		return new_entry(ms, pid, map->path, fd);
	close(fd);
	return e ? e : &ms->none;
}

static struct module_entry *find_mapped(struct modules *ms,
					const struct map *map)
{
	struct module_mapping key = { map->dev, map->ino };
	struct module_entry *e;

	HASH_FIND(hh_mapping, ms->by_mapping, &key, sizeof(key), e);
	return e;
}

void registry_unmap(struct modules *ms, struct module_entry *e)
{
	if (e && e->mapping.ino)
		HASH_DELETE(hh_mapping, ms->by_mapping, e);
	if (e)
		e->mapping.ino = 0;
}

/* Remember that mappings with this device and inode are of the entry's file. */
static void remember(struct modules *ms, const struct map *map,
		     struct module_entry *e)
{
	struct module_entry *other = find_mapped(ms, map);

	if (other == e)
		return;
	registry_unmap(ms, other);
	registry_unmap(ms, e);
	e->mapping = (struct module_mapping){ map->dev, map->ino };
	if (map->ino)
		HASH_ADD(hh_mapping, ms->by_mapping, mapping,
			 sizeof(e->mapping), e);
}

static bool is_unchanged(const struct module_entry *e)
{
	struct module_key key;
	struct stat st;

	if (fstat(e->m.fd, &st))
		return false;
	key = module_key_of(&st);
	return !memcmp(&key, &e->m.key, sizeof(key));
}

/* Find a file that was open before that time and has not changed since.  A file opened
 * later can have the inode of the mapped one, which has gone. */
static struct module_entry *find_open(struct modules *ms, const struct map *map,
				      u64 time)
{
	struct module_entry *e = find_mapped(ms, map);

	return e && e->opened < time && is_unchanged(e) ? e : NULL;
}

static struct module_entry *find_entry(struct modules *ms, pid_t pid,
				       const struct map *map, u64 time,
				       bool late)
{
	struct module_entry *e = find_open(ms, map, time);

	if (!e || e->m.key.dev != map->dev) {
		int fd = proc_open_map(ms->config.proc, pid, map);

		/* Another file may be mapped at this place by now. */
		e = open_entry(ms, pid, map, late ? not_younger(fd, time) : fd);
		if (!e || e == &ms->none)
			return e;
		remember(ms, map, e);
	}
	return e;
}

/* The file now belongs to the root directory of the process that maps it now.  A
 * container that has ended must not stay mounted for files that others map as well. */
static void move_root(struct modules *ms, struct module_entry *e, pid_t pid,
		      const struct map *map)
{
	const struct root *old = e->m.root, *root;

	if (!old)
		return;
	root = roots_hold(ms->roots, ms->config.proc, pid);
	if (root == old || !root_is_known(root)) {
		roots_drop(ms->roots, root);
		return;
	}
	roots_drop(ms->roots, old);
	e->m.root = root;
	module_move(&e->m, map->path);
}

struct module *modules_find(struct modules *ms, pid_t pid,
			    const struct map *map, u64 time)
{
	struct module_entry *e = find_entry(ms, pid, map, time, false);

	if (e)
		move_root(ms, e, pid, map);
	return registry_module(ms, e);
}

/* Whether the entry is another file, mapped at the same addresses since.  Where devices
 * are not those of stat(), inodes cannot be compared. */
static bool is_other(const struct module_entry *e, const struct map *map)
{
	return e->m.key.dev == map->dev && e->m.key.ino != map->ino;
}

struct module *modules_find_late(struct modules *ms, pid_t pid,
				 const struct map *map, u64 time)
{
	struct module_entry *e = find_entry(ms, pid, map, time, true);

	if (e && e != &ms->none && is_other(e, map))
		e = NULL;
	if (!e) {
		e = find_open(ms, map, time);
		if (e && strcmp(e->m.path, map->path))
			e = NULL;
	}
	if (!e)
		e = open_entry(ms, getpid(), map,
			       not_younger(proc_open_path(ms->config.proc,
							  getpid(), map),
					   time));
	return registry_module(ms, e);
}
