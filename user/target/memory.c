/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds out whether a page can be read without waiting for a program, and reads it by
 * process_vm_readv().  That goes on after partial reads.  Text is read page by page,
 * since the page after its end may be unmapped.
 *
 * A page that the process has in memory or swap is simply read. Reading another
 * page is a page fault of the process, and a program of the user's choice can serve
 * the fault: behind a file on FUSE, or by userfaultfd. The reader waits for that
 * program, on FUSE even when the reader is killed.
 *
 * /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst) tells without a
 * fault which pages are there. For the other pages the mapping decides. A process
 * can still take away a page between the check and the read.
 *
 * Where process_vm_readv() would wait for a userfaultfd, /proc/PID/mem is read
 * instead: such a read fails (mm/gup.c, v6.1: faultin_page() without
 * FOLL_UNLOCKABLE). /proc/PID/mem is not used everywhere, since it also reads the
 * registers of mapped devices.
 */
#include "user/target/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/maps.h"
#include "user/target/mounts.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

#define PAGE	4096ull
#define ENTRIES 256 /* pages per read of pagemap */
#define KEPT_NS 10000000ull

#define PM_PRESENT (1ull << 63)
#define PM_SWAPPED (1ull << 62)
/* With PM_SWAPPED: possibly only a mark of userfaultfd (a pte marker). */
#define PM_GUARDED (1ull << 57)

/* What is known of the process asked about last. */
struct seen {
	pid_t pid;   /* 0: none */
	pid_t tid;   /* a living thread of it */
	u64 until;   /* ns */
	int pagemap; /* -1: cannot be opened */
	bool mapped; /* maps is filled */
	struct maps maps;
};

static _Thread_local struct seen seen;

void memory_forget(void)
{
	if (!seen.pid)
		return;
	if (seen.pagemap >= 0)
		close(seen.pagemap);
	maps_release(&seen.maps);
	seen = (struct seen){ 0 };
}

static int look_at(pid_t pid)
{
	_cleanup_free_ char *path = NULL;
	u64 now = clock_ns(CLOCK_MONOTONIC_COARSE);
	pid_t tid;
	int fd;

	if (seen.pid == pid && now < seen.until)
		return 0;
	memory_forget();
	tid = thread_living("/proc", pid);
	path = xasprintf("/proc/%d/pagemap", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && (errno == ESRCH || proc_ended("/proc", pid)))
		return -ESRCH;
	seen.pid = pid;
	seen.tid = tid;
	seen.until = now + KEPT_NS;
	seen.pagemap = fd;
	return 0;
}

/* Reads the pagemap entries from address on. Their number; 0: address is above the
 * process's address space; or -errno. */
static ssize_t entries(u64 address, u64 *entry, size_t max)
{
	ssize_t n;

	/* The kernel has no pagemap, or refuses to open it. */
	for (n = 0; seen.pagemap < 0 && n < (ssize_t)max; n++)
		entry[n] = PM_SWAPPED | PM_GUARDED;
	if (n)
		return n;
	n = pread(seen.pagemap, entry, max * sizeof(*entry),
		  (off_t)(address / PAGE * sizeof(*entry)));
	if (n < 0)
		return -errno;
	n /= (ssize_t)sizeof(*entry);
	/* The entry of page 0 can always be read, unless the process has no memory
	 * any more. */
	if (!n && pread(seen.pagemap, entry, sizeof(*entry), 0) <= 0)
		return -ESRCH;
	return n;
}

enum state { STATE_THERE, STATE_ABSENT, STATE_UNKNOWN };

static enum state state_of(u64 entry)
{
	if (entry & PM_PRESENT)
		return STATE_THERE;
	if (!(entry & PM_SWAPPED))
		return STATE_ABSENT;
	return entry & PM_GUARDED ? STATE_UNKNOWN : STATE_THERE;
}

/* Whether the mapping is plain memory. The kernel's own pages ([vdso]) have no file
 * either. */
static bool is_anonymous(const struct map *map)
{
	return !map->ino && !map->dev &&
	       (!map->path[0] || !strcmp(map->path, "[heap]") ||
		!strncmp(map->path, "[stack", 6) ||
		!strncmp(map->path, "[anon:", 6));
}

int presence_of(pid_t pid, const struct map *map)
{
	if (!map || !map->readable)
		return -EFAULT;
	if (is_anonymous(map))
		return PRESENCE_ZEROS;
	if (!map->ino && map->path[0] == '[')
		return PRESENCE_THERE;
	if (!mounts_trusted("/proc", pid, map->dev))
		return -EFAULT;
	return major(map->dev) ? PRESENCE_THERE : PRESENCE_FAULT;
}

/* Answers for a page that may be absent. */
static int ask_mapping(pid_t pid, u64 address, enum state state, size_t *len)
{
	const struct map *map;
	int got;

	if (!seen.mapped) {
		u64 before = clock_ns(CLOCK_MONOTONIC_COARSE);

		got = proc_maps("/proc", pid, &seen.maps);
		if (got)
			return got;
		seen.mapped = true;
		/* A process can have so many mappings that reading them would take
		 * most of the time; so they are kept for four times as long as
		 * reading took. */
		seen.until = clock_ns(CLOCK_MONOTONIC_COARSE) +
			     4 * (clock_ns(CLOCK_MONOTONIC_COARSE) - before) +
			     KEPT_NS;
	}
	map = maps_find(&seen.maps, address);
	got = presence_of(pid, map);
	if (got < 0)
		return got;
	if (*len > map->end - address)
		*len = map->end - address;
	return got == PRESENCE_ZEROS && state == STATE_UNKNOWN ? PRESENCE_FAULT
							       : got;
}

/* The state of the bytes from address on. *len, which must not be 0, is cut to the
 * bytes, at least one, that share the state. enum presence, -EFAULT (unmapped, or
 * served by a program), -ESRCH or -errno. */
static int presence_at(pid_t pid, u64 address, size_t *len)
{
	u64 entry[ENTRIES], bytes;
	size_t want = ENTRIES;
	ssize_t n, same = 1;
	enum state state;

	if (*len < (ENTRIES - 1) * PAGE)
		want = (address % PAGE + *len + PAGE - 1) / PAGE;
	n = look_at(pid);
	if (!n)
		n = entries(address, entry, want);
	if (n <= 0)
		return n ? (int)n : -EFAULT;
	state = state_of(entry[0]);
	while (same < n && state_of(entry[same]) == state)
		same++;
	bytes = same * PAGE - address % PAGE;
	if (*len > bytes)
		*len = bytes;
	return state == STATE_THERE ? PRESENCE_THERE
				    : ask_mapping(pid, address, state, len);
}

static ssize_t read_by_call(pid_t tid, u64 address, void *out, size_t len)
{
	struct iovec local = { .iov_base = out, .iov_len = len };
	struct iovec remote = {
		.iov_base = (void *)(unsigned long)address,
		.iov_len = len,
	};

	return process_vm_readv(tid, &local, 1, &remote, 1, 0);
}

static ssize_t read_by_file(pid_t tid, u64 address, void *out, size_t len)
{
	_cleanup_free_ char *path = xasprintf("/proc/%d/mem", tid);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, out, len, (off_t)address);

	if (fd < 0 && errno == ENOENT)
		errno = ESRCH;
	if (fd >= 0 && n < 0 && errno == EIO)
		errno = EFAULT;
	return n;
}

/* Reads some of the bytes. The number read, at least one, or -errno. */
static ssize_t read_some(pid_t pid, u64 address, void *out, size_t len)
{
	int how = presence_at(pid, address, &len);
	ssize_t n = len;

	if (how < 0)
		return how;
	if (how == PRESENCE_ZEROS)
		memset(out, 0, len);
	else if (how == PRESENCE_FAULT)
		n = read_by_file(seen.tid, address, out, len);
	else
		n = read_by_call(seen.tid, address, out, len);
	if (n > 0)
		return n;
	/* A range that wraps around counts as unmapped. */
	return !n || errno == EINVAL ? -EFAULT : -errno;
}

int memory_read(pid_t pid, u64 address, void *out, size_t len)
{
	while (len) {
		ssize_t n = read_some(pid, address, out, len);

		/* The thread that it is read through may have exited, or what is known
		 * may be of the memory before an exec. */
		if (n == -ESRCH) {
			memory_forget();
			n = read_some(pid, address, out, len);
		}
		if (n < 0)
			return n;
		out = (u8 *)out + n;
		address += n;
		len -= n;
	}
	return 0;
}

int memory_read_u64(pid_t pid, u64 address, u64 *out)
{
	return memory_read(pid, address, out, sizeof(*out));
}

int memory_read_u32(pid_t pid, u64 address, u32 *out)
{
	return memory_read(pid, address, out, sizeof(*out));
}

ssize_t memory_read_text(pid_t pid, u64 address, char *out, size_t size)
{
	size_t len = 0;

	if (!size)
		return -EINVAL;
	while (len < size - 1) {
		size_t chunk = PAGE - (address + len) % PAGE;
		char *end;
		int err;

		if (chunk > size - 1 - len)
			chunk = size - 1 - len;
		err = memory_read(pid, address + len, out + len, chunk);
		if (err)
			return err;
		end = memchr(out + len, '\0', chunk);
		if (end)
			return end - out;
		len += chunk;
	}
	out[len] = '\0';
	return len;
}
