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
struct lines; /* opaque */

/* mod and f outlive what is returned.  To be called in a jail (jail.h).  NULL: the files
 * have no lines. */
struct lines *lines_new(Dwfl_Module *mod, const struct files *f);
/* Where vaddr is in the source. */
struct source_place lines_place(const struct lines *l, u64 vaddr);
/* The functions inlined at vaddr, innermost first: calls fn for each with its name and
 * where it is called. */
typedef void lines_inlined(void *ctx, const char *name,
			   const struct source_place *call);
void lines_inlines(const struct lines *l, u64 vaddr, lines_inlined *fn,
		   void *ctx);

#endif
