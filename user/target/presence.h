/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What reading an address of a process would make the reader wait for.
 */
#ifndef JPBPF_USER_TARGET_PRESENCE_H
#define JPBPF_USER_TARGET_PRESENCE_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct map;

enum presence {
	PRESENCE_THERE, /* a read waits only for the kernel and its disks */
	PRESENCE_ZEROS, /* never touched: all zeros, no read needed */
	PRESENCE_FAULT, /* a read can wait only for a userfaultfd */
};

/* The state of the bytes from address on. *len, which must not be 0, is cut to the
 * bytes, at least one, that share the state. enum presence, -EFAULT (unmapped, or
 * served by a program), -ESRCH or -errno. */
int presence_at(pid_t pid, u64 address, size_t *len);
/* The state of a page that is neither in memory nor swapped out, in the mapping
 * that holds it (NULL: none). */
int presence_of(pid_t pid, const struct map *map);
/* The id through which the process that presence_at() was asked about last is read: that
 * of a living thread. */
pid_t presence_thread(void);
/* Drops what is known of the last process, with its memory and file descriptor.
 * Without this call it is used for some milliseconds. */
void presence_forget(void);

#endif
