/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * When R loads foo.so it calls R_init_foo() there, which hands four tables to
 *
 *   R_registerRoutines(info, cRoutines, callRoutines, fortranRoutines,
 *                      externalRoutines)
 *
 * (src/main/Rdynload.c and src/include/R_ext/Rdynload.h, R-3-4-0 to R-4-6-1).
 * The code of R_init_foo() is followed up to that call, which is the first one whose
 * arguments are such tables.  An entry has name, fun and numArgs, which are 24 bytes.  An
 * entry for C or Fortran also has types, which makes 32 bytes.  A table ends where name is
 * NULL.
 *
 * Tables that are filled at run time, or handed over by another function, stay unknown.  A
 * function that is reached by symbol is not taken, because its symbol names it.
 */
#include "walkers/r/derive/r_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define INIT	    "R_init_"
#define MAX_INIT    128
#define MAX_ENTRIES 16384

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

/* left: number of entries that may still be read. */
static void read_table(struct r_functions *r, const struct module *m, u64 vaddr,
		       u64 size, u32 *left)
{
	struct module_function fn;
	char name[128];
	u64 text, start;

	for (; *left; vaddr += size, --*left) {
		/* The NULL at the end has no relocation. */
		if (module_relative(m, vaddr, &text) ||
		    !r_functions_read(m, text, name, sizeof(name)))
			return;
		if (module_relative(m, vaddr + 8, &start))
			continue;
		if (module_function_at(m, start, &fn) || fn.start != start)
			return;
		r_functions_add(r, start, 0, name);
	}
}

/* Reads the tables that are the arguments of a call. */
static void read_tables(struct r_functions *r, const struct module *m,
			const struct r_flow *f, u32 *left)
{
	static const struct {
		u8 reg, entry; /* size of its entries */
	} args[] = { { REG_ARG1, 32 },
		     { REG_ARG2, 24 },
		     { REG_ARG3, 32 },
		     { REG_ARG4, 24 } };

	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		read_table(r, m,
			   values_address(&f->values, m,
					  f->values.reg[args[i].reg]),
			   args[i].entry, left);
}

int r_routines_read(struct r_functions *r, const struct module *m)
{
	char init[MAX_INIT];
	struct r_flow f;
	u32 left = MAX_ENTRIES;
	int err;

	if (!init_name(m, init, sizeof(init)))
		return -ENOENT;
	err = r_flow_open(&f, m, r_file_export(m, init));
	for (int at = 0; !err && at >= 0 && !r->n; at = r_flow_next(&f, at))
		/* The last call of a function may be a jump. */
		if (f.code.insn[at].what == INSN_CALL ||
		    f.code.insn[at].what == INSN_JMP)
			read_tables(r, m, &f, &left);
	if (!err)
		code_release(&f.code);
	r_functions_join(r, m);
	return r->n ? 0 : -ENOENT;
}
