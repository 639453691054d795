/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * process_vm_readv() with the partial answers taken care of.  Text is read page
 * by page, since what follows the page that holds its end may be unmapped.
 */
#include "user/target/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#define PAGE 4096UL

int memory_read(pid_t pid, u64 address, void *out, size_t len)
{
	while (len) {
		struct iovec local = { .iov_base = out, .iov_len = len };
		struct iovec remote = {
			.iov_base = (void *)(unsigned long)address,
			.iov_len = len,
		};
		ssize_t n = process_vm_readv(pid, &local, 1, &remote, 1, 0);

		if (n < 0) {
			/* A range that wraps around is just as unmapped. */
			return errno == EINVAL ? -EFAULT : -errno;
		}
		if (!n)
			return -EFAULT;
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
