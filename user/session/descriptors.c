/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/session/descriptors.h"

#include <sys/resource.h>

void descriptors_raise(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}
