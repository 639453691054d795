/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The build-id of a debug file, and the place that it has by it. */
#ifndef JPBPF_USER_DEBUGINFO_BUILDID_H
#define JPBPF_USER_DEBUGINFO_BUILDID_H

#include <stdbool.h>
#include <stddef.h>

#define BUILDID_FOLDER "/usr/lib/debug"

/* Below BUILDID_FOLDER, malloc'ed; len bytes, at least one. */
char *buildid_path(const void *id, size_t len);
/* Is that the build-id of the ELF file that is open there? */
bool buildid_is(int fd, const void *id, size_t len);

#endif
