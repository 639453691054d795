/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which version of R a file is. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_VERSION_H
#define JPBPF_WALKERS_R_DERIVE_R_VERSION_H

#include <jpbpf/types.h>

struct buf;
struct module;

/* R_VERSION of include/Rversion.h: 0x040602 for R 4.6.2. */
#define R_VERSION_OF(major, minor, patch) \
	((u32)(major) << 16 | (u32)(minor) << 8 | (u32)(patch))

/* The version of the R in this file; 0: it cannot be told. */
u32 r_version_find(const struct module *m);
/* Appends "4.6.2", or "of unknown version" for 0. */
void r_version_text(u32 version, struct buf *out);

#endif
