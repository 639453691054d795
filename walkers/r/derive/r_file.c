/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A file is R if it defines R_GlobalContext, R_FunTab and Rf_eval.  That is libR.so, or
 * bin/exec/R when R was configured without a shared library (bin/exec/R is linked with
 * --export-dynamic).  An embedder with copies of R's variables has no Rf_eval.
 *
 * The layout is proven by the code of Rf_begincontext().  The offset to which it copies
 * R_Srcref selects the row.  Everything else that it is seen to store must agree with
 * that row.
 */
#include "walkers/r/derive/r_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"

#define SUPPORTED "supported are R 3.4 to 4.6 built for x86-64 glibc"

u64 r_file_export(const struct module *m, const char *name)
{
	u64 vaddr;

	return module_dynsym(m, name, &vaddr, NULL) ? 0 : vaddr;
}

static int refuse(const struct module *m, struct buf *why, const char *what)
{
	buf_addf(why, "%s: R %s; " SUPPORTED, m->name, what);
	return -ENOTSUP;
}

/* Whether what is stored at this offset can be the expected one.  It can where one of the
 * two is not known. */
static bool agrees(const struct r_flow *begin, s16 offset, u64 expected)
{
	u64 from = r_scan_stored(begin, offset);

	return !from || !expected || from == expected;
}

static bool row_agrees(const struct r_file *f, const struct r_flow *begin)
{
	const struct r_layout *l = &f->row->layout;

	/* Arguments of begincontext(): cptr, flags, syscall, env, sysp,
	 * promargs, callfun (src/main/context.c, R-3-4-0 to R-4-6-1). */
	return r_scan_stored(begin, l->next) == f->at.global_context &&
	       agrees(begin, l->flags, R_ARG(1)) &&
	       agrees(begin, l->call, R_ARG(2)) &&
	       agrees(begin, l->cloenv, R_ARG(3)) &&
	       agrees(begin, l->sysparent, R_ARG(4)) &&
	       agrees(begin, l->callfun, R_ARG(6)) &&
	       agrees(begin, f->row->conexit, f->at.nil) &&
	       agrees(begin, f->row->nodestack, f->at.node_stack_top);
}

static void refuse_layout(const struct r_file *f, const struct module *m,
			  s32 srcref, struct buf *why)
{
	buf_addf(why, "%s: R ", m->name);
	r_version_text(f->version, why);
	buf_addf(why,
		 " has contexts of a layout not known here (srcref at %d, -1: "
		 "not found); " SUPPORTED,
		 srcref);
	if (f->version > R_VERSION_OF(4, 6, 0xff))
		buf_adds(why, "; please report it, with the output of \"jpbpf "
			      "info FILE\"");
}

/* Returns the vaddr of the variable that is copied to this offset of a new context; 0: not
 * known. */
static u64 hidden(const struct r_flow *begin, s16 offset)
{
	u64 from = r_scan_stored(begin, offset);

	return from & R_ARG(0) ? 0 : from;
}

static int find_layout(struct r_file *f, const struct module *m,
		       struct buf *why)
{
	const struct r_layout *l;
	struct r_flow begin;
	s32 srcref;

	if (r_flow_run(&begin, m, r_file_export(m, "Rf_begincontext")))
		return refuse(m, why, "without Rf_begincontext");
	srcref = r_scan_offset(&begin, f->at.srcref);
	f->row = r_layouts_find(srcref, r_file_export(m, "R_new_altrep"));
	if (f->row && !row_agrees(f, &begin))
		f->row = NULL;
	if (f->row) {
		l = &f->row->layout;
		f->at.layout = *l;
		f->at.nodestack = f->row->nodestack;
		f->at.bc_body = hidden(&begin, l->bcbody);
		f->at.bc_pc = hidden(&begin, l->bcpc);
		f->at.pending = hidden(&begin, l->prstack);
	} else {
		refuse_layout(f, m, srcref, why);
	}
	code_release(&begin.code);
	return f->row ? 0 : -ENOTSUP;
}

static void find_code(const struct module *m, const char *name, u64 code[2])
{
	struct module_function fn = { 0 };

	module_range_add(m, r_file_export(m, name), &fn);
	code[0] = fn.start;
	code[1] = fn.end;
}

/* In a program R's code is one run, because the objects of a library are linked one after
 * the other.  Nearly every object of R has a builtin's function or an exported one.  Code
 * outside of the run is shown as the program's. */
static void find_own_code(struct r_file *f, const struct module *m)
{
	for (size_t i = 0; i < f->builtins.n; i++)
		module_range_add(m, f->builtins.at[i].start, &f->own);
	module_range_exports(m, "Rf_", &f->own);
}

/* Stacks are right also without the names of builtins, so a failure is no error. */
static void find_builtins(struct r_file *f, const struct module *m)
{
	u64 table, size;
	int entries;

	if (module_dynsym(m, "R_FunTab", &table, &size))
		return;
	r_functions_add(&f->builtins, r_scan_gc(m), 0, "<GC>");
	r_functions_add(&f->builtins, r_scan_finalizers(m), 0, "<finalizer>");
	entries = r_builtins_read(&f->builtins, m, table, size);
	if (entries < 0) {
		r_functions_release(&f->builtins);
		return;
	}
	f->builtin_entries = entries;
	for (size_t i = 0; i < f->builtins.n; i++) {
		const struct r_function *function = &f->builtins.at[i];

		if (function->name && !strcmp(function->name, "enableJIT"))
			f->jit = r_scan_jit(m, function->start);
	}
}

static int look(struct r_file *f, const struct module *m, struct buf *why)
{
	const char *missing;
	u64 size;
	int err;

	f->version = r_version_find(m);
	missing = r_globals_find(f, m);
	if (missing) {
		buf_addf(why, "%s: R does not export %s; " SUPPORTED, m->name,
			 missing);
		return -ENOTSUP;
	}
	err = find_layout(f, m, why);
	if (err)
		return err;
	if (module_section(m, ".bss", &f->bss_start, &size))
		return refuse(m, why, "without section headers");
	f->bss_end = f->bss_start + size;
	find_builtins(f, m);
	f->at.symbol_table = r_scan_symbol_table(m, &f->at.symbol_chains);
	find_code(m, "Rf_eval", f->at.eval);
	find_code(m, "R_forceAndCall", f->at.force_and_call);
	f->at.console = r_scan_console(m);
	if (f->at.console)
		find_code(m, "run_Rmainloop", f->at.main_loop);
	f->is_static = m->is_exec;
	if (f->is_static)
		find_own_code(f, m);
	return 0;
}

int r_file_probe(const struct module *m, void **file, struct buf *why)
{
	struct r_file *f;
	int err;

	if (!r_file_export(m, "R_GlobalContext") ||
	    !r_file_export(m, "R_FunTab") || !r_file_export(m, "Rf_eval"))
		return 0;
	f = xcalloc(1, sizeof(*f));
	err = look(f, m, why);
	if (err) {
		r_file_free(f);
		return err;
	}
	*file = f;
	return 1;
}

void r_file_free(void *file)
{
	struct r_file *f = file;

	r_functions_release(&f->builtins);
	free(f);
}

void r_file_version(const struct r_file *f, struct buf *out)
{
	if (f->version)
		r_version_text(f->version, out);
	else
		buf_adds(out, f->row->versions);
}

void r_file_describe(const void *file, struct buf *out)
{
	const struct r_file *f = file;

	buf_adds(out, "R ");
	r_file_version(f, out);
	if (!r_layouts_known(f->row, f->version))
		buf_addf(out, " (not known; tried as %s)", f->row->versions);
	buf_addf(out, ", layout %c, %s", f->row->layout.layout,
		 f->is_static ? "static" : "shared");
	if (f->builtin_entries)
		buf_addf(out, ", %zu builtins", f->builtin_entries);
}
