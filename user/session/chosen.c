/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A process that cannot be profiled is reported, and the others are profiled all the
 * same. */
#include "user/session/chosen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/session/command.h"
#include "user/processes/tracker.h"
#include "user/session/session.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

static void tell(int err, const char *what, pid_t shown)
{
	errno = -err;
	if (err == -ENOTSUP)
		log_err("%s %d runs 32-bit code, which is not supported", what,
			shown);
	else if (err == -ESRCH || err == -ENOENT)
		log_err("there is no %s %d; it may have ended: see ps -eL",
			what, shown);
	else if (err == -E2BIG || err == -ENOSPC)
		log_err("no room for %s %d (see --max-%s)", what, shown,
			err == -E2BIG ? "processes" : "tables");
	else
		log_err("cannot examine %s %d: %m", what, shown);
}

static int add_pid(struct tracker *t, pid_t pid)
{
	return proc_is_32bit("/proc", pid) ? -ENOTSUP : tracker_add(t, pid);
}

int chosen_add(const struct session_config *config, struct tracker *t,
	       struct command *c, bool *refused)
{
	size_t added = 0;
	int err = 0;

	for (size_t i = 0; i < config->pids + config->tids; i++) {
		bool is_thread = i >= config->pids;
		pid_t shown = is_thread ? config->tid[i - config->pids]
					: config->pid[i];
		pid_t pid = is_thread ? thread_process("/proc", shown) : shown;

		err = add_pid(t, pid > 0 ? pid : shown);
		if (err)
			tell(err, is_thread ? "thread" : "process", shown);
		*refused |= err == -ENOTSUP;
		added += !err;
	}
	if (config->command) {
		err = command_prepare(c, config->command, !config->output);
		if (!err)
			err = tracker_expect(t, c->pid);
		added += !err;
	}
	if (!config->command)
		tracker_scan(t);
	return added || (!config->pids && !config->tids && !config->command)
		       ? 0
		       : -ESRCH;
}

bool chosen_is(void *session_config, pid_t pid)
{
	const struct session_config *c = session_config;
	_cleanup_free_ char *comm = proc_line("/proc", pid, "comm", "\n");
	_cleanup_free_ char *ids =
		proc_line("/proc", pid, "status", "\nUid:\t");
	_cleanup_free_ char *path = proc_line("/proc", pid, "cgroup", "\n0::");
	size_t len = c->only.cgroup ? strlen(c->only.cgroup) : 0;
	bool is = !c->only.uids;
	uid_t effective;

	if (!comm || !ids || sscanf(ids, "%*u %u", &effective) != 1)
		return false;
	for (size_t i = 0; i < c->only.uids; i++)
		is |= c->only.uid[i] == effective;
	if (c->only.comm)
		is = is && !regexec(c->only.comm, comm, 0, NULL, 0);
	if (c->only.cgroup)
		is = is && path && !strncmp(path, c->only.cgroup, len) &&
		     (!path[len] || path[len] == '/');
	return is;
}

void chosen_tell_native(const struct session_config *config,
			const struct tracker *t)
{
	struct tracker_sum sum = tracker_sum(t);

	if (config->pids + config->tids && sum.native_only)
		log_info("%zu of the given processes %s neither Tcl nor R: "
			 "native stacks only",
			 sum.native_only, sum.native_only == 1 ? "is" : "are");
}

bool chosen_ended(const struct session_config *config, const struct tracker *t,
		  struct command *c)
{
	if (config->command)
		return command_ended(c);
	return (config->pids || config->tids) && !tracker_sum(t).wanted;
}
