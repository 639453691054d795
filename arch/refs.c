/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Code can name the same function many thousand times. */
#include "arch/refs.h"

#include "arch/code.h"
#include "user/elf/module.h"

bool refs_has(const struct refs *r, u64 vaddr)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i] == vaddr)
			return true;
	return false;
}

static void add(struct refs *r, const struct module *m, u64 to)
{
	struct module_function f;

	if (to && !module_function_at(m, to, &f) && f.start == to &&
	    r->n < MAX_REFS && !refs_has(r, to))
		r->at[r->n++] = to;
}

struct refs refs_of(const struct module *m, u64 vaddr, enum refs_kind kind)
{
	struct refs r = { .n = 0 };
	struct code c;

	if (code_decode_at(&c, m, vaddr))
		return r;
	for (size_t i = 0; i < c.n; i++) {
		u64 target = c.insn[i].target;

		if (kind == REFS_MADE)
			add(&r, m, code_made(&c.insn[i]));
		else if (target < c.start || target >= c.end)
			add(&r, m, target);
	}
	code_release(&c);
	return r;
}
