/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The cookie of a uprobe: which walker knows the place, and what it has to know there. */
#ifndef JPBPF_PROBE_H
#define JPBPF_PROBE_H

#include <jpbpf/types.h>

/* Instead of a walker id: the C++ runtime. */
#define PROBE_CXX 255u

/* walker: enum walker_id; kind, reg (by DWARF's numbers) and param: of struct
 * walker_probe. */
static inline u64 probe_cookie(u32 walker, u32 kind, u32 reg, u32 param)
{
	return (u64)param << 32 | (u64)(reg & 255) << 16 | (kind & 255) << 8 |
	       (walker & 255);
}

static inline u32 probe_walker(u64 cookie)
{
	return cookie & 255;
}

static inline u32 probe_kind(u64 cookie)
{
	return cookie >> 8 & 255;
}

static inline u32 probe_register(u64 cookie)
{
	return cookie >> 16 & 255;
}

static inline u32 probe_param(u64 cookie)
{
	return cookie >> 32;
}

#endif
