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
#include <string.h>

#include "user/elf/module.h"
#include "walkers/r/derive/r_flow.h"
#include "walkers/r/derive/r_slots.h"

#define MAX_CODE 1024 /* bytes of a function that are looked at for calls */

_Static_assert(R_SCAN_BYTES == R_FLOW_STRUCT, "one struct");
_Static_assert(R_SCAN_ARG(6) == R_FLOW_ARG(6), "one way to write arguments");

int r_scan_begincontext(const struct module *m, const struct r_slots *slots,
			struct r_scan *scan)
{
	struct r_flow flow;
	int err;

	memset(scan, 0, sizeof(*scan));
	err = r_flow_run(&flow, m, slots, "Rf_begincontext", NULL, NULL);
	if (err)
		return err;
	memcpy(scan->from, flow.from, sizeof(scan->from));
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
	for (s32 i = 0; i + 1 < R_SCAN_BYTES / 4; i++) {
		if (scan->from[i] == from && scan->from[i + 1] == from + 4)
			return 4 * i;
	}
	return -1;
}

struct symbol_table {
	u32 buckets; /* 0 until the multiplication was seen */
	u64 table;
};

static bool see_install(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	const cs_x86 *x = &insn->detail->x86;
	struct symbol_table *t = ctx;

	for (u8 i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		/* HSIZE: src/main/names.c at R-3-5-3 and R-3-6-3. */
		if (insn->id == X86_INS_IMUL && op->type == X86_OP_IMM &&
		    (op->imm == 49157 || op->imm == 4119))
			t->buckets = op->imm;
		if (t->buckets && op->type == X86_OP_MEM &&
		    op->mem.scale == 8 && op->mem.index != X86_REG_INVALID)
			t->table = r_flow_variable(f, op->mem.base);
	}
	return t->table != 0;
}

u64 r_scan_symbol_table(const struct module *m, const struct r_slots *slots,
			u32 *buckets)
{
	struct symbol_table t = { 0 };
	struct r_flow flow;

	if (r_flow_run(&flow, m, slots, "Rf_install", see_install, &t))
		return 0;
	*buckets = t.buckets;
	return t.table;
}

static bool see_call(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	const cs_x86 *x = &insn->detail->x86;
	u64 *target = ctx;

	(void)f;
	if (insn->id != X86_INS_CALL)
		return false;
	if (x->operands[0].type == X86_OP_IMM)
		*target = x->operands[0].imm;
	return true;
}

u64 r_scan_gc(const struct module *m, const struct r_slots *slots)
{
	struct module_function fn;
	struct r_flow flow;
	u64 target = 0;

	if (r_flow_run(&flow, m, slots, "R_gc", see_call, &target) || !target)
		return 0;
	/* An entry of the PLT is in .eh_frame too, but not as its own start. */
	if (module_function_at(m, target, &fn) || fn.start != target)
		return 0;
	return target;
}

/* The first argument of the last call. */
static bool see_argument(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	if (insn->id == X86_INS_CALL)
		*(u64 *)ctx = r_flow_address(f, X86_REG_RDI);
	return false;
}

u64 r_scan_console(const struct module *m, const struct r_slots *slots)
{
	struct r_flow flow;
	u64 found = 0;

	return r_flow_run(&flow, m, slots, "R_ReplDLLinit", see_argument,
			  &found)
		       ? 0
		       : found;
}

struct jit {
	u64 read[4]; /* ints that were loaded */
	size_t reads;
	u64 written;
};

/* The first one that is read and then written. */
static bool see_jit(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	struct jit *jit = ctx;
	u64 place;

	if (insn->id != X86_INS_MOV || op[0].size != 4)
		return false;
	place = r_flow_place(f, insn, &op[1]);
	if (place && jit->reads < 4)
		jit->read[jit->reads++] = place;
	place = r_flow_place(f, insn, &op[0]);
	for (size_t i = 0; place && i < jit->reads; i++)
		if (jit->read[i] == place)
			jit->written = place;
	return jit->written != 0;
}

u64 r_scan_jit(const struct module *m, const struct r_slots *slots,
	       u64 function)
{
	struct jit jit = { 0 };
	struct r_flow flow;

	if (r_flow_run_at(&flow, m, slots, function, see_jit, &jit))
		return 0;
	return jit.written;
}

struct code {
	u64 start, len;
	u8 byte[MAX_CODE];
};

static int read_code(const struct module *m, const char *name, struct code *c)
{
	struct module_function fn;
	u64 size;

	if (module_dynsym(m, name, &c->start, &size))
		return -ENOENT;
	if (!module_function_at(m, c->start, &fn) && fn.end > c->start)
		size = fn.end - c->start;
	c->len = size < MAX_CODE ? size : MAX_CODE;
	return module_read(m, c->start, c->byte, c->len);
}

/* Where a call or jump with a distance of four bytes at byte i would go, when that
 * is the start of another function; else 0. */
static u64 callee(const struct module *m, const struct code *c, u64 i)
{
	struct module_function fn;
	s32 distance;
	u64 target;

	if (c->byte[i] != 0xe8 && c->byte[i] != 0xe9)
		return 0;
	memcpy(&distance, c->byte + i + 1, sizeof(distance));
	target = c->start + i + 5 + (s64)distance;
	if (target == c->start || module_function_at(m, target, &fn) ||
	    fn.start != target)
		return 0;
	return target;
}

static bool calls(const struct module *m, const struct code *c, u64 target)
{
	for (u64 i = 0; i + 5 <= c->len; i++) {
		if (callee(m, c, i) == target)
			return true;
	}
	return false;
}

u64 r_scan_finalizers(const struct module *m)
{
	struct code pending, at_exit;
	u64 found = 0;

	if (read_code(m, "R_RunPendingFinalizers", &pending) ||
	    read_code(m, "R_RunExitFinalizers", &at_exit))
		return 0;
	for (u64 i = 0; i + 5 <= pending.len; i++) {
		u64 target = callee(m, &pending, i);

		if (!target || target == found || !calls(m, &at_exit, target))
			continue;
		if (found)
			return 0;
		found = target;
	}
	return found;
}

static bool see_constant(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	u32 *value = ctx;

	(void)f;
	if (insn->id == X86_INS_MOV && op[0].type == X86_OP_REG &&
	    op[0].reg == X86_REG_EAX && op[1].type == X86_OP_IMM)
		*value = op[1].imm;
	return false;
}

u32 r_scan_graphics(const struct module *m, const struct r_slots *slots)
{
	struct r_flow flow;
	u32 value = 0;

	if (r_flow_run(&flow, m, slots, "R_GE_getVersion", see_constant,
		       &value))
		return 0;
	return value < 1000 ? value : 0;
}
