/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files at paths where a target may have put a pipe, a device, or a link to one. */
#ifndef JPBPF_USER_TARGET_REGULAR_H
#define JPBPF_USER_TARGET_REGULAR_H

#include <sys/types.h>

struct regular_id {
	dev_t dev;
	ino_t ino;
};

/* Open for reading what path leads to, if that is a regular file and, where id is
 * not NULL, the one with that id.  -ENXIO: it is something else; -ESTALE: another
 * file.  fd or -errno. */
int regular_open(const char *path, const struct regular_id *id);
/* The same of a file that was opened with O_PATH, which stays open. */
int regular_reopen(int handle);

#endif
