/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names and source lines of the addresses of one module.
 *
 * Symbols come from .symtab, .dynsym, separate debug files (by build-id or debuglink),
 * MiniDebugInfo, debuginfod if DEBUGINFOD_URLS is set, and from the names under which a
 * library registers functions with an interpreter.  Source lines come from the DWARF of
 * the same files.
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
/* Append the demangled symbol that covers vaddr and return true.  If there is none,
 * return false and append "0x12": the start of the function by unwind information, or
 * vaddr itself.  Code made at run time has the name that its maker gave it, or nothing
 * is appended. */
bool native_name(struct native *n, u64 vaddr, struct buf *out);
/* The source place of vaddr; valid until the next call with n. */
struct source_place native_line(struct native *n, u64 vaddr);
/* Call fn for each function inlined at vaddr, innermost first, with its name and the
 * place where it is called. */
void native_inlines(struct native *n, u64 vaddr, lines_inlined *fn, void *ctx);
/* First address of the function that covers vaddr, by .eh_frame, else by symbol; 0 if
 * neither has one. */
u64 native_function(struct native *n, u64 vaddr);

#endif
