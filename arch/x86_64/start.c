/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* main() is loaded into rdi just before the call (sysdeps/x86_64/start.S, glibc-2.36). */
#include "arch/start.h"

#include "arch/code.h"
#include "user/elf/module.h"

#define ENTRY_BYTES 64

/* What an instruction loads into the first argument; 0: another one, or nothing known. */
static u64 loaded(const struct module *m, const struct insn *in)
{
	const struct operand *from = &in->op[1];
	u64 target = 0;

	if (in->op[0].kind != OPERAND_REG || in->op[0].reg != REG_ARG0)
		return 0;
	if (in->what == INSN_MOV && from->kind == OPERAND_MEM &&
	    from->reg == REG_NONE)
		module_relative(m, from->value, &target);
	return target ? target : code_made(in);
}

u64 start_main(const struct module *m, u64 entry)
{
	struct module_function fn;
	u64 target = 0;
	struct code c;

	if (code_decode_some(&c, m, entry, ENTRY_BYTES))
		return 0;
	for (size_t i = 0; i + 1 < c.n && !target; i++)
		if (c.insn[i + 1].what == INSN_CALL)
			target = loaded(m, &c.insn[i]);
	code_release(&c);
	return module_function_at(m, target, &fn) || fn.start != target
		       ? 0
		       : target;
}
