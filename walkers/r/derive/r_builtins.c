/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab (src/main/names.c) is an array of FUNTAB (src/include/Defn.h at
 * R-3-4-0 to R-4-6-1), 40 bytes each: name at 0, cfun at 8, code 16, eval 20,
 * arity 24, gram 28.  It ends where name is NULL.
 *
 * The last digit of eval tells a special (0: it evaluates its own arguments) from a
 * builtin.  Specials are the language's own words and give no frame a name.
 *
 * In a shared or position independent file both pointers are relocations, that of an
 * exported function is by symbol.  A non-PIE executable has plain addresses.
 */
#include "walkers/r/derive/r_file.h"

#include <errno.h>

#define ENTRY	    40
#define CFUN	    8
#define EVAL	    20
#define MAX_ENTRIES 8192
#define MAX_NAME    64

static bool printable(const char *name)
{
	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return false;
	}
	return *name != '\0';
}

struct table {
	const struct module *m;
	struct r_functions *builtins;
	u64 vaddr, entries;
};

/* Adds an entry that can be shown, whose function starts there. */
static void add(const struct table *t, u64 entry, u64 start)
{
	u64 vaddr = t->vaddr + entry * ENTRY;
	u64 text = module_pointer(t->m, vaddr);
	char name[MAX_NAME];
	s32 eval;

	if (start && text && !module_read_text(t->m, text, name, MAX_NAME) &&
	    printable(name) &&
	    !module_read(t->m, vaddr + EVAL, &eval, sizeof(eval)))
		r_functions_add(t->builtins, start, entry,
				eval % 10 ? name : NULL);
}

int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size)
{
	struct table t = { m, b, vaddr, 0 };

	if (size < 2 * ENTRY || size > MAX_ENTRIES * ENTRY || vaddr % 8)
		return -EINVAL;
	for (; t.entries < size / ENTRY && module_pointer(m, vaddr);
	     t.entries++, vaddr += ENTRY)
		add(&t, t.entries, module_pointer(m, vaddr + CFUN));
	if (t.entries == size / ENTRY)
		return -EINVAL; /* no end */
	r_functions_join(b, m);
	return b->n ? (int)t.entries : -EINVAL;
}
