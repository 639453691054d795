/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads and parses the files of /proc/PID.
 *
 * A process can map a device or, in its own mount namespace, put a pipe at any
 * path. So a file's type is checked before the file is opened for reading
 * (regular.h). map_files leads to the mapped inode itself, but needs privilege. The
 * path below PID/root is tried after it; there the inode has to be compared.
 */
#include "user/target/proc.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/target/mounts.h"
#include "user/target/regular.h"
#include "user/target/thread.h"

/* far more than MAPS_MAX usual lines */
#define MAX_MAPS_TEXT	(256UL << 20)
#define MAX_FILE	65536UL
#define MAX_MOUNTS_TEXT (16UL << 20)
#define MAX_ENVIRONMENT (6UL << 20) /* _STK_LIM / 4 * 3, fs/exec.c */
#define MAX_COMMAND	512UL
#define MAX_PIDS	(1UL << 22) /* PID_MAX_LIMIT, include/linux/threads.h */

/* A process can end while its file is read. */
static int gone_or(int err)
{
	return err == -ENOENT || err == -ESRCH ? -ESRCH : err;
}

/* Appends PROC/PID/NAME to out, until out has max bytes. */
static int read_file(const char *proc, pid_t pid, const char *name,
		     struct buf *out, size_t max)
{
	_cleanup_free_ char *path = xasprintf("%s/%d/%s", proc, pid, name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *chunk = NULL;
	const size_t size = 65536;

	if (fd < 0)
		return gone_or(-errno);
	chunk = xmalloc(size);
	while (out->len < max) {
		size_t want = max - out->len < size ? max - out->len : size;
		ssize_t n = read(fd, chunk, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return gone_or(-errno);
		if (!n)
			break;
		if (!heap_grows(HEAP_PROCESSES, out->len + n, out->capacity, 1))
			return -ENOSPC;
		buf_add(out, chunk, n);
	}
	return 0;
}

int proc_maps(const char *proc, pid_t pid, struct maps *maps)
{
	_cleanup_buf_ struct buf text = { 0 };
	u64 before = now_ns();
	int err;

	*maps = (struct maps){ 0 };
	err = read_file(proc, thread_living(proc, pid), "maps", &text,
			MAX_MAPS_TEXT);
	/* What is made of a line takes more than its text. */
	if (!err && !heap_fits(HEAP_PROCESSES, 2 * text.len))
		err = -ENOSPC;
	if (err)
		return err;
	err = maps_parse(maps, buf_text(&text), text.len);
	maps->time = before;
	if (err == -E2BIG || text.len == MAX_MAPS_TEXT)
		log_debug("process %d: mappings after the first %zu ignored",
			  pid, maps->n);
	else if (err > 0)
		log_debug("process %d: %d lines of maps not understood", pid,
			  err);
	return 0;
}

int proc_mounts(const char *proc, pid_t pid, struct buf *out)
{
	return read_file(proc, thread_living(proc, pid), "mountinfo", out,
			 MAX_MOUNTS_TEXT);
}

bool proc_is_32bit(const char *proc, pid_t pid)
{
	_cleanup_close_ int fd = proc_open(proc, pid, "exe");
	unsigned char ident[EI_NIDENT];

	return fd >= 0 && pread(fd, ident, sizeof(ident), 0) == EI_NIDENT &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS32;
}

int proc_open_path(const char *proc, pid_t pid, const struct map *map)
{
	_cleanup_free_ char *path = NULL;

	if (!map->path || map->path[0] != '/')
		return -ENOENT;
	path = xasprintf("%s/%d/root%s", proc, thread_living(proc, pid),
			 map->path);
	return regular_open(path, &(struct regular_id){ map->dev, map->ino });
}

static bool is_gone(const char *proc, pid_t pid)
{
	_cleanup_free_ char *path = xasprintf("%s/%d", proc, pid);

	return access(path, F_OK) && errno == ENOENT;
}

int proc_open_map(const char *proc, pid_t pid, const struct map *map)
{
	_cleanup_free_ char *exact = NULL;
	int fd;

	/* Opening the file would wait for the program that serves it. */
	if (!mounts_trusted(proc, pid, map->dev))
		return is_gone(proc, pid) ? -ESRCH : -ENXIO;
	exact = xasprintf("%s/%d/map_files/%llx-%llx", proc,
			  thread_living(proc, pid), map->start, map->end);
	fd = regular_open(exact, NULL);
	if (fd < 0)
		fd = proc_open_path(proc, pid, map);
	if (fd < 0 && is_gone(proc, pid))
		return -ESRCH;
	return fd;
}

/* Reads field number index of PID/stat, counted as in proc(5), from 4 on. */
static int stat_field(const char *proc, pid_t pid, int index, u64 *out)
{
	_cleanup_buf_ struct buf text = { 0 };
	const char *at;
	char *end;
	int err = read_file(proc, pid, "stat", &text, MAX_FILE);

	if (err)
		return err;
	/* The command, field 2, may hold any character, also blanks and ')'. */
	at = strrchr(buf_text(&text), ')');
	for (; at && index > 2; index--)
		at = strchr(at + 1, ' ');
	if (!at || at[1] < '0' || at[1] > '9')
		return -EBADMSG;
	errno = 0;
	*out = strtoull(at + 1, &end, 10);
	return errno || (*end != ' ' && *end != '\n' && *end) ? -EBADMSG : 0;
}

bool proc_ended(const char *proc, pid_t pid)
{
	_cleanup_buf_ struct buf text = { 0 };
	const char *at;
	int err = read_file(proc, pid, "stat", &text, MAX_FILE);

	if (err)
		return err == -ESRCH;
	at = strrchr(buf_text(&text), ')');
	return at && (!strncmp(at, ") Z", 3) || !strncmp(at, ") X", 3)) &&
	       thread_living(proc, pid) == pid;
}

int proc_arguments(const char *proc, pid_t pid, struct buf *out)
{
	return read_file(proc, thread_living(proc, pid), "cmdline", out,
			 MAX_ENVIRONMENT);
}

/* The last part of a path, or the whole path if it ends in a slash. */
static const char *skip_folders(const char *path)
{
	const char *slash = memrchr(path, '/', strcspn(path, " "));

	return slash[1] && slash[1] != ' ' ? slash + 1 : path;
}

char *proc_command(const char *proc, pid_t pid)
{
	_cleanup_buf_ struct buf text = { 0 };
	size_t n = 0;

	if (read_file(proc, thread_living(proc, pid), "cmdline", &text,
		      MAX_COMMAND))
		return NULL;
	while (text.len && !text.data[text.len - 1])
		text.len--;
	for (const char *at = text.data; at < text.data + text.len; at++) {
		if (*at == '/' && (!n || strchr(" =", text.data[n - 1])))
			at = skip_folders(at);
		text.data[n++] = *at ? *at : ' ';
	}
	return n ? xstrndup(text.data, n) : NULL;
}

char *proc_line(const char *proc, pid_t pid, const char *name, const char *key)
{
	_cleanup_buf_ struct buf text = { 0 };
	const char *at;

	buf_addc(&text, '\n');
	if (read_file(proc, pid, name, &text, MAX_FILE))
		return NULL;
	at = strstr(text.data, key);
	return at ? xstrndup(at + strlen(key), strcspn(at + strlen(key), "\n"))
		  : NULL;
}

int proc_open(const char *proc, pid_t pid, const char *name)
{
	_cleanup_free_ char *path =
		xasprintf("%s/%d/%s", proc, thread_living(proc, pid), name);

	return regular_open(path, NULL);
}

int proc_start_time(const char *proc, pid_t pid, u64 *ticks)
{
	return stat_field(proc, pid, 22, ticks);
}

pid_t proc_parent(const char *proc, pid_t pid)
{
	u64 parent;
	int err = stat_field(proc, pid, 4, &parent);

	if (err)
		return err;
	return parent <= MAX_PIDS ? (pid_t)parent : -EBADMSG;
}

/* 0 if name is not a pid. */
static pid_t parse_pid(const char *name)
{
	unsigned long pid;
	char *end;

	if (*name < '1' || *name > '9')
		return 0;
	pid = strtoul(name, &end, 10);
	return *end || pid > MAX_PIDS ? 0 : (pid_t)pid;
}

static int by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

ssize_t proc_list(const char *proc, pid_t **pids)
{
	size_t n = 0, capacity = 0;
	pid_t *list = NULL;
	struct dirent *e;
	DIR *dir = opendir(proc);

	if (!dir)
		return -errno;
	while (n < MAX_PIDS && (e = readdir(dir))) {
		pid_t pid = parse_pid(e->d_name);

		if (!pid)
			continue;
		list = xgrow(list, n, &capacity, sizeof(*list));
		list[n++] = pid;
	}
	closedir(dir);
	if (n)
		qsort(list, n, sizeof(*list), by_number);
	*pids = list ? list : xmalloc(sizeof(*list));
	return n;
}
