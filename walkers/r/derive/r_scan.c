/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Rf_begincontext() (src/main/context.c) stores its arguments and a dozen globals into a
 * new context.  The offsets show the layout that this build was compiled with.  The
 * sources of the copies show where the globals are that are not exported.
 *
 * Rf_install() (src/main/names.c) indexes R_SymbolTable by a hash modulo HSIZE, so the
 * table follows the constant HSIZE.
 *
 * R_gc() (src/main/memory.c) sets a variable and calls R_gc_internal().
 * R_RunPendingFinalizers() and R_RunExitFinalizers() (src/main/memory.c) have one
 * callee in common, which is RunFinalizers().
 *
 * R_ReplDLLinit() (src/main/main.c) empties R_ConsoleIob by its last call.
 * do_enablejit() (src/main/eval.c) reads one int, which it returns, and writes it anew.
 */
#include "walkers/r/derive/r_file.h"

#include "arch/refs.h"

/* Of a context's field.  The largest context has 432 bytes. */
#define MAX_OFFSET 512

u64 r_scan_stored(const struct r_flow *f, s32 offset)
{
	const struct values *v = &f->values;

	for (int i = v->n_stores - 1; i >= 0; i--) {
		struct value to = v->store[i].address;
		const struct node *base = values_node(v, to);
		int size = f->code.insn[v->store[i].at].op[0].size;

		if (base->kind != NODE_INITIAL || base->place != REG_ARG0 ||
		    size < 4 || to.add > offset ||
		    to.add + (size < 8 ? size : 8) <= offset)
			continue;
		return to.add == offset ? r_flow_origin(f, v->store[i].value)
					: 0;
	}
	return 0;
}

s32 r_scan_offset(const struct r_flow *f, u64 from)
{
	for (s32 i = 0; from && i < MAX_OFFSET; i += 4)
		if (r_scan_stored(f, i) == from)
			return i;
	return -1;
}

u64 r_scan_symbol_table(const struct module *m, u64 *buckets)
{
	struct r_flow f;
	u64 table = 0;

	*buckets = 0;
	if (r_flow_open(&f, m, r_file_export(m, "Rf_install")))
		return 0;
	for (int at = 0; at >= 0 && !table; at = r_flow_next(&f, at)) {
		for (int i = 0; i < 3; i++) {
			const struct operand *op = &f.code.insn[at].op[i];

			/* HSIZE: src/main/names.c at R-3-5-3 and R-3-6-3. */
			if (op->kind == OPERAND_IMM &&
			    (op->value == 49157 || op->value == 4119))
				*buckets = op->value;
			if (*buckets && op->scale == 8 && op->reg < REG_COUNT)
				table = r_flow_origin(&f,
						      f.values.reg[op->reg]);
		}
	}
	code_release(&f.code);
	return table;
}

/* The functions that an exported function calls, in their order. */
static struct refs called_by(const struct module *m, const char *name)
{
	return refs_of(m, r_file_export(m, name), REFS_CALLED);
}

u64 r_scan_gc(const struct module *m)
{
	return called_by(m, "R_gc").at[0];
}

/* The first argument of the last call. */
u64 r_scan_console(const struct module *m)
{
	struct r_flow f;
	u64 found = 0;

	if (r_flow_open(&f, m, r_file_export(m, "R_ReplDLLinit")))
		return 0;
	for (int at = 0; at >= 0; at = r_flow_next(&f, at))
		if (f.code.insn[at].what == INSN_CALL)
			found = values_address(&f.values, m,
					       f.values.reg[REG_ARG0]);
	code_release(&f.code);
	return found;
}

u64 r_scan_jit(const struct module *m, u64 function)
{
	struct r_flow f;
	u64 written = 0;

	if (r_flow_run(&f, m, function))
		return 0;
	for (int i = 0; i < f.values.n_stores && !written; i++)
		if (f.code.insn[f.values.store[i].at].op[0].size == 4)
			written = values_address(&f.values, m,
						 f.values.store[i].address);
	code_release(&f.code);
	return written;
}

u64 r_scan_finalizers(const struct module *m)
{
	struct refs pending = called_by(m, "R_RunPendingFinalizers");
	struct refs at_exit = called_by(m, "R_RunExitFinalizers");
	u64 found = 0;

	for (size_t i = 0; i < pending.n; i++) {
		if (!refs_has(&at_exit, pending.at[i]))
			continue;
		if (found)
			return 0;
		found = pending.at[i];
	}
	return found;
}
