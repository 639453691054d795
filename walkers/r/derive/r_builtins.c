/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab (src/main/names.c) is an array of FUNTAB (src/include/Defn.h at
 * R-3-4-0 to R-4-6-1), 40 bytes each: name at 0, cfun at 8, code 16, eval 20,
 * arity 24, gram 28.  It ends where name is NULL.
 *
 * The last digit of eval tells a special (0: it evaluates its own arguments) from a
 * builtin.  Specials are the language's own words and give no frame a name.
 *
 * In a shared or position independent file both pointers are relocations.  The relocation
 * of an exported function is by symbol.  A non-PIE executable has plain addresses.
 */
#include "walkers/r/derive/r_file.h"

#include <errno.h>

#define ENTRY	    40
#define CFUN	    8
#define EVAL	    20
#define MAX_ENTRIES 8192

int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size)
{
	char name[64];
	s32 eval, entries = 0;
	u64 start, text;

	if (size < 2 * ENTRY || size > MAX_ENTRIES * ENTRY || vaddr % 8)
		return -EINVAL;
	for (; (text = module_pointer(m, vaddr)); vaddr += ENTRY) {
		if ((u64)entries++ == size / ENTRY - 1)
			return -EINVAL; /* it does not end */
		start = module_pointer(m, vaddr + CFUN);
		if (r_functions_read(m, text, name, sizeof(name)) &&
		    !module_read(m, vaddr + EVAL, &eval, sizeof(eval)))
			r_functions_add(b, start, entries,
					eval % 10 ? name : NULL);
	}
	r_functions_join(b, m);
	return b->n ? entries : -EINVAL;
}

void r_builtins_each(const struct module *m,
		     void (*add)(void *ctx, u64 vaddr, const char *name),
		     void *ctx)
{
	char name[64];
	u64 vaddr, size, text;

	if (module_dynsym(m, "R_FunTab", &vaddr, &size))
		return;
	for (u64 i = 0; i < size / ENTRY && i < MAX_ENTRIES;
	     i++, vaddr += ENTRY) {
		text = module_pointer(m, vaddr);
		if (!text)
			return;
		if (r_functions_read(m, text, name, sizeof(name)))
			add(ctx, module_pointer(m, vaddr + CFUN), name);
	}
}
