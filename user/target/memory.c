/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads by process_vm_readv(), where no program can make it wait (presence.c), and
 * goes on after partial reads. Text is read page by page, since the page after its
 * end may be unmapped.
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
#include <sys/uio.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/presence.h"

#define PAGE 4096UL

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
		n = read_by_file(presence_thread(), address, out, len);
	else
		n = read_by_call(presence_thread(), address, out, len);
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
			presence_forget();
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
