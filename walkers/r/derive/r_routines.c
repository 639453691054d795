/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * When R loads foo.so it calls R_init_foo() there, which hands four tables to
 *
 *   R_registerRoutines(info, cRoutines, callRoutines, fortranRoutines,
 *                      externalRoutines)
 *
 * (src/main/Rdynload.c and src/include/R_ext/Rdynload.h, R-3-4-0 to R-4-6-1).
 * Following the code of R_init_foo() up to that call gives the addresses of the
 * tables.  An entry is name, fun, numArgs, and for C and Fortran also types:
 * 24 or 32 bytes; a table ends where name is NULL.
 *
 * Tables that are filled at run time, or handed over elsewhere, stay unknown.  A
 * function that is reached by symbol is not taken: its symbol names it.
 */
#include "walkers/r/derive/r_routines.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "walkers/r/derive/r_flow.h"
#include "walkers/r/derive/r_slots.h"

#define REGISTER    "R_registerRoutines"
#define INIT	    "R_init_"
#define MAX_INIT    128
#define MAX_NAME    128
#define MAX_ENTRIES 16384
#define TABLES	    4

struct tables {
	const struct module *m;
	u64 slot; /* through which R_registerRoutines() is called */
	u64 at[TABLES];
	bool found;
};

static int find_slot(const struct module_reloc *r, void *ctx)
{
	u64 *slot = ctx;

	if ((r->type != R_X86_64_JUMP_SLOT && r->type != R_X86_64_GLOB_DAT) ||
	    !r->symbol || strcmp(r->symbol, REGISTER) != 0)
		return 0;
	*slot = r->vaddr;
	return 1;
}

/* Does the code at vaddr, an entry of the PLT, jump through the slot? */
static bool is_stub(const struct tables *t, u64 vaddr)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u8 code[16];
	s32 distance;
	size_t i = 0;

	if (module_read(t->m, vaddr, code, sizeof(code)))
		return false;
	if (!memcmp(code, endbr64, sizeof(endbr64)))
		i = sizeof(endbr64);
	if (code[i] == 0xf2) /* bnd */
		i++;
	if (code[i] != 0xff || code[i + 1] != 0x25) /* jmp *d(%rip) */
		return false;
	memcpy(&distance, code + i + 2, sizeof(distance));
	return vaddr + i + 6 + (s64)distance == t->slot;
}

/* The last call of a function may be a jump. */
static bool is_register(const struct tables *t, const cs_insn *insn)
{
	const cs_x86_op *op = insn->detail->x86.operands;

	if (insn->id != X86_INS_CALL && insn->id != X86_INS_JMP)
		return false;
	if (op->type == X86_OP_IMM)
		return is_stub(t, op->imm);
	return op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP &&
	       op->mem.index == X86_REG_INVALID &&
	       insn->address + insn->size + op->mem.disp == t->slot;
}

static bool see_init(const struct r_flow *f, const cs_insn *insn, void *ctx)
{
	static const unsigned int args[TABLES] = {
		X86_REG_RSI,
		X86_REG_RDX,
		X86_REG_RCX,
		X86_REG_R8,
	};
	struct tables *t = ctx;

	if (!is_register(t, insn))
		return false;
	for (size_t i = 0; i < TABLES; i++)
		t->at[i] = r_flow_address(f, args[i]);
	t->found = true;
	return true;
}

/* R_init_NAME for NAME.so, dots in NAME made underscores (R_callDLLInit() in
 * src/main/Rdynload.c). */
static bool init_name(const struct module *m, char *name, size_t size)
{
	const char *end = m->name ? strrchr(m->name, '.') : NULL;
	int len;

	if (!end || strcmp(end, ".so") != 0)
		return false;
	len = snprintf(name, size, INIT "%.*s", (int)(end - m->name), m->name);
	if (len < 0 || (size_t)len >= size)
		return false;
	for (char *p = name; *p; p++) {
		if (*p == '.')
			*p = '_';
	}
	return true;
}

static bool find_tables(struct tables *t)
{
	struct r_slots slots = { 0 };
	char init[MAX_INIT];
	struct r_flow flow;
	bool ok;

	if (!init_name(t->m, init, sizeof(init)) ||
	    module_each_reloc(t->m, find_slot, &t->slot) <= 0)
		return false;
	ok = !r_slots_read(t->m, &slots) &&
	     !r_flow_run(&flow, t->m, &slots, init, see_init, t);
	r_slots_release(&slots);
	return ok && t->found;
}

static bool read_name(const struct module *m, u64 vaddr, char *name)
{
	if (module_read_text(m, vaddr, name, MAX_NAME) < 0)
		return false;
	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p <= 0x20 || *p == 0x7f || *p == ';')
			return false;
	}
	return *name != '\0';
}

static void add(struct r_routines *r, u64 start, const char *name)
{
	r->at = xgrow(r->at, r->n, &r->capacity, sizeof(*r->at));
	r->at[r->n++] = (struct r_routine){ start, xstrdup(name) };
}

static void read_table(struct r_routines *r, const struct module *m, u64 vaddr,
		       u64 size)
{
	struct module_function fn;
	char name[MAX_NAME];
	u64 text, start;

	for (; r->n < MAX_ENTRIES; vaddr += size) {
		/* At the end there is nothing to relocate. */
		if (module_relative(m, vaddr, &text) ||
		    !read_name(m, text, name))
			return;
		if (module_relative(m, vaddr + 8, &start))
			continue;
		if (module_function_at(m, start, &fn) || fn.start != start)
			return;
		add(r, start, name);
	}
}

static int compare(const void *a, const void *b)
{
	const struct r_routine *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* One entry per function, each of its names once. */
static void join(struct r_routines *r)
{
	size_t last, kept = 0;

	qsort(r->at, r->n, sizeof(*r->at), compare);
	for (size_t first = 0; first < r->n; first = last) {
		struct buf names = { 0 };
		u64 start = r->at[first].start;

		for (last = first; last < r->n; last++) {
			if (r->at[last].start != start)
				break;
			if (last > first &&
			    !strcmp(r->at[last].name, r->at[last - 1].name))
				continue;
			if (names.len)
				buf_addc(&names, '|');
			buf_adds(&names, r->at[last].name);
		}
		while (first < last)
			free(r->at[first++].name);
		r->at[kept++] = (struct r_routine){ start, names.data };
	}
	r->n = kept;
}

int r_routines_read(struct r_routines *r, const struct module *m)
{
	static const u64 entry[TABLES] = { 32, 24, 32, 24 };
	struct tables t = { .m = m };

	if (!find_tables(&t))
		return -ENOENT;
	for (size_t i = 0; i < TABLES; i++) {
		if (t.at[i])
			read_table(r, m, t.at[i], entry[i]);
	}
	if (!r->n)
		return -ENOENT;
	join(r);
	return 0;
}

void r_routines_release(struct r_routines *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->at[i].name);
	free(r->at);
	*r = (struct r_routines){ 0 };
}
