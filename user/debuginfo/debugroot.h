/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The separate debug file of a module whose process has another root folder. */
#ifndef JPBPF_USER_DEBUGINFO_DEBUGROOT_H
#define JPBPF_USER_DEBUGINFO_DEBUGROOT_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

/* Look below m->root, which must not be NULL, by the build-id of m and, where link
 * is not NULL, by that name and checksum.  A descriptor of a private copy, and
 * *name malloc'ed, or -errno. */
int debugroot_open(const struct module *m, const char *link, u32 crc,
		   char **name);
/* The same of any file, by its build-id of len bytes, and then at path, if that is
 * absolute. */
int debugroot_open_id(const struct module *m, const char *path, const void *id,
		      size_t len);

#endif
