/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads a process's memory without stopping the process, and without waiting for a
 * program that has to provide pages first. The bytes read may be torn or nonsense,
 * so callers check everything.
 */
#ifndef JPBPF_USER_TARGET_MEMORY_H
#define JPBPF_USER_TARGET_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct map;

enum presence {
	PRESENCE_THERE, /* a read waits only for the kernel and its disks */
	PRESENCE_ZEROS, /* never touched: all zeros, no read needed */
	PRESENCE_FAULT, /* a read can wait only for a userfaultfd */
};

/* Reads all len bytes. 0 or -errno. -EFAULT: unmapped, or not readable without
 * waiting for a program. -ESRCH: the process has gone. Untouched memory reads as
 * zeros. */
int memory_read(pid_t pid, u64 address, void *out, size_t len);
int memory_read_u64(pid_t pid, u64 address, u64 *out);
int memory_read_u32(pid_t pid, u64 address, u32 *out);
/* Reads NUL-terminated text, cut at size - 1 bytes. Length or -errno. */
ssize_t memory_read_text(pid_t pid, u64 address, char *out, size_t size);
/* What a read of a page that is neither in memory nor swapped out would wait for, in the
 * mapping that holds it (NULL: none). enum presence, or -EFAULT. */
int presence_of(pid_t pid, const struct map *map);
/* Drops what is known of the last process, with its memory and file descriptor.
 * Without this call it is used for some milliseconds. */
void memory_forget(void);

#endif
