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

struct module;
struct lines; /* opaque */

/* mod outlives what is returned; its files are bearable (bearable.h).  NULL: they
 * have no lines. */
struct lines *lines_new(Dwfl_Module *mod, const struct module *m);
void lines_free(struct lines *l);
/* Where vaddr is in the source. */
struct source_place lines_place(const struct lines *l, u64 vaddr);
/* The functions inlined at vaddr; see native_inlines(). */
typedef void lines_inlined(void *ctx, const char *name,
			   const struct source_place *call);
void lines_inlines(const struct lines *l, u64 vaddr, lines_inlined *fn,
		   void *ctx);

#endif
