/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Whether a mapped file can be waited for.
 *
 * A program that serves files (FUSE) need not answer, and who waits for its answer
 * can then not even be killed.
 */
#ifndef JPBPF_USER_TARGET_MOUNTS_H
#define JPBPF_USER_TARGET_MOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Are the files of this device served by the kernel, or by what root has mounted
 * where we are?  dev is as in maps.  Not a word is said to the file system.  What is
 * not known is not trusted. */
bool mounts_trusted(const char *proc, pid_t pid, dev_t dev);
/* The same of devices without a disk, by our mountinfo and by that of the process
 * that maps the file. */
bool mounts_trust(const char *ours, const char *theirs, dev_t dev);

#endif
