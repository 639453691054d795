/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Source lines of the addresses of one module, from DWARF: its own or that of a
 * separate debug file.
 */
#ifndef JPBPF_USER_DEBUGINFO_LINES_H
#define JPBPF_USER_DEBUGINFO_LINES_H

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

#include "user/debuginfo/inlines.h"

struct files;

/* Takes what is known of address number i: where it is in the source, then the functions
 * that are inlined there, innermost first, each with where it is called; the place of
 * the address itself has no name. */
typedef void lines_take(void *ctx, size_t i, const char *name,
			const struct source_place *place);

/* Look up n addresses of the module, which are sorted.  To be called in a jail (jail.h),
 * which frees all memory when it ends. */
void lines_read(Dwfl_Module *mod, const struct files *f, const u64 *vaddr,
		size_t n, bool inlines, lines_take *take, void *ctx);

#endif
