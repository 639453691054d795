/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Two processes see the same files if they have the same root folder and the same
 * mount namespace. A process about which nothing can be found out gets a root in
 * which no file is found, so that our own files are not taken for its files.
 *
 * The kernel writes the paths in maps as the reader sees them. In a chroot they
 * begin with the path of the root folder, which is the target of the link PID/root.
 * In a container that has left our tree (pivot_root) that target is "/".
 *
 * Files below a foreign root are not trusted. They are opened as in regular.c.
 * Files served by a program (FUSE) are not opened, because that program can make
 * its readers wait for ever.
 */
#include "user/target/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/regular.h"
#include "user/target/thread.h"

#define MAX_ROOTS 1024 /* each is an open file; HOST_ROOTS says 1,024 */

#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

struct key {
	dev_t dev;
	ino_t ino, mounts;
};

struct root {
	struct key key;
	size_t users;
	int fd;	      /* -1: no file is found below this root */
	char *folder; /* path as we see it, without a final '/'; or NULL */
};

struct roots {
	struct key ours;
	struct root unknown;
	struct root **root;
	size_t n, capacity;
	u64 refused;
};

static int read_key(const char *root, const char *mounts, struct key *out)
{
	struct stat folder, ns;

	if (stat(root, &folder) || stat(mounts, &ns))
		return -errno;
	*out = (struct key){ folder.st_dev, folder.st_ino, ns.st_ino };
	return 0;
}

struct roots *roots_new(void)
{
	struct roots *rs = xcalloc(1, sizeof(*rs));

	rs->unknown.fd = -1;
	read_key("/", "/proc/self/ns/mnt", &rs->ours);
	return rs;
}

static void root_free(struct root *r)
{
	close(r->fd);
	free(r->folder);
	free(r);
}

void roots_free(struct roots *rs)
{
	if (!rs)
		return;
	for (size_t i = 0; i < rs->n; i++)
		root_free(rs->root[i]);
	free(rs->root);
	free(rs);
}

static char *read_folder(const char *link)
{
	char text[PATH_MAX];
	ssize_t n = readlink(link, text, sizeof(text));

	/* The path was cut, or is only "/". */
	if (n <= 1 || n == sizeof(text))
		return NULL;
	return xstrndup(text, n);
}

static struct root *find(const struct roots *rs, const struct key *key)
{
	for (size_t i = 0; i < rs->n; i++)
		if (!memcmp(key, &rs->root[i]->key, sizeof(*key)))
			return rs->root[i];
	return NULL;
}

/* NULL: the folder cannot be opened, or there are too many roots. */
static struct root *add(struct roots *rs, const struct key *key,
			const char *path)
{
	struct root *r;
	int fd;

	if (rs->n >= MAX_ROOTS) {
		rs->refused++;
		return NULL;
	}
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	*r = (struct root){ *key, 0, fd, read_folder(path) };
	rs->root = xgrow(rs->root, rs->n, &rs->capacity, sizeof(*rs->root));
	rs->root[rs->n++] = r;
	return r;
}

const struct root *roots_hold(struct roots *rs, const char *proc, pid_t pid)
{
	pid_t tid = thread_living(proc, pid);
	_cleanup_free_ char *path = xasprintf("%s/%d/root", proc, tid);
	_cleanup_free_ char *mounts = xasprintf("%s/%d/ns/mnt", proc, tid);
	struct root *r;
	struct key key;

	if (read_key(path, mounts, &key))
		return &rs->unknown;
	if (!memcmp(&key, &rs->ours, sizeof(key)))
		return NULL;
	r = find(rs, &key);
	if (!r)
		r = add(rs, &key, path);
	if (!r)
		return &rs->unknown;
	r->users++;
	return r;
}

void roots_drop(struct roots *rs, const struct root *r)
{
	size_t i = 0;

	if (!r || r == &rs->unknown)
		return;
	while (rs->root[i] != r)
		i++;
	if (--rs->root[i]->users)
		return;
	root_free(rs->root[i]);
	rs->root[i] = rs->root[--rs->n];
}

bool root_is_known(const struct root *r)
{
	return !r || r->fd >= 0;
}

size_t roots_open(const struct roots *rs)
{
	return rs->n;
}

u64 roots_refused(const struct roots *rs)
{
	return rs->refused;
}

const char *root_path(const struct root *r, const char *path)
{
	size_t len = r->folder ? strlen(r->folder) : 0;

	if (len && !strncmp(path, r->folder, len) && path[len] == '/')
		return path + len;
	return path;
}

int root_open(const struct root *r, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	_cleanup_close_ int handle = -1;
	struct statfs fs;

	if (r->fd < 0)
		return -ENOENT;
	handle = syscall(SYS_openat2, r->fd, path, &how, sizeof(how));
	if (handle < 0 || fstatfs(handle, &fs))
		return -errno;
	return fs.f_type == FUSE_SUPER_MAGIC ? -ENXIO : regular_reopen(handle);
}
