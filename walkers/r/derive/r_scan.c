/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Rf_begincontext() (src/main/context.c) stores its arguments and a dozen
 * globals into a new context: which of them goes to which offset shows the
 * layout that this build was compiled with, and where the globals are that are
 * not exported.  Rf_install() (src/main/names.c) indexes R_SymbolTable by a
 * hash modulo HSIZE, so the constant HSIZE announces the table.  R_gc()
 * (src/main/memory.c) sets a variable and calls R_gc_internal().
 * R_RunPendingFinalizers() and R_RunExitFinalizers() (src/main/memory.c) have one
 * callee in common, RunFinalizers().
 * R_ReplDLLinit() (src/main/main.c) empties R_ConsoleIob by its last call.
 * R_GE_getVersion() (src/main/engine.c) returns a constant.  do_enablejit()
 * (src/main/eval.c) reads one int, which it returns, and writes it anew.
 */
#include "walkers/r/derive/r_scan.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "arch/refs.h"
#include "user/elf/module.h"
#include "walkers/r/derive/r_flow.h"
#include "walkers/r/derive/r_slots.h"

_Static_assert(R_SCAN_ARG(6) == R_FLOW_ARG(6), "one way to write arguments");

/* One store through the first argument. */
static void note_store(struct r_scan *scan, const struct r_flow *f, int i)
{
	const struct values *v = &f->values;
	struct value to = v->store[i].address, value = v->store[i].value;
	const struct node *base = values_node(v, to);
	int size = f->code.insn[v->store[i].at].op[0].size;

	if (base->kind != NODE_INITIAL || base->place != REG_ARG0 ||
	    to.add < 0 || to.add + 8 > R_SCAN_BYTES || size < 4)
		return;
	scan->from[to.add / 4] = r_flow_origin(f, value);
	if (size > 4)
		scan->from[to.add / 4 + 1] = 0;
}

int r_scan_begincontext(const struct module *m, const struct r_slots *slots,
			struct r_scan *scan)
{
	struct r_flow f;
	int err;

	memset(scan, 0, sizeof(*scan));
	err = r_flow_run(&f, m, slots, "Rf_begincontext", 0);
	if (err)
		return err;
	for (int i = 0; i < f.values.n_stores; i++)
		note_store(scan, &f, i);
	r_flow_release(&f);
	return 0;
}

u64 r_scan_at(const struct r_scan *scan, s32 offset)
{
	if (offset < 0 || offset >= R_SCAN_BYTES || offset % 4)
		return 0;
	return scan->from[offset / 4];
}

s32 r_scan_offset(const struct r_scan *scan, u64 from)
{
	if (!from)
		return -1;
	for (s32 i = 0; i < R_SCAN_BYTES / 4; i++) {
		if (scan->from[i] == from)
			return 4 * i;
	}
	return -1;
}

u64 r_scan_symbol_table(const struct module *m, const struct r_slots *slots,
			u64 *buckets)
{
	struct r_flow f;
	u64 table = 0;

	*buckets = 0;
	if (r_flow_open(&f, m, slots, "Rf_install", 0))
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
	r_flow_release(&f);
	return table;
}

u64 r_scan_gc(const struct module *m)
{
	struct refs called;
	u64 vaddr;

	if (module_dynsym(m, "R_gc", &vaddr, NULL))
		return 0;
	refs_called(&called, m, vaddr);
	return called.n ? called.at[0] : 0;
}

/* The first argument of the last call. */
u64 r_scan_console(const struct module *m, const struct r_slots *slots)
{
	struct r_flow f;
	u64 found = 0;

	if (r_flow_open(&f, m, slots, "R_ReplDLLinit", 0))
		return 0;
	for (int at = 0; at >= 0; at = r_flow_next(&f, at))
		if (f.code.insn[at].what == INSN_CALL)
			found = r_flow_address(&f, f.values.reg[REG_ARG0]);
	r_flow_release(&f);
	return found;
}

u64 r_scan_jit(const struct module *m, const struct r_slots *slots,
	       u64 function)
{
	struct r_flow f;
	u64 written = 0;

	if (r_flow_run(&f, m, slots, NULL, function))
		return 0;
	for (int i = 0; i < f.values.n_stores && !written; i++)
		if (f.code.insn[f.values.store[i].at].op[0].size == 4)
			written = r_flow_address(&f, f.values.store[i].address);
	r_flow_release(&f);
	return written;
}

u64 r_scan_finalizers(const struct module *m)
{
	struct refs pending, at_exit;
	u64 vaddr[2], found = 0;

	if (module_dynsym(m, "R_RunPendingFinalizers", &vaddr[0], NULL) ||
	    module_dynsym(m, "R_RunExitFinalizers", &vaddr[1], NULL))
		return 0;
	refs_called(&pending, m, vaddr[0]);
	refs_called(&at_exit, m, vaddr[1]);
	for (size_t i = 0; i < pending.n; i++) {
		if (!refs_has(&at_exit, pending.at[i]))
			continue;
		if (found)
			return 0;
		found = pending.at[i];
	}
	return found;
}
