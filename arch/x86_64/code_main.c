/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* main() is loaded into rdi just before the call (sysdeps/x86_64/start.S, glibc-2.36). */
#include "arch/code.h"

#include "arch/values.h"
#include "user/elf/module.h"

#define ENTRY_BYTES 64

u64 code_main(const struct module *m, u64 entry)
{
	struct module_function fn;
	u64 target = 0;
	struct values v;
	struct code c;

	if (code_decode_some(&c, m, entry, ENTRY_BYTES))
		return 0;
	values_begin(&v, &c);
	for (int at = c.n ? 0 : -1; at >= 0 && !target;
	     at = values_next(&c, at)) {
		if (c.insn[at].what == INSN_CALL)
			target = values_address(&v, m, v.reg[REG_ARG0]);
		values_step(&v, at);
	}
	code_release(&c);
	return module_function_at(m, target, &fn) || fn.start != target
		       ? 0
		       : target;
}
