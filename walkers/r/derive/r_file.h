/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the user side knows of one file with R, and the functions that find it. */
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

struct walker_call;
struct walker_probe;

struct r_layout_row {
	const char *versions;	/* "4.0.x..4.3.x" */
	u32 first, last;	/* R_VERSION of the oldest and newest */
	bool altrep;		/* R has ALTREP, so it exports R_new_altrep */
	s16 nodestack, conexit; /* offsets that only the proof needs */
	struct r_layout layout;
};

extern const struct r_layout_row r_layouts[];
extern const size_t r_layouts_count;

/* Returns the row whose contexts keep R_Srcref at this offset, or NULL. */
const struct r_layout_row *r_layouts_find(s32 srcref, bool altrep);
/* Returns whether the row was seen in that version (R_VERSION); false for 0. */
bool r_layouts_known(const struct r_layout_row *row, u32 version);

/* r_functions.c: C functions by the names that R has for them. */

struct r_function {
	u64 start;  /* vaddr */
	u64 end;    /* vaddr, from .eh_frame; 0: not known */
	u32 order;  /* of this name among the function's names */
	char *name; /* several are joined by "|"; NULL: none */
};

/* { 0 } is empty.  r_functions_release() frees it. */
struct r_functions {
	struct r_function *at;
	size_t n, capacity;
};

/* Reads the name of a function from vaddr text.  Returns false if there is none, if it is
 * longer than size, or if it cannot be shown. */
bool r_functions_read(const struct module *m, u64 text, char *name,
		      size_t size);
/* Adds a function.  start 0: adds nothing.  name is copied; NULL: the function has none.
 * The names of one function are sorted by order, then by the alphabet. */
void r_functions_add(struct r_functions *f, u64 start, u32 order,
		     const char *name);
/* Sorts by start, joins the names of functions that have the same start, and sets their
 * ends.  Is called once, after the last function was added. */
void r_functions_join(struct r_functions *f, const struct module *m);
/* Returns the names of the function that starts at vaddr.  NULL: it has none, or no
 * function starts there. */
const char *r_functions_name(const struct r_functions *f, u64 vaddr);
void r_functions_release(struct r_functions *f);

/* r_builtins.c: R_FunTab, which names the static do_* functions of a stripped libR. */

/* Adds the functions of the table at vaddr, which has size bytes.  Specials, which are the
 * language's own words (`{`, `if`, UseMethod), have no name.  Returns the number of
 * entries; -EINVAL if this is no such table.  The caller releases *b in either case. */
int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size);
/* Calls add for each function of R_FunTab, under each of its names; specials, too. */
void r_builtins_each(const struct module *m,
		     void (*add)(void *ctx, u64 vaddr, const char *name),
		     void *ctx);

/* r_routines.c: the C and Fortran functions that a package's library registers with R,
 * for .Call(C_name, ...).  Most are static or hidden, so a stripped library has no
 * symbols for them. */

/* *r is empty before.  Returns 0 if the library registers something that can be read from
 * its file, else -ENOENT.  The caller releases *r in either case. */
int r_routines_read(struct r_functions *r, const struct module *m);

/* r_version.c */

/* R_VERSION of include/Rversion.h: 0x040602 for R 4.6.2. */
#define R_VERSION_OF(major, minor, patch) \
	((u32)(major) << 16 | (u32)(minor) << 8 | (u32)(patch))

/* Returns the version of the R in this file; 0: not known. */
u32 r_version_find(const struct module *m);
/* Appends "4.6.2", or "of unknown version" for 0. */
void r_version_text(u32 version, struct buf *out);

/* r_file.c */

struct r_file {
	const struct r_layout_row *row;
	bool is_static; /* R is in the executable */
	u32 version;	/* R_VERSION; 0: not known */
	/* at has the vaddr of each variable and function.  slot has the vaddr of the GOT
	 * slot through which the variable is reached; 0: none. */
	struct r_process at, slot;
	struct r_functions builtins; /* with "<GC>" and "<finalizer>" */
	size_t builtin_entries;	     /* of R_FunTab */
	u64 jit;		     /* vaddr of R_jit_enabled; 0: not known */
	u64 bss_start, bss_end;	     /* vaddr */
	/* R's code in a program that has it linked in.  If it is empty, all code of the
	 * file is R's. */
	struct module_function own;
};

/* The operations probe, forget and describe of struct walker_file_ops.  r_file_probe()
 * returns -ENOTSUP for an R that cannot be walked. */
int r_file_probe(const struct module *m, void **file, struct buf *why);
void r_file_free(void *file);
void r_file_describe(const void *file, struct buf *out);
/* Returns the vaddr of what the file exports under this name; 0: nothing. */
u64 r_file_export(const struct module *m, const char *name);
/* Appends the version, or the versions that are possible. */
void r_file_version(const struct r_file *file, struct buf *out);

/* r_globals.c: where a file and a process have R's global variables. */

/* Sets f->at and f->slot for the exported variables.  Returns NULL, or the name of a
 * variable that is needed and not exported. */
const char *r_globals_find(struct r_file *f, const struct module *m);
/* Changes *p, which is a copy of f->at, to what holds for the process.  Returns 1; 0 if a
 * value that is needed is still NULL, or there is no context yet; -errno. */
int r_globals_read(const struct r_file *f, pid_t pid, u64 bias,
		   struct r_process *p);

/* r_flow.c: what a function of R does on the way from its entry to its return.  Some
 * functions do little more than copy variables.  In any build their code tells where the
 * variables are, and where in a struct they are copied to. */

/* The origin of a value is a variable's vaddr, or this for the n-th argument (from 0). */
#define R_ARG(n) (1ull << 63 | (u64)(n) << 8)

struct r_flow {
	const struct module *m;
	struct code code;
	struct values values; /* before the instruction at hand */
};

/* Opens the function at vaddr.  The caller visits its instructions from index 0 on, until
 * r_flow_next() returns -1, and releases f->code.  0; -ENOENT: no function begins there;
 * -errno. */
int r_flow_open(struct r_flow *f, const struct module *m, u64 vaddr);
int r_flow_next(struct r_flow *f, int at);
/* Opens a function and visits all of its instructions. */
int r_flow_run(struct r_flow *f, const struct module *m, u64 vaddr);
/* Returns the origin of a value; 0: not known. */
u64 r_flow_origin(const struct r_flow *f, struct value value);

/* r_errors.c: where errors are raised.  probe has room for three.  Returns their number; 0:
 * the code is not understood. */
size_t r_errors_find(const struct r_file *file, const struct module *m,
		     struct walker_probe *probe);

/* r_calls.c: where calls begin and end.  call has room for R_CALL_KINDS.  Returns their
 * number; 0: the code is not understood. */
size_t r_calls_find(const struct r_file *file, const struct module *m,
		    struct walker_call *call);

/* r_scan.c: what the code of some functions tells of a build without debug
 * information.  Each function returns 0 for what is not known. */

/* Returns the origin of what a visited function stores at this offset of the struct that
 * its first argument points to. */
u64 r_scan_stored(const struct r_flow *f, s32 offset);
/* Returns the lowest offset at which what has this origin is stored; -1: none. */
s32 r_scan_offset(const struct r_flow *f, u64 from);
/* Returns the vaddr of the hidden variable R_SymbolTable, and sets *buckets. */
u64 r_scan_symbol_table(const struct module *m, u64 *buckets);
/* Returns the vaddr of the hidden variable R_ConsoleIob. */
u64 r_scan_console(const struct module *m);
/* Returns the vaddr of the hidden function R_gc_internal(). */
u64 r_scan_gc(const struct module *m);
/* Returns the vaddr of the hidden int R_jit_enabled.  function: vaddr of do_enablejit(). */
u64 r_scan_jit(const struct module *m, u64 function);
/* Returns the vaddr of the hidden function RunFinalizers(). */
u64 r_scan_finalizers(const struct module *m);

#endif
