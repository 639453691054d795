/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* push of a register and direct calls and jumps are emulated
 * (arch/x86/kernel/uprobes.c, v6.1). */
#include "arch/probe.h"

#include "arch/code.h"

#define ARGUMENTS (1u << REG_ARG0 | 1u << REG_ARG1 | 1u << REG_ARG2)

static bool is_emulated(const struct insn *in)
{
	return (in->what == INSN_PUSH && in->op[0].kind == OPERAND_REG) ||
	       (in->what == INSN_CALL && in->target);
}

u64 probe_place(const struct module *m, u64 vaddr)
{
	u64 place = 0;
	struct code c;

	if (code_decode_at(&c, m, vaddr))
		return 0;
	for (size_t i = 0; i < c.n && !place; i++) {
		const struct insn *in = &c.insn[i];

		if (is_emulated(in) && (!in->landing || !i))
			place = in->vaddr;
		if (in->writes & ARGUMENTS || in->landing || insn_jumps(in) ||
		    in->what == INSN_CALL || in->what == INSN_END)
			break;
	}
	code_release(&c);
	return place;
}
