/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The limit that was inherited is enough for the usual; only root can raise it. */
#include "user/session/descriptors.h"

#include <sys/resource.h>

#include "user/lib/log.h"

#define OWN 2048 /* for all but targets' files: BPF maps, containers' roots */

u32 descriptors_raise(u32 files)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return files;
	most = limit.rlim_max;
	if (most < files + OWN)
		limit.rlim_max = files + OWN;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max = most;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= files + OWN)
		return files;
	/* A quarter is left for our own where that is little. */
	most = limit.rlim_cur;
	files = most > 4 * OWN ? most - OWN : most - most / 4;
	log_warn("only %u files of targets can be open at a time (ulimit -n)",
		 files);
	return files;
}
