/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decides by device number whether a file system can be trusted to answer.
 *
 * A device with a major number is a disk.  The others are looked up in mountinfo,
 * whose lines have the form
 *
 *   ID PARENT MAJOR:MINOR ROOT PLACE OPTIONS [TAG...] - TYPE SOURCE SUPER-OPTIONS
 *
 * with blanks in names written as \040.  A device number means the same file system
 * in every mount namespace.
 *
 * Every user can mount FUSE in a user namespace of his own, but such a mount is never
 * visible in our mount namespace.  A FUSE file system that is mounted in ours belongs
 * to root if it has the option user_id=0, and is then as good as a network file system
 * that root has mounted; fusermount writes the user's number.  An overlay does not say
 * which file systems it covers.
 *
 * Shared memory and memfds are in a tmpfs that is mounted nowhere.  Its device number
 * is that of any memfd.
 */
#include "user/target/mounts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <jpbpf/types.h>

#include "user/lib/buf.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/target/proc.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

#define KEPT	8	      /* a host's processes use few file systems */
#define KEPT_NS 1000000000ull /* a device number can be reused */

struct answer {
	dev_t dev;
	pid_t pid; /* the process asked about */
	u64 until; /* ns */
	bool trusted;
};

/* The text after n blanks, or end. */
static const char *skip(const char *at, const char *end, int n)
{
	while (n-- && at < end) {
		const char *blank = memchr(at, ' ', end - at);

		at = blank ? blank + 1 : end;
	}
	return at;
}

/* Whether the line says user_id=0. The options of the file system are the last word
 * of the line. */
static bool is_roots(const char *line, const char *end)
{
	const char *at = memrchr(line, ' ', end - line);

	while ((at = memmem(at, end - at, "user_id=0", 9))) {
		if (strchr(" ,", at[-1]) && strchr(",\n", at[9]))
			return true;
		at++;
	}
	return false;
}

/* 1: trusted; 0: not trusted; -ENOENT: not mounted there. */
static int look_up(const char *text, dev_t dev, bool ours)
{
	const char *line = text, *end, *at;
	char number[32];
	size_t len = snprintf(number, sizeof(number), "%u:%u ", major(dev),
			      minor(dev));

	for (; (end = strchr(line, '\n')); line = end + 1) {
		at = skip(line, end, 2);
		if ((size_t)(end - at) < len || memcmp(at, number, len))
			continue;
		at = memmem(at, end - at, " - ", 3);
		if (at)
			return strncmp(at, " - fuse", 7) ||
			       (ours && is_roots(at, end));
	}
	return -ENOENT;
}

bool mounts_trust(const char *ours, const char *theirs, dev_t dev)
{
	int got = look_up(ours, dev, true);

	if (got == -ENOENT)
		got = look_up(theirs, dev, false);
	return got == 1;
}

static bool is_shared_memory(dev_t dev)
{
	_cleanup_close_ int fd =
		memfd_create("device", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	struct stat st;

	if (fd < 0)
		fd = memfd_create("device", MFD_CLOEXEC);
	return fd >= 0 && !fstat(fd, &st) && st.st_dev == dev;
}

static bool ask(const char *proc, pid_t pid, dev_t dev)
{
	_cleanup_buf_ struct buf ours = { 0 };
	_cleanup_buf_ struct buf theirs = { 0 };

	proc_mounts("/proc", getpid(), &ours);
	if (mounts_trust(buf_text(&ours), "", dev) || is_shared_memory(dev))
		return true;
	proc_mounts(proc, pid, &theirs);
	return mounts_trust(buf_text(&ours), buf_text(&theirs), dev);
}

bool mounts_trusted(const char *proc, pid_t pid, dev_t dev)
{
	static _Thread_local struct answer kept[KEPT];
	static _Thread_local unsigned next;
	u64 now;

	if (major(dev))
		return true;
	now = now_ns();
	for (struct answer *a = kept; a < kept + KEPT; a++)
		if (a->dev == dev && now < a->until &&
		    (a->trusted || a->pid == pid))
			return a->trusted;
	next = (next + 1) % KEPT;
	kept[next] =
		(struct answer){ dev, pid, now + KEPT_NS, ask(proc, pid, dev) };
	return kept[next].trusted;
}
