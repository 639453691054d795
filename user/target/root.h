/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The root folders of processes that see other files than the profiler does: in
 * a chroot, or in a mount namespace of their own.
 *
 * Paths in such a process mean files below that folder.  It is kept open as long as
 * somebody holds it, so that they are found after the process has ended; for so long
 * it keeps a container's file systems mounted.
 */
#ifndef JPBPF_USER_TARGET_ROOT_H
#define JPBPF_USER_TARGET_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct root;  /* opaque */
struct roots; /* opaque: all that were met */

struct roots *roots_new(void);
/* No root of it may be used after this. */
void roots_free(struct roots *rs);
/* The root of a process, until roots_drop().  NULL: the same as ours. */
const struct root *roots_hold(struct roots *rs, const char *proc, pid_t pid);
/* Its folder is closed when all that was held is given back.  r may be NULL. */
void roots_drop(struct roots *rs, const struct root *r);
/* false: nothing could be found out about the process. */
bool root_is_known(const struct root *r);
/* Folders that are open. */
size_t roots_open(const struct roots *rs);
/* Looks at a process in vain, because there are so many. */
u64 roots_refused(const struct roots *rs);
/* What a process with this root calls the file that its maps, read by us, call
 * path; points into path. */
const char *root_path(const struct root *r, const char *path);
/* Open for reading a regular file by that name; no link leads out of the root.
 * fd or -errno. */
int root_open(const struct root *r, const char *path);

#endif
