/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Source lines of the addresses of one module, from DWARF: its own or that of a
 * separate debug file.
 */
#ifndef JPBPF_USER_DEBUGINFO_LINES_H
#define JPBPF_USER_DEBUGINFO_LINES_H

#include <stdbool.h>

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

struct buf;
struct files;
struct lines; /* opaque */

/* mod and f outlive what is returned.  To be called in a jail (jail.h).  NULL: the files
 * have no lines. */
struct lines *lines_new(Dwfl_Module *mod, const struct files *f);
/* Append "file.c:12" for vaddr. false: not known. */
bool lines_name(const struct lines *l, u64 vaddr, struct buf *out);
/* The functions inlined at vaddr; innermost first: calls fn for each with its name and
 * where it is called, "file.c:12" or "". */
void lines_inlines(const struct lines *l, u64 vaddr,
		   void (*fn)(void *ctx, const char *name, const char *call),
		   void *ctx);

#endif
