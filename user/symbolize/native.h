/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names of the addresses of one module.
 *
 * Symbols come from .symtab, .dynsym, separate debug files (by build-id or
 * debuglink), MiniDebugInfo, and debuginfod when DEBUGINFOD_URLS is set, and
 * from what a library registers with an interpreter; source lines from the DWARF of the same files.
 */
#ifndef JPBPF_USER_SYMBOLIZE_NATIVE_H
#define JPBPF_USER_SYMBOLIZE_NATIVE_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct module;
struct native; /* opaque */

/* m must outlive it.  Symbols are read at the first native_name().  addresses: what has
 * no name is shown by its address, not by that of its function. */
struct native *native_new(const struct module *m, bool addresses);
void native_free(struct native *n);
/* Append the demangled symbol that covers vaddr and return true; else append
 * "[file+0xstart]", by where the function begins that unwind information knows at vaddr,
 * or "[file+0xvaddr]", and return false. */
bool native_name(struct native *n, u64 vaddr, struct buf *out);
/* Append "file.c:12", where vaddr is in the source, and return true; false, and
 * nothing appended, when no debug information says it. */
bool native_line(struct native *n, u64 vaddr, struct buf *out);
/* The functions inlined at vaddr, innermost first: calls fn for each with its name and
 * where it is called, "file.c:12" or "". */
void native_inlines(struct native *n, u64 vaddr,
		    void (*fn)(void *ctx, const char *name, const char *call),
		    void *ctx);
/* First address of the function that covers vaddr: by .eh_frame, else by symbol;
 * 0 when neither knows. */
u64 native_function(struct native *n, u64 vaddr);

#endif
