/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Opens files at paths where a process may have put a pipe, a device, or a link to
 * one. */
#ifndef JPBPF_USER_TARGET_REGULAR_H
#define JPBPF_USER_TARGET_REGULAR_H

#include <sys/types.h>

struct regular_id {
	dev_t dev;
	ino_t ino;
};

/* Opens for reading the file that path leads to, if it is a regular file and, where
 * id is not NULL, has that id. -ENXIO: no regular file. -ESTALE: another file. A
 * file descriptor or -errno. */
int regular_open(const char *path, const struct regular_id *id);
/* Opens for reading the regular file behind an O_PATH descriptor, which stays open.
 * A file descriptor or -errno. */
int regular_reopen(int handle);

#endif
