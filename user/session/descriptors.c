/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The inherited limit is mostly enough.  Only root can raise it. */
#include "user/session/descriptors.h"

#include <stdbool.h>
#include <sys/resource.h>

#define OWN 2048 /* own descriptors: BPF maps, roots of containers */

static struct rlimit inherited;
static bool is_raised;

static void raise_limit(rlim_t wanted)
{
	struct rlimit limit = inherited;

	if (limit.rlim_max < wanted)
		limit.rlim_max = wanted;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max = inherited.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	is_raised = true;
}

u32 descriptors_wanted(u32 files)
{
	return files + OWN;
}

u32 descriptors_raise(u32 files)
{
	u32 wanted = descriptors_wanted(files);
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_NOFILE, &inherited))
		return files;
	raise_limit(wanted);
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return files;
	/* With a low limit, a quarter is left for our own descriptors. */
	most = limit.rlim_cur;
	return most > 4 * OWN ? most - OWN : most - most / 4;
}

void descriptors_restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &inherited);
	is_raised = false;
}
