/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The root folders of processes that see other files than the profiler does: in
 * a chroot, or in a mount namespace of their own.
 *
 * Paths in such a process mean files below that folder.  It is kept open, so that
 * they are found after the process has ended.
 */
#ifndef JPBPF_USER_TARGET_ROOT_H
#define JPBPF_USER_TARGET_ROOT_H

#include <sys/types.h>

struct root;  /* opaque */
struct roots; /* opaque: all that were met */

struct roots *roots_new(void);
/* No root of it may be used after this. */
void roots_free(struct roots *rs);
/* The root of a process, NULL: the same as ours.  Owned by rs. */
const struct root *roots_of(struct roots *rs, const char *proc, pid_t pid);
/* What a process with this root calls the file that its maps, read by us, call
 * path; points into path. */
const char *root_path(const struct root *r, const char *path);
/* Open for reading a regular file by that name; no link leads out of the root.
 * fd or -errno. */
int root_open(const struct root *r, const char *path);

#endif
