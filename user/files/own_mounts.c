/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files open on a mount keep that mount busy, but not other mounts of the same file
 * system.  So mounts are compared, not devices. */
#include "user/files/own_mounts.h"

#include <fcntl.h>
#include <sys/stat.h>

#define WANTED (STATX_MNT_ID | STATX_NLINK)

void own_mounts_init(struct own_mounts *h)
{
	static const char *const path[] = { "/", "/proc/self/exe" };
	struct statx st;

	*h = (struct own_mounts){ 0 };
	for (size_t i = 0; i < sizeof(path) / sizeof(*path); i++)
		if (!statx(AT_FDCWD, path[i], 0, WANTED, &st) &&
		    st.stx_mask & STATX_MNT_ID)
			h->mount[h->n++] = st.stx_mnt_id;
}

bool own_mounts_has(const struct own_mounts *h, int fd)
{
	struct statx st;

	if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, WANTED, &st) ||
	    !(st.stx_mask & STATX_MNT_ID) || !st.stx_nlink)
		return false;
	for (size_t i = 0; i < h->n; i++)
		if (st.stx_mnt_id == h->mount[i])
			return true;
	return false;
}
