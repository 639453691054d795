/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The root folders of processes that see other files than the profiler: in a
 * chroot, or in a mount namespace of their own.
 *
 * Paths in such a process are relative to its root folder. The folder stays open as
 * long as somebody holds it, so that files are found after the process has ended.
 * That keeps a container's file systems mounted.
 */
#ifndef JPBPF_USER_TARGET_ROOT_H
#define JPBPF_USER_TARGET_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct root;
struct roots; /* all roots in use */

struct roots *roots_new(void);
/* Roots from rs must not be used after this. */
void roots_free(struct roots *rs);
/* The root of a process, held until roots_drop(). NULL: the same as ours. */
const struct root *roots_hold(struct roots *rs, const char *proc, pid_t pid);
/* Gives back a root; the last one closes the folder. r may be NULL. */
void roots_drop(struct roots *rs, const struct root *r);
/* false if nothing could be found out about the process. */
bool root_is_known(const struct root *r);
/* Number of open folders. */
size_t roots_open(const struct roots *rs);
/* Number of processes whose root was refused because of the limit of roots. */
u64 roots_refused(const struct roots *rs);
/* The name that a process with this root has for a file that its maps, read by us,
 * call path. Points into path. */
const char *root_path(const struct root *r, const char *path);
/* Opens the regular file of that name for reading; no link leads out of the root. A
 * file descriptor or -errno. */
int root_open(const struct root *r, const char *path);

#endif
