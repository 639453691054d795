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

#include "arch/machine.h"
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
#define STUB	    16 /* bytes of an entry of the PLT */

struct tables {
	const struct module *m;
	u64 slot; /* through which R_registerRoutines() is called */
	u64 at[TABLES];
};

static int find_slot(const struct module_reloc *r, void *ctx)
{
	u64 *slot = ctx;

	if ((r->type != RELOC_CALL && r->type != RELOC_DATA) || !r->symbol ||
	    strcmp(r->symbol, REGISTER) != 0)
		return 0;
	*slot = r->vaddr;
	return 1;
}

static bool is_slot(const struct tables *t, const struct operand *o)
{
	return o->kind == OPERAND_MEM && o->reg == REG_NONE && !o->scale &&
	       (u64)o->value == t->slot;
}

/* Does the code at vaddr, an entry of the PLT, jump through the slot? */
static bool is_stub(const struct tables *t, u64 vaddr)
{
	struct module_function f = { .start = vaddr, .end = vaddr + STUB };
	struct code c;
	bool found = false;

	if (code_decode(&c, t->m, &f))
		return false;
	for (size_t i = 0; i < c.n && !found; i++)
		found = c.insn[i].what == INSN_JMP &&
			is_slot(t, &c.insn[i].op[0]);
	code_release(&c);
	return found;
}

/* The last call of a function may be a jump. */
static bool is_register(const struct tables *t, const struct insn *in)
{
	if (in->what != INSN_CALL && in->what != INSN_JMP)
		return false;
	return in->target ? is_stub(t, in->target) : is_slot(t, &in->op[0]);
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
	static const u8 args[TABLES] = { REG_ARG1, REG_ARG2, REG_ARG3,
					 REG_ARG4 };
	struct r_slots slots = { 0 };
	char init[MAX_INIT];
	bool found = false;
	struct r_flow f;

	if (!init_name(t->m, init, sizeof(init)) ||
	    module_each_reloc(t->m, find_slot, &t->slot) <= 0)
		return false;
	if (!r_slots_read(t->m, &slots) &&
	    !r_flow_open(&f, t->m, &slots, init, 0)) {
		for (int at = 0; at >= 0 && !found; at = r_flow_next(&f, at)) {
			found = is_register(t, &f.code.insn[at]);
			for (size_t i = 0; found && i < TABLES; i++)
				t->at[i] = r_flow_address(
					&f, f.values.reg[args[i]]);
		}
		r_flow_release(&f);
	}
	r_slots_release(&slots);
	return found;
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
	r->at[r->n++] =
		(struct r_function){ .start = start, .name = xstrdup(name) };
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
	r->n = r_functions_join(r->at, r->n);
	return 0;
}

void r_routines_release(struct r_routines *r)
{
	r_functions_free(r->at, r->n);
	free(r->at);
	*r = (struct r_routines){ 0 };
}
