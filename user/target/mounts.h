/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Whether a mapped file can be read without waiting for ever.
 *
 * A program that serves files (FUSE) need not answer, and a reader that waits for
 * its answer cannot even be killed.
 */
#ifndef JPBPF_USER_TARGET_MOUNTS_H
#define JPBPF_USER_TARGET_MOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the files of this device are served by the kernel, or by a FUSE file
 * system that root has mounted in our mount namespace. dev is as in maps. The file
 * system itself is not asked. An unknown device is not trusted. */
bool mounts_trusted(const char *proc, pid_t pid, dev_t dev);
/* The same for a device without a disk, by the text of our mountinfo and that of
 * the process that maps the file. */
bool mounts_trust(const char *ours, const char *theirs, dev_t dev);

#endif
