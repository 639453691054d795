/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the machine code of some exported functions gives away about a build of
 * R that has no debug information.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_SCAN_H
#define JPBPF_WALKERS_R_DERIVE_R_SCAN_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct r_slots;

#define R_SCAN_BYTES 512 /* of the context; the largest has 432 */

/* What Rf_begincontext() writes into a new context. */
struct r_scan {
	/* from[i]: vaddr of the variable that is copied to byte 4i and those
	 * behind it, or R_SCAN_ARG(n) for the n-th argument (from 0); 0: not known. */
	u64 from[R_SCAN_BYTES / 4];
};

#define R_SCAN_ARG(n) (1ull << 63 | (u64)(n) << 8)

/* 0, -ENOENT when the module has no such function, -errno. */
int r_scan_begincontext(const struct module *m, const struct r_slots *slots,
			struct r_scan *scan);
/* What is written at an offset (0: not known), and the lowest offset to which a
 * variable or argument is copied (-1: none). */
u64 r_scan_at(const struct r_scan *scan, s32 offset);
s32 r_scan_offset(const struct r_scan *scan, u64 from);

/* vaddr of the hidden variable R_SymbolTable, from Rf_install(), and the number
 * of its buckets; 0 when it is not recognised. */
u64 r_scan_symbol_table(const struct module *m, const struct r_slots *slots,
			u64 *buckets);
/* vaddr of the hidden variable R_ConsoleIob, from R_ReplDLLinit(); 0: not known. */
u64 r_scan_console(const struct module *m, const struct r_slots *slots);
/* vaddr of the hidden function R_gc_internal, from R_gc(); 0: not known. */
u64 r_scan_gc(const struct module *m);
/* vaddr of the hidden int R_jit_enabled, from do_enablejit(), which is at
 * function; 0: not recognised. */
u64 r_scan_jit(const struct module *m, const struct r_slots *slots,
	       u64 function);
/* vaddr of the hidden function RunFinalizers(), which two exported functions call;
 * 0: not known. */
u64 r_scan_finalizers(const struct module *m);

#endif
