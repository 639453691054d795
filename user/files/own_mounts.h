/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Mounts that stay as long as this program runs, because it runs from them.  An open
 * file on one of them keeps nothing mounted that could go.
 */
#ifndef JPBPF_USER_FILES_OWN_MOUNTS_H
#define JPBPF_USER_FILES_OWN_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct own_mounts {
	u64 mount[2];
	size_t n;
};

/* Find the mounts.  Nothing has to be released. */
void own_mounts_init(struct own_mounts *h);
/* Whether the open file is on such a mount and not deleted. */
bool own_mounts_has(const struct own_mounts *h, int fd);

#endif
