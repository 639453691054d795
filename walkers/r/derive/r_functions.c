/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * C functions by the names that R has for them.  A name that a function has several times
 * is taken once.
 *
 * Builtins: R_FunTab (src/main/names.c) is an array of FUNTAB (src/include/Defn.h at
 * R-3-4-0 to R-4-6-1), 40 bytes each: name at 0, cfun at 8, code 16, eval 20,
 * arity 24, gram 28.  It ends where name is NULL.
 *
 * The last digit of eval tells a special (0: it evaluates its own arguments) from a
 * builtin.  Specials are the language's own words and give no frame a name.
 *
 * In a shared or position independent file both pointers are relocations.  The relocation
 * of an exported function is by symbol.  A non-PIE executable has plain addresses.
 *
 * Routines: when R loads foo.so it calls R_init_foo() there, which hands four tables to
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
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"

/* FUNTAB. */
#define ENTRY	     40
#define CFUN	     8
#define EVAL	     20
#define MAX_BUILTINS 8192

#define MAX_ROUTINES 16384

/* Reads the name of a function from vaddr text.  Returns false if there is none, if it is
 * longer than size, or if it cannot be shown. */
static bool read_name(const struct module *m, u64 text, char *name, size_t size)
{
	if (!text || module_read_text(m, text, name, size))
		return false;
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p <= 0x20 || *p == 0x7f || *p == ';')
			return false;
	return *name != '\0';
}

void r_functions_add(struct r_functions *f, u64 start, u32 order,
		     const char *name)
{
	if (!start)
		return;
	f->at = xgrow(f->at, f->n, &f->capacity, sizeof(*f->at));
	f->at[f->n++] = (struct r_function){
		.start = start,
		.order = order,
		.name = name ? xstrdup(name) : NULL,
	};
}

static int compare(const void *a, const void *b)
{
	const struct r_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

void r_functions_join(struct r_functions *f, const struct module *m)
{
	size_t last, kept = 0;

	if (f->n)
		qsort(f->at, f->n, sizeof(*f->at), compare);
	for (size_t first = 0; first < f->n; first = last) {
		struct r_function one = f->at[first];
		struct module_function code = { 0 };
		const char *before = "";
		struct buf names = { 0 };

		for (last = first;
		     last < f->n && f->at[last].start == one.start; last++) {
			const char *name = f->at[last].name;

			if (!name || !strcmp(name, before))
				continue;
			buf_addf(&names, "%s%s", names.len ? "|" : "", name);
			before = name;
		}
		for (size_t i = first; i < last; i++)
			free(f->at[i].name);
		module_range_add(m, one.start, &code);
		one.end = code.end;
		one.name = names.data;
		f->at[kept++] = one;
	}
	f->n = kept;
}

const char *r_functions_name(const struct r_functions *f, u64 vaddr)
{
	size_t low = SEARCH(f->at, f->n, start, vaddr);

	return low && f->at[low - 1].start == vaddr ? f->at[low - 1].name
						    : NULL;
}

void r_functions_release(struct r_functions *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->at[i].name);
	free(f->at);
	*f = (struct r_functions){ 0 };
}

int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size)
{
	char name[64];
	s32 eval, entries = 0;
	u64 start, text;

	if (size < 2 * ENTRY || size > MAX_BUILTINS * ENTRY || vaddr % 8)
		return -EINVAL;
	for (; (text = module_pointer(m, vaddr)); vaddr += ENTRY) {
		if ((u64)entries++ == size / ENTRY - 1)
			return -EINVAL; /* it does not end */
		start = module_pointer(m, vaddr + CFUN);
		if (read_name(m, text, name, sizeof(name)) &&
		    !module_read(m, vaddr + EVAL, &eval, sizeof(eval)))
			r_functions_add(b, start, entries,
					eval % 10 ? name : NULL);
	}
	r_functions_join(b, m);
	return b->n ? entries : -EINVAL;
}

/* R_init_NAME for NAME.so, dots in NAME made underscores (R_callDLLInit() in
 * src/main/Rdynload.c).  NULL: another file.  The caller frees it. */
static char *init_name(const struct module *m)
{
	const char *end = m->name ? strrchr(m->name, '.') : NULL;
	char *name;

	if (!end || strcmp(end, ".so") != 0)
		return NULL;
	name = xasprintf("R_init_%.*s", (int)(end - m->name), m->name);
	for (char *p = name; (p = strchr(p, '.'));)
		*p = '_';
	return name;
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
		    !read_name(m, text, name, sizeof(name)))
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
	static const u8 args[] = { REG_ARG1, REG_ARG2, REG_ARG3, REG_ARG4 };

	/* Every second table has entries of the shorter kind. */
	for (size_t i = 0; i < sizeof(args); i++)
		read_table(
			r, m,
			values_address(&f->values, m, f->values.reg[args[i]]),
			i % 2 ? 24 : 32, left);
}

int r_routines_read(struct r_functions *r, const struct module *m)
{
	_cleanup_free_ char *init = init_name(m);
	struct r_flow f;
	u32 left = MAX_ROUTINES;
	int err;

	if (!init)
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
