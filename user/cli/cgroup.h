/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The folder of a cgroup (v2), as people write it. */
#ifndef JPBPF_USER_CLI_CGROUP_H
#define JPBPF_USER_CLI_CGROUP_H

/* From a whole path or one below /sys/fs/cgroup: the path below the mount point, "" for the
 * first cgroup; the caller frees it.  NULL: there is no such cgroup. */
char *cgroup_find(const char *path);

#endif
