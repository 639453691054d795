/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The data of probe(): all that the user side knows of one file with R.  And the
 * functions that find its parts. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FILE_H
#define JPBPF_WALKERS_R_DERIVE_R_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "arch/code.h"
#include "arch/values.h"
#include "user/elf/module.h"
#include "walkers/r/r.h"

struct buf;

/* r_layouts.c: the layouts that R has had, one row per range of versions. */

struct r_layout_row {
	const char *versions;	/* "4.0.x..4.3.x" */
	u32 first, last;	/* R_VERSION of those in which it was seen */
	bool altrep;		/* has ALTREP: exports R_new_altrep */
	s16 nodestack, conexit; /* only for the proof */
	struct r_layout layout;
};

extern const struct r_layout_row r_layouts[];
extern const size_t r_layouts_count;

/* The row whose contexts keep R_Srcref at this offset, or NULL. */
const struct r_layout_row *r_layouts_find(s32 srcref, bool altrep);
/* Whether the row was seen in that version (R_VERSION); false for 0. */
bool r_layouts_known(const struct r_layout_row *row, u32 version);

/* r_functions.c: C functions by the names that R has for them. */

struct r_function {
	u64 start;  /* vaddr */
	u64 end;    /* as .eh_frame has it; 0: not known */
	u32 order;  /* of its names */
	char *name; /* NULL: none; several are joined by "|" */
};

/* { 0 } at first; r_functions_release() frees it. */
struct r_functions {
	struct r_function *at;
	size_t n, capacity;
};

/* Reads a function's name, a text at that vaddr.  false: there is none that fits and can
 * be shown. */
bool r_functions_read(const struct module *m, u64 text, char *name,
		      size_t size);
/* Adds a function, if start is not 0.  name is copied; NULL: it has none.  Names of one function are put in
 * the order of these numbers, equal numbers by the alphabet. */
void r_functions_add(struct r_functions *f, u64 start, u32 order,
		     const char *name);
/* Sorts by start, joins the names of those of one start, and sets their ends.  To be
 * called once, after the last function was added. */
void r_functions_join(struct r_functions *f, const struct module *m);
/* The function's name or names.  NULL: none, or no function starts at vaddr. */
const char *r_functions_name(const struct r_functions *f, u64 vaddr);
void r_functions_release(struct r_functions *f);

/* r_builtins.c: R_FunTab.  It names the static do_* functions of a stripped libR. */

/* Reads the table at vaddr, of size bytes, from the file.  Specials, which are the
 * language's own words (`{`, `if`, UseMethod), give a function without a name.  Returns
 * the number of the table's entries without its end; -EINVAL if it is no such table;
 * -errno.  Release in either case. */
int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size);

/* r_routines.c: the C and Fortran functions that a package's library registers with R,
 * for .Call(C_name, ...).  Most are static or hidden, so a stripped library has no
 * symbols for them. */

/* { 0 } first.  0 when the library registers something that can be read from its
 * file; -ENOENT when not.  Release in either case. */
int r_routines_read(struct r_functions *r, const struct module *m);

/* r_version.c */

/* R_VERSION of include/Rversion.h: 0x040602 for R 4.6.2. */
#define R_VERSION_OF(major, minor, patch) \
	((u32)(major) << 16 | (u32)(minor) << 8 | (u32)(patch))

/* The version of the R in this file; 0: it cannot be told. */
u32 r_version_find(const struct module *m);
/* Appends "4.6.2", or "of unknown version" for 0. */
void r_version_text(u32 version, struct buf *out);

/* r_file.c */

struct r_file {
	const struct r_layout_row *row;
	bool is_static; /* R is in the executable, there is no libR */
	u32 version;	/* R_VERSION; 0: not known */
	/* What the kernel side gets, but with the vaddr of each variable and function; and
	 * with the vaddr of the GOT slot through which a variable is reached, 0: none. */
	struct r_process at, slot;
	struct r_functions
		builtins; /* and R's collector, "<GC>" and "<finalizer>" */
	size_t builtin_entries; /* of R_FunTab */
	u64 jit;		/* vaddr of R_jit_enabled; 0: not known */
	u64 bss_start, bss_end; /* vaddr */
	/* Where R's code is in a program that has it linked in; all of the file if
	 * empty. */
	struct module_function own;
};

/* The operations probe, forget and describe of struct walker_file_ops.  -ENOTSUP: it is
 * an R that cannot be walked. */
int r_file_probe(const struct module *m, void **file, struct buf *why);
void r_file_free(void *file);
void r_file_describe(const void *file, struct buf *out);
/* The vaddr of what the file exports under this name; 0: it does not. */
u64 r_file_export(const struct module *m, const char *name);
/* Appends the version, or the versions that are possible. */
void r_file_version(const struct r_file *file, struct buf *out);

/* r_globals.c: where a file and a process have R's global variables. */

/* Sets f->at and f->slot for the exported variables.  Returns NULL, or the name of one
 * that is needed and not exported. */
const char *r_globals_find(struct r_file *f, const struct module *m);
/* Makes of p, at first f->at, what holds for a process.  1: done; 0: one that is needed
 * is still NULL; -errno. */
int r_globals_read(const struct r_file *f, pid_t pid, u64 bias,
		   struct r_process *p);

/* r_flow.c: what one of R's functions does on the way from its entry to its return.
 * Some do little more than copy variables.  Their code tells where the variables are and
 * where in a struct they go, in any build. */

/* Where a value comes from when it is the n-th argument (from 0); else the vaddr of the
 * variable. */
#define R_ARG(n) (1ull << 63 | (u64)(n) << 8)

struct r_flow {
	const struct module *m;
	struct code code;
	struct values values; /* before the instruction that is visited */
};

/* Opens the function at vaddr.  The caller visits its instructions from index 0 on, until
 * r_flow_next() returns -1, and releases f->code.  0; -ENOENT: no function begins there;
 * -errno. */
int r_flow_open(struct r_flow *f, const struct module *m, u64 vaddr);
int r_flow_next(struct r_flow *f, int at);
/* Opens a function and visits all of its instructions. */
int r_flow_run(struct r_flow *f, const struct module *m, u64 vaddr);
/* Where a value was copied from; 0: not known. */
u64 r_flow_origin(const struct r_flow *f, struct value value);

/* r_scan.c: what the code of some functions tells of a build without debug
 * information. */

/* What a visited function stores at an offset of its first argument's object: the
 * variable or argument (R_ARG) that is copied there; 0: not known. */
u64 r_scan_stored(const struct r_flow *f, s32 offset);
/* The lowest offset to which a variable or argument is copied; -1: none. */
s32 r_scan_offset(const struct r_flow *f, u64 from);
/* vaddr of the hidden variable R_SymbolTable, from Rf_install(), and the number
 * of its buckets; 0 when it is not recognised. */
u64 r_scan_symbol_table(const struct module *m, u64 *buckets);
/* vaddr of the hidden variable R_ConsoleIob, from R_ReplDLLinit(); 0: not known. */
u64 r_scan_console(const struct module *m);
/* vaddr of the hidden function R_gc_internal, from R_gc(); 0: not known. */
u64 r_scan_gc(const struct module *m);
/* vaddr of the hidden int R_jit_enabled, from do_enablejit(), which is at
 * function; 0: not recognised. */
u64 r_scan_jit(const struct module *m, u64 function);
/* vaddr of the hidden function RunFinalizers(), which two exported functions call;
 * 0: not known. */
u64 r_scan_finalizers(const struct module *m);

#endif
