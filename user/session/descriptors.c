/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The inherited limit is mostly enough.  Only root can raise it. */
#include "user/session/descriptors.h"

#include <stdbool.h>
#include <sys/resource.h>

#define OWN 2048 /* own descriptors: BPF maps, roots of containers */

static struct rlimit inherited;
static bool is_raised;

u32 descriptors_wanted(u32 files)
{
	return files + OWN;
}

u32 descriptors_raise(u32 files)
{
	rlim_t wanted = descriptors_wanted(files);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &inherited))
		return files;
	limit = inherited;
	if (limit.rlim_max < wanted)
		limit.rlim_max = wanted;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max = inherited.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	is_raised = true;
	if (limit.rlim_cur >= wanted)
		return files;
	/* With a low limit, a quarter is left for our own descriptors. */
	return limit.rlim_cur > 4 * OWN ? limit.rlim_cur - OWN
					: limit.rlim_cur - limit.rlim_cur / 4;
}

void descriptors_restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &inherited);
	is_raised = false;
}
