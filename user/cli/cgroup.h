/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#ifndef JPBPF_USER_CLI_CGROUP_H
#define JPBPF_USER_CLI_CGROUP_H

/* From the path of a cgroup (v2), a whole one or one below /sys/fs/cgroup: the path below
 * the mount point, "" for the first cgroup; the caller frees it.  NULL: there is no such
 * cgroup. */
char *cgroup_find(const char *path);

#endif
