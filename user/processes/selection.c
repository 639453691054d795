/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/processes/selection.h"

#include <stdio.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/target/proc.h"

bool selection_is_any(const struct selection *s)
{
	return s->comm || s->uids || s->cgroup;
}

bool selection_has(const struct selection *s, pid_t pid)
{
	_cleanup_free_ char *comm = proc_line("/proc", pid, "comm", "\n");
	_cleanup_free_ char *ids =
		proc_line("/proc", pid, "status", "\nUid:\t");
	_cleanup_free_ char *path = proc_line("/proc", pid, "cgroup", "\n0::");
	size_t len = s->cgroup ? strlen(s->cgroup) : 0;
	bool is = !s->uids;
	uid_t effective;

	if (!comm || !ids || sscanf(ids, "%*u %u", &effective) != 1)
		return false;
	for (size_t i = 0; i < s->uids; i++)
		is |= s->uid[i] == effective;
	if (s->comm)
		is = is && !regexec(s->comm, comm, 0, NULL, 0);
	if (s->cgroup)
		is = is && path && !strncmp(path, s->cgroup, len) &&
		     (!path[len] || path[len] == '/');
	return is;
}
