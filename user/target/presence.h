/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What reading an address of a target would do to the reader.
 */
#ifndef JPBPF_USER_TARGET_PRESENCE_H
#define JPBPF_USER_TARGET_PRESENCE_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct map;

enum presence {
	PRESENCE_THERE, /* nobody is waited for but the kernel and its disks */
	PRESENCE_ZEROS, /* never touched: zeros, which need not be read */
	PRESENCE_FAULT, /* only a userfaultfd can be waited for */
};

/* Of the bytes from address on, at least one; *len, not 0, is cut to where the answer
 * is true.  enum presence, -EFAULT (unmapped, or served by a program), -ESRCH or
 * -errno. */
int presence_at(pid_t pid, u64 address, size_t *len);
/* Of an address whose page is neither in memory nor swapped out, in the mapping that
 * holds it (NULL: none). */
int presence_of(pid_t pid, const struct map *map);
/* Some milliseconds long what was found of the last process is taken for true, unless
 * this is called.  Memory and a file are given back, too. */
void presence_forget(void);

#endif
