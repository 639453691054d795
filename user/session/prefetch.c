/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Only fills the registry of modules; what is a target is decided later. */
#include "user/session/prefetch.h"

#include <stdlib.h>
#include <unistd.h>

#include "user/session/modules.h"
#include "user/session/target.h"
#include "user/target/maps.h"
#include "user/target/process.h"

static void want_files(struct modules *ms, const char *proc, pid_t pid,
		       bool interpreters_only)
{
	const struct target_env env = { .modules = ms, .proc = proc };
	struct maps maps = { 0 };

	if (!process_maps(proc, pid, &maps) &&
	    (!interpreters_only || target_walkers(&env, pid, &maps) > 0))
		target_want(&env, pid, &maps);
	maps_release(&maps);
}

void prefetch_process(struct modules *ms, const char *proc, pid_t pid)
{
	want_files(ms, proc, pid, false);
	modules_build(ms, 0);
}

void prefetch_interpreters(struct modules *ms, const char *proc)
{
	pid_t *pid = NULL, self = getpid();
	ssize_t n = process_list(proc, &pid);

	for (ssize_t i = 0; i < n; i++)
		if (pid[i] != self)
			want_files(ms, proc, pid[i], true);
	free(pid);
	modules_build(ms, 0);
}
