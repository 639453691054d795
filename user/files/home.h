/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files that are in nobody's way while they are open: those of mounts that stay as long
 * as this program runs, because it runs from them.
 */
#ifndef JPBPF_USER_FILES_HOME_H
#define JPBPF_USER_FILES_HOME_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct home {
	u64 mount[2];
	size_t n;
};

/* Nothing has to be released. */
void home_init(struct home *h);
/* Is the file on such a mount, and not deleted? */
bool home_has(const struct home *h, int fd);

#endif
