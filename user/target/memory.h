/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reading a target's memory without stopping it, and without waiting for what a
 * program has to provide first.  What is read may be torn or nonsense: callers check
 * everything.
 */
#ifndef JPBPF_USER_TARGET_MEMORY_H
#define JPBPF_USER_TARGET_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

/* All len bytes or an error. 0 or -errno (-EFAULT unmapped or not to be read without
 * waiting for a program, -ESRCH gone).  Untouched memory is zeros. */
int memory_read(pid_t pid, u64 address, void *out, size_t len);
int memory_read_u64(pid_t pid, u64 address, u64 *out);
int memory_read_u32(pid_t pid, u64 address, u32 *out);
/* NUL-terminated text, cut at size - 1. Length or -errno. */
ssize_t memory_read_text(pid_t pid, u64 address, char *out, size_t size);

#endif
