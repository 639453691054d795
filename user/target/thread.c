/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* /proc/TID/status exists for every thread, though it is not listed in /proc. */
#include "user/target/thread.h"

#include <errno.h>
#include <stdio.h>

#include "user/lib/guard.h"

pid_t thread_process(const char *proc, pid_t tid)
{
	_cleanup_fclose_ FILE *f = NULL;
	char line[256];
	pid_t pid;

	snprintf(line, sizeof(line), "%s/%d/status", proc, tid);
	f = fopen(line, "re");
	if (!f)
		return -ESRCH;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			return pid;
	return -ESRCH;
}
