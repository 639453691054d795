/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A file is first opened with O_PATH, which does not open the file itself: opening
 * a pipe can block for ever, and opening a device can start it.
 */
#include "user/target/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

int regular_reopen(int handle)
{
	_cleanup_free_ char *self = NULL;
	struct stat st;
	int fd;

	if (fstat(handle, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENXIO;
	self = xasprintf("/proc/self/fd/%d", handle);
	fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int regular_open(const char *path, const struct regular_id *id)
{
	_cleanup_close_ int handle = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (handle < 0 || fstat(handle, &st))
		return -errno;
	if (id && S_ISREG(st.st_mode) &&
	    (st.st_ino != id->ino || st.st_dev != id->dev))
		return -ESTALE;
	return regular_reopen(handle);
}
