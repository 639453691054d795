/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The separate debug file that lies beside a program, by its .gnu_debuglink. */
#ifndef JPBPF_USER_DEBUGINFO_DEBUGLINK_H
#define JPBPF_USER_DEBUGINFO_DEBUGLINK_H

#include <jpbpf/types.h>

/* Look for link beside path and in .debug there; crc is the file's checksum as
 * the program states it.  fd, and *name malloc'ed, or -errno. */
int debuglink_open(const char *path, const char *link, u32 crc, char **name);

#endif
