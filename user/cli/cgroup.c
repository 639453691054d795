/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The folder of a cgroup is the outermost one of its path in a file system of cgroups. */
#include "user/cli/cgroup.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

/* The part of a path below the mount point, the outermost folder of it that is in cgroup
 * v2; NULL: none is. */
static const char *below_cgroups(const char *path)
{
	for (const char *at = path; *at;) {
		_cleanup_free_ char *mount = NULL;
		struct statfs fs;

		at = strchrnul(at + 1, '/');
		mount = xstrndup(path, at - path);
		if (!statfs(mount, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
			return at;
	}
	return NULL;
}

char *cgroup_find(const char *path)
{
	for (int i = 0; *path && i < 2; i++) {
		/* The "/." at the end makes realpath() fail for anything but a
		 * folder. */
		_cleanup_free_ char *whole =
			xasprintf("%s%s/.", i ? "/sys/fs/cgroup/" : "", path);
		_cleanup_free_ char *real = realpath(whole, NULL);
		const char *below = real ? below_cgroups(real) : NULL;

		if (below)
			return xstrdup(below);
	}
	return NULL;
}
