/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A name is given to the file beside only for the moment before it is renamed, so nothing
 * is left of a run that is killed. */
#include "user/session/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

/* A file without a name beside the path, of the same owner and mode as fd; -1: none. */
static int open_beside(const char *path, int fd)
{
	_cleanup_free_ char *copy = xstrdup(path);
	_cleanup_close_ int beside = -1;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -1;
	beside = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (beside < 0 || fchown(beside, st.st_uid, st.st_gid) ||
	    fchmod(beside, st.st_mode & ALLPERMS))
		return -1;
	return steal_fd(&beside);
}

int outfile_open(struct outfile *o, const char *path)
{
	int fd = -1, beside;

	*o = (struct outfile){ .path = path, .fd = -1, .out = stdout };
	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	beside = open_beside(path, fd);
	o->fd = beside < 0 ? -1 : fd;
	o->out = fd < 0 ? NULL : fdopen(beside < 0 ? fd : beside, "w");
	if (o->out)
		return 0;
	log_err("cannot write to %s: %m (give another file with -o)", path);
	return -errno;
}

/* Whether the path still leads to the file opened, which has no other name. */
static bool is_replaceable(const struct outfile *o)
{
	struct stat opened, there;

	return !fstat(o->fd, &opened) && !lstat(o->path, &there) &&
	       opened.st_dev == there.st_dev && opened.st_ino == there.st_ino &&
	       opened.st_nlink == 1;
}

static bool replace(const struct outfile *o)
{
	_cleanup_free_ char *name = xasprintf("%s.%d", o->path, getpid());
	_cleanup_free_ char *self =
		xasprintf("/proc/self/fd/%d", fileno(o->out));

	if (!is_replaceable(o) ||
	    linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW))
		return false;
	if (!rename(name, o->path))
		return true;
	unlink(name);
	return false;
}

/* Room is made before anything is written over.  Not every file system can tell. */
static int write_over(const struct outfile *o)
{
	struct stat before, now;
	off_t done = 0;

	if (fstat(o->fd, &before) || fstat(fileno(o->out), &now))
		return -errno;
	if (now.st_size && fallocate(o->fd, 0, 0, now.st_size) &&
	    errno != EOPNOTSUPP) {
		int err = -errno;

		return ftruncate(o->fd, before.st_size) ? -errno : err;
	}
	while (done < now.st_size)
		if (sendfile(o->fd, fileno(o->out), &done,
			     now.st_size - done) <= 0)
			return -errno;
	return ftruncate(o->fd, now.st_size) ? -errno : 0;
}

/* What was written takes the place of what was there. */
static int settle(const struct outfile *o)
{
	int fd = fileno(o->out);

	if (o->fd >= 0)
		return replace(o) ? 0 : write_over(o);
	/* A device or a pipe cannot be truncated and need not be. */
	if (o->path && ftruncate(fd, lseek(fd, 0, SEEK_CUR)) && errno != EINVAL)
		return -errno;
	return 0;
}

int outfile_close(struct outfile *o, int err)
{
	bool is_said = err == -ENOENT;

	if (fflush(o->out) && !err)
		err = -errno;
	if (!err)
		err = settle(o);
	/* Errors of writing may come as late as this. */
	if (o->path && fclose(o->out) && !err)
		err = -errno;
	if (o->fd >= 0 && close(o->fd) && !err)
		err = -errno;
	errno = -err;
	if (err && !is_said)
		log_err("cannot write the result to %s: %m (%s)",
			o->path ? o->path : "standard output",
			err == -EFBIG ? "see ulimit -f"
			: o->path     ? "give another file with -o"
				      : "give a file with -o");
	return err;
}
