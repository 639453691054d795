/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The places that gdb and libdwfl look at, below the root of the process:
 * /usr/lib/debug by build-id, then by the debuglink: beside the file, in .debug
 * there, and in /usr/lib/debug under the file's folder.
 *
 * That tree belongs to whoever runs the container.  libdwfl maps what it is given,
 * and a file that is cut short while it is mapped ends the reader with SIGBUS; so
 * it gets a copy in memory, and only one that is the right one by what it holds.
 */
#include "user/debuginfo/debugroot.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zlib.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/debuginfo/buildid.h"
#include "user/elf/module.h"
#include "user/target/root.h"

#define COPY_MAX (256l << 20) /* bytes */

/* What a file must prove. */
struct proof {
	const void *build_id; /* NULL: the checksum */
	size_t build_id_len;
	u32 crc;
};

static int write_all(int fd, const char *bytes, ssize_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n <= 0)
			return -EIO;
		bytes += n;
		len -= n;
	}
	return 0;
}

/* A copy of all that can be read, and its checksum. fd or -errno. */
static int copy(int from, u32 *crc)
{
	const size_t size = 1 << 18;
	_cleanup_free_ char *bytes = xmalloc(size);
	_cleanup_close_ int to = memfd_create("debug", MFD_CLOEXEC);
	off_t at = 0;
	ssize_t n;

	if (to < 0)
		return -errno;
	*crc = crc32(0, NULL, 0);
	while ((n = pread(from, bytes, size, at)) > 0) {
		at += n;
		if (at > COPY_MAX)
			return -EFBIG;
		if (write_all(to, bytes, n))
			return -EIO;
		*crc = crc32(*crc, (void *)bytes, n);
	}
	return n < 0 ? -errno : steal_fd(&to);
}

/* Takes the path over. */
static int try(const struct module *m, char *path, const struct proof *proof,
	       char **name)
{
	_cleanup_free_ char *own = path;
	_cleanup_close_ int from = root_open(m->root, path), fd = -1;
	u32 crc = 0;

	if (from < 0)
		return from;
	fd = copy(from, &crc);
	if (fd == -EFBIG)
		log_debug("%s: too large to be copied out of its container",
			  path);
	if (fd < 0)
		return fd;
	if (proof->build_id
		    ? !buildid_is(fd, proof->build_id, proof->build_id_len)
		    : crc != proof->crc)
		return -ENOENT;
	*name = steal_ptr(own);
	return steal_fd(&fd);
}

static int by_link(const struct module *m, const char *link, u32 crc,
		   char **name)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", ".debug/" }, { BUILDID_FOLDER, "" } };
	const char *path = root_path(m->root, m->path);
	const char *slash = strrchr(path, '/');
	const struct proof proof = { .crc = crc };
	int fd = -ENOENT;

	if (!slash || !*link || strchr(link, '/'))
		return -ENOENT;
	for (size_t i = 0; i < 3 && fd < 0; i++)
		fd = try(m,
			 xasprintf("%s%.*s%s%s", places[i].before,
				   (int)(slash + 1 - path), path,
				   places[i].after, link),
			 &proof, name);
	return fd;
}

int debugroot_open(const struct module *m, const char *link, u32 crc,
		   char **name)
{
	const struct proof proof = { m->build_id, m->build_id_len, 0 };
	int fd = -ENOENT;

	if (m->build_id_len > 1)
		fd = try(m, buildid_path(m->build_id, m->build_id_len), &proof,
			 name);
	return fd < 0 && link ? by_link(m, link, crc, name) : fd;
}

int debugroot_open_id(const struct module *m, const char *path, const void *id,
		      size_t len)
{
	const struct proof proof = { id, len, 0 };
	char *name = NULL;
	int fd = try(m, buildid_path(id, len), &proof, &name);

	if (fd < 0 && *path == '/')
		fd = try(m, xstrdup(path), &proof, &name);
	free(name);
	return fd;
}
