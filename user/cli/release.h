/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The upstream version of the running kernel, and what it means for profiling. */
#ifndef JPBPF_USER_CLI_RELEASE_H
#define JPBPF_USER_CLI_RELEASE_H

#include <stdbool.h>

struct release {
	unsigned major, minor, patch;
};

/* release and version are as in uname(2). signature is the text of
 * /proc/version_signature (Ubuntu), or "". The upstream version is taken from the
 * most exact of the three. 0 or -EINVAL. */
int release_parse(struct release *r, const char *release, const char *version,
		  const char *signature);
bool release_at_least(const struct release *r, unsigned major, unsigned minor);
/* Whether reading user memory from a perf event may freeze this kernel. */
bool release_may_freeze(const struct release *r);

#endif
