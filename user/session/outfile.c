/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Errors of writing may come as late as close(), so outfile_end() reports them. */
#include "user/session/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "user/lib/log.h"

int outfile_open(struct outfile *f, const char *path)
{
	int fd;

	f->path = path;
	f->stream = stdout;
	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	f->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (f->stream)
		return 0;
	log_err("cannot write to %s: %m (give another file with -o)", path);
	return -errno;
}

int outfile_begin(struct outfile *f)
{
	/* A device or a pipe cannot be truncated and need not be. */
	if (f->path && ftruncate(fileno(f->stream), 0) && errno != EINVAL)
		return -errno;
	return 0;
}

int outfile_end(struct outfile *f, int err)
{
	if (f->path && fclose(f->stream) && !err)
		err = -errno;
	f->stream = NULL;
	if (!err)
		return 0;
	errno = -err;
	log_err("cannot write the result to %s: %m (give %s file with -o)",
		f->path ? f->path : "standard output",
		f->path ? "another" : "a");
	return err;
}
