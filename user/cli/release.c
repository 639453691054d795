/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds the upstream version of a kernel. Distributions put their own number into
 * the release ("6.1.0-18-amd64"). Debian gives the upstream version after its name
 * in the version ("... Debian 6.1.76-1 ..."), Ubuntu as the last word of a file of
 * its own.
 */
#include "user/cli/release.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int scan(struct release *r, const char *text)
{
	struct release found = { 0 };

	if (sscanf(text, "%u.%u.%u", &found.major, &found.minor, &found.patch) <
	    2)
		return -EINVAL;
	*r = found;
	return 0;
}

int release_parse(struct release *r, const char *release, const char *version,
		  const char *signature)
{
	const char *debian = strstr(version, "Debian ");
	const char *ubuntu = strrchr(signature, ' ');

	if (debian && !scan(r, debian + strlen("Debian ")))
		return 0;
	if (ubuntu && !scan(r, ubuntu + 1))
		return 0;
	return scan(r, release);
}

static int compare(const struct release *r, unsigned major, unsigned minor,
		   unsigned patch)
{
	if (r->major != major)
		return r->major < major ? -1 : 1;
	if (r->minor != minor)
		return r->minor < minor ? -1 : 1;
	return r->patch < patch ? -1 : r->patch > patch;
}

bool release_at_least(const struct release *r, unsigned major, unsigned minor)
{
	return compare(r, major, minor, 0) >= 0;
}

/* From 5.19 on copy_from_user_nofault() could take a lock that the interrupted code
 * held. 6.4 has the fix; so have the stable kernels 6.1.36 and 6.3.10. */
bool release_may_freeze(const struct release *r)
{
	if (compare(r, 5, 19, 0) < 0 || compare(r, 6, 3, 10) >= 0)
		return false;
	return compare(r, 6, 1, 36) < 0 || compare(r, 6, 2, 0) >= 0;
}
