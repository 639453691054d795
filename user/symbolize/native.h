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

#include "user/debuginfo/lines.h"

struct buf;
struct module;
struct native;	      /* opaque */
struct native_reader; /* opaque: who reads the files of all modules */

struct native_reader *native_reader_new(void);
void native_reader_free(struct native_reader *r);

/* m and r must outlive it.  Symbols are read at the first native_name().  addresses: what has
 * no name goes by its address, not by that of its function. */
struct native *native_new(const struct module *m, struct native_reader *r,
			  bool addresses);
void native_free(struct native *n);
/* Append the demangled symbol that covers vaddr and return true; else return false and
 * append "0x12", the address in the file at which the function begins that unwind
 * information knows at vaddr, or vaddr.  Code that a process made has the name that its
 * maker gave it, or nothing is appended. */
bool native_name(struct native *n, u64 vaddr, struct buf *out);
/* Where vaddr is in the source; good until n is asked again. */
struct source_place native_line(struct native *n, u64 vaddr);
/* The functions inlined at vaddr, innermost first: calls fn for each with its name and
 * where it is called. */
void native_inlines(struct native *n, u64 vaddr, lines_inlined *fn, void *ctx);
/* First address of the function that covers vaddr: by .eh_frame, else by symbol;
 * 0 when neither knows. */
u64 native_function(struct native *n, u64 vaddr);

#endif
