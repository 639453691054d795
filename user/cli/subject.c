/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Every file that a process maps executable is shown to every walker, as in
 * profiling. So is a single file, with the libraries that it is linked with. A file
 * without an interpreter is closed at once.
 *
 * A path can lead to anything. It is opened without waiting for a pipe's other end,
 * and only a regular file is read.
 */
#include "user/cli/subject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/options.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/elf/needed.h"
#include "user/target/proc.h"
#include "user/target/thread.h"
#include "walkers/walker.h"

#define MAX_FILES 16384 /* files of one process */

static void add_part(struct subject *s, const struct subject_part *part)
{
	s->part = xgrow(s->part, s->parts, &s->part_capacity, sizeof(*s->part));
	s->part[s->parts++] = *part;
}

/* Asks every walker. true if one finds an interpreter. */
static bool probe(struct subject *s, const struct module *m, u64 bias)
{
	size_t before = s->parts;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		struct subject_part part = { walkers[i], m, NULL, NULL, bias };
		struct buf why = { 0 };
		int got = walkers[i]->file.probe(m, &part.data, &why);

		if (got < 0) {
			part.data = NULL;
			part.refused = xstrdup(buf_text(&why));
		}
		if (got)
			add_part(s, &part);
		buf_release(&why);
	}
	return s->parts > before;
}

/* Takes fd. Keeps the file that was asked for, which comes first, and files with an
 * interpreter. map is the process's mapping of the file, or NULL. 0 or -errno. */
static int take_file(struct subject *s, int fd, const char *path,
		     const struct map *map)
{
	const struct module *first = s->modules ? s->module[0] : NULL;
	struct module *m = xcalloc(1, sizeof(*m));
	u64 vaddr = 0;
	int err;

	m->fd = -1;
	err = module_open(m, fd, path);
	if (!err && map)
		err = module_offset_to_vaddr(m, map->offset, &vaddr);
	if (!err && !(first && !memcmp(&m->key, &first->key, sizeof(m->key))) &&
	    (probe(s, m, map ? map->start - vaddr : 0) || !(map || first))) {
		s->module = xgrow(s->module, s->modules, &s->module_capacity,
				  sizeof(struct module *));
		s->module[s->modules++] = m;
		return 0;
	}
	module_close(m);
	free(m);
	return err;
}

/* 0 or -errno; -EACCES if the file may not be opened. */
static int add_map(struct subject *s, const struct map *map)
{
	int fd = proc_open_map(s->proc, s->pid, map);

	if (fd < 0)
		return fd == -EPERM ? -EACCES : fd;
	return take_file(s, fd, map->path, map);
}

struct seen {
	dev_t dev;
	ino_t ino;
};

static bool is_new(struct seen *seen, size_t *n, const struct map *map)
{
	for (size_t i = 0; i < *n; i++)
		if (seen[i].dev == map->dev && seen[i].ino == map->ino)
			return false;
	if (*n == MAX_FILES)
		return false;
	seen[(*n)++] = (struct seen){ map->dev, map->ino };
	return true;
}

static int refuse_process(pid_t pid, int err)
{
	if (err == -EACCES || err == -EPERM) {
		log_err("process %d may not be looked at; as root it may: "
			"sudo jpbpf info %d",
			pid, pid);
		return STATUS_REFUSED;
	}
	if (err == -ESRCH)
		log_err("there is no process %d; it may have ended: see "
			"ps -e.  If a file is meant, write ./%d",
			pid, pid);
	else
		log_err("process %d cannot be read: %s", pid, strerror(-err));
	return STATUS_FAILED;
}

int subject_open_process(struct subject *s, const char *proc, pid_t pid)
{
	_cleanup_free_ struct seen *seen = NULL;
	size_t n = 0, denied = 0;
	int err;

	*s = (struct subject){ .proc = proc, .pid = pid };
	err = thread_process(proc, pid);
	if (err > 0) {
		s->pid = err;
		err = proc_maps(proc, s->pid, &s->maps);
	}
	if (err < 0)
		return refuse_process(pid, err);
	if (!s->maps.n) {
		log_err("process %d has no memory: it is the kernel's, or has "
			"ended",
			pid);
		return STATUS_FAILED;
	}
	seen = xcalloc(MAX_FILES, sizeof(*seen));
	for (size_t i = 0; i < s->maps.n; i++) {
		const struct map *map = &s->maps.map[i];

		if (map->executable && map->ino && is_new(seen, &n, map))
			denied += add_map(s, map) == -EACCES;
	}
	if (denied && !s->parts)
		return refuse_process(pid, -EACCES);
	return 0;
}

static int refuse_file(const char *path, int err)
{
	_cleanup_free_ char *found = needed_command(path);

	if (err == -EACCES || err == -EPERM) {
		log_err("%s may not be read; as root it may: "
			"sudo jpbpf info %s",
			path, path);
		return STATUS_REFUSED;
	}
	if (err == -ENOEXEC)
		log_err("%s is not a program or library for 64-bit x86 (ELF); "
			"of a script, give the process that runs it",
			path);
	else if (err == -EISDIR)
		log_err("%s is not a regular file; give a program or library",
			path);
	else if (err == -ENOENT || err == -ENOTDIR)
		log_err("there is no file %s; give a process id or the path of "
			"a program or library%s%s",
			path, found ? ": jpbpf info " : "", found ? found : "");
	else
		log_err("%s cannot be read: %s; give a process id or the path "
			"of a program or library",
			path, strerror(-err));
	return STATUS_FAILED;
}

static int add_file(struct subject *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return errno == ENXIO ? -EISDIR : -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EISDIR;
	}
	return take_file(s, fd, path, NULL);
}

/* Adds a library from the path where the loader probably finds it. */
static void add_linked(void *ctx, const char *path)
{
	struct subject *s = ctx;
	size_t before = s->modules;

	if (!add_file(s, path) && s->modules > before)
		log_info("%s is linked with %s: jpbpf info %s",
			 s->module[0]->path, s->module[before]->name, path);
}

int subject_open_file(struct subject *s, const char *path)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	int err;

	*s = (struct subject){ 0 };
	err = add_file(s, path);
	if (err)
		return refuse_file(path, err);
	if (real)
		needed_files(real, add_linked, s);
	return 0;
}

void subject_release(struct subject *s)
{
	for (size_t i = 0; i < s->parts; i++) {
		const struct subject_part *part = &s->part[i];

		if (part->data && part->walker->file.forget)
			part->walker->file.forget(part->data);
		free(part->refused);
	}
	for (size_t i = 0; i < s->modules; i++) {
		module_close(s->module[i]);
		free(s->module[i]);
	}
	free(s->part);
	free(s->module);
	maps_release(&s->maps);
	*s = (struct subject){ 0 };
}
