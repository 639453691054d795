/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Both the folder and the link's text come from the target, so what lies there
 * may be a trap: a pipe that blocks whoever opens it, a link to a device, or a file
 * that is cut while it is mapped.  So the link must be a plain file name, and the
 * file a regular one that belongs to root or to the person who runs the profiler.
 */
#include "user/debuginfo/debuglink.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/regular.h"

#define SIZE_MAX_CHECKED (4ll << 30) /* larger files are not read through */

static bool trusted(uid_t owner)
{
	const char *sudo = getenv("SUDO_UID");

	return owner == 0 || owner == geteuid() ||
	       (sudo && owner == strtoul(sudo, NULL, 10));
}

/* CRC-32 of the whole file. 0 or -errno. */
static int checksum(int fd, u32 *crc)
{
	const size_t size = 1 << 16;
	_cleanup_free_ void *bytes = xmalloc(size);
	off_t at = 0;
	ssize_t n;

	*crc = crc32(0, NULL, 0);
	while ((n = pread(fd, bytes, size, at)) > 0 && at < SIZE_MAX_CHECKED) {
		*crc = crc32(*crc, bytes, n);
		at += n;
	}
	return n < 0 ? -errno : 0;
}

static int open_checked(const char *name, u32 crc)
{
	_cleanup_close_ int fd = regular_open(name, NULL);
	struct stat st;
	u32 found;
	int err;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		return -errno;
	if (!trusted(st.st_uid) || st.st_size > SIZE_MAX_CHECKED)
		return -EPERM;
	err = checksum(fd, &found);
	if (err)
		return err;
	return found == crc ? steal_fd(&fd) : -ENOENT;
}

int debuglink_open(const char *path, const char *link, u32 crc, char **name)
{
	static const char *const folders[] = { "", ".debug/" };
	const char *slash = strrchr(path, '/');
	int fd = -ENOENT;

	if (!slash || !*link || strchr(link, '/'))
		return -ENOENT;
	for (size_t i = 0; i < 2; i++) {
		_cleanup_free_ char *at =
			xasprintf("%.*s%s%s", (int)(slash + 1 - path), path,
				  folders[i], link);

		fd = open_checked(at, crc);
		if (fd >= 0) {
			*name = steal_ptr(at);
			break;
		}
	}
	return fd;
}
