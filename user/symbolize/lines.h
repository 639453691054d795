/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Source lines of the addresses of one module, from DWARF: its own or that of a
 * separate debug file.
 */
#ifndef JPBPF_USER_SYMBOLIZE_LINES_H
#define JPBPF_USER_SYMBOLIZE_LINES_H

#include <stdbool.h>

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

struct buf;
struct lines; /* opaque */

/* elf: the module's file as it is, mod: libdwfl's view of it; both outlive what
 * is returned.  NULL: it has no lines, or so many that they are not read. */
struct lines *lines_new(Dwfl_Module *mod, Elf *elf);
void lines_free(struct lines *l);
/* Append "file.c:12" for vaddr. false: not known. */
bool lines_name(const struct lines *l, u64 vaddr, struct buf *out);
/* The functions inlined at vaddr; see native_inlines(). */
void lines_inlines(const struct lines *l, u64 vaddr,
		   void (*fn)(void *ctx, const char *name, const char *call),
		   void *ctx);

#endif
