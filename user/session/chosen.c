/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A process that cannot be profiled is reported, and the others are profiled all the
 * same. */
#include "user/session/stages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/processes/tracker.h"
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
		log_err("no room for %s %d (see --max-memory, ulimit -v)", what,
			shown);
	else
		log_err("cannot examine %s %d: %m", what, shown);
}

static void tell_native(const struct tracker *t)
{
	struct tracker_sum sum = tracker_sum(t);

	if (sum.native_only)
		log_info("%zu of the given processes %s neither Tcl nor R: "
			 "native stacks only",
			 sum.native_only, sum.native_only == 1 ? "is" : "are");
}

static int add_listed(struct session *s)
{
	const struct session_config *c = s->config;
	size_t listed = c->pids + c->engine.tids, added = 0;

	for (size_t i = 0; i < listed; i++) {
		bool is_thread = i >= c->pids;
		pid_t shown =
			is_thread ? c->engine.tid[i - c->pids] : c->pid[i];
		pid_t found =
			is_thread ? thread_process("/proc", shown) : shown;
		pid_t pid = found > 0 ? found : shown;
		int err = proc_is_32bit("/proc", pid)
				  ? -ENOTSUP
				  : tracker_add(s->tracker, pid);

		if (err)
			tell(err, is_thread ? "thread" : "process", shown);
		s->refused |= err == -ENOTSUP;
		added += !err;
	}
	tracker_scan(s->tracker);
	if (added)
		tell_native(s->tracker);
	return added || !listed ? 0 : -ESRCH;
}

int chosen_add(struct session *s)
{
	char **command = s->config->command;
	int err;

	if (!command)
		return add_listed(s);
	err = command_prepare(&s->command, command, !s->config->output);
	if (!err)
		err = tracker_expect(s->tracker, s->command.pid);
	errno = -err;
	if (err)
		log_err("cannot prepare to run '%s': %m", command[0]);
	return err;
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

bool chosen_ended(struct session *s)
{
	const struct session_config *c = s->config;

	if (c->command)
		return command_ended(&s->command);
	return (c->pids || c->engine.tids) && !tracker_sum(s->tracker).wanted;
}
