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
#include "user/output/format.h"

/* A file without a name beside the path, of the same owner and mode; -1: none. */
static int open_beside(const struct outfile *o)
{
	_cleanup_free_ char *path = xstrdup(o->path);
	struct stat st;
	int fd;

	if (fstat(o->fd, &st) || !S_ISREG(st.st_mode))
		return -1;
	fd = open(dirname(path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (!fchown(fd, st.st_uid, st.st_gid) &&
	    !fchmod(fd, st.st_mode & ALLPERMS))
		return fd;
	close(fd);
	return -1;
}

int outfile_open(struct outfile *o, const char *path)
{
	int fd;

	*o = (struct outfile){ .path = path, .out = stdout };
	if (!path)
		return 0;
	o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (o->fd >= 0) {
		fd = open_beside(o);
		o->beside = fd >= 0;
		o->out = fdopen(o->beside ? fd : o->fd, "w");
	}
	if (o->fd >= 0 && o->out)
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

static int write_all(struct outfile *o, const struct format *format,
		     struct profile *p)
{
	int err = 0;

	/* A device or a pipe cannot be truncated and need not be. */
	if (o->path && !o->beside && ftruncate(o->fd, 0) && errno != EINVAL)
		return -errno;
	err = format->write(p, o->out);
	if (!err && fflush(o->out))
		err = -errno;
	if (!err && o->beside && !replace(o))
		err = write_over(o);
	return err;
}

int outfile_write(struct outfile *o, const struct format *format,
		  struct profile *p)
{
	int err = write_all(o, format, p);

	/* Errors of writing may come as late as this. */
	if (o->path && fclose(o->out) && !err)
		err = -errno;
	if (o->beside && close(o->fd) && !err)
		err = -errno;
	errno = -err;
	if (err)
		log_err("cannot write the result to %s: %m (%s)",
			o->path ? o->path : "standard output",
			err == -EFBIG ? "see ulimit -f"
			: o->path     ? "give another file with -o"
				      : "give a file with -o");
	return err;
}
