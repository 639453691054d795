/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* push of a register, direct calls and jumps, and a nop of one byte are emulated
 * (arch/x86/kernel/uprobes.c, v6.1); later the other nops that the kernel writes, too
 * (v6.13). */
#include "arch/probe.h"

#include "arch/code.h"

#define ARGUMENTS (1u << REG_ARG0 | 1u << REG_ARG1 | 1u << REG_ARG2)

static bool is_emulated(const struct insn *in)
{
	return (in->what == INSN_PUSH && in->op[0].kind == OPERAND_REG) ||
	       (in->target && (in->what == INSN_CALL || in->what == INSN_JMP ||
			       in->condition)) ||
	       (in->what == INSN_NOP && in->size == 1);
}

/* nopl 0(%rax), 0(%rax,%rax,1); one prefix makes 2 and 6 bytes. */
static bool is_long_nop(const struct insn *in)
{
	const struct operand *o = &in->op[0];

	if (in->what != INSN_NOP || in->size > 8)
		return false;
	return o->kind == OPERAND_MEM
		       ? o->reg == REG_RESULT &&
				 o->size == (in->size == 6 ? 2 : 4)
		       : in->size == 2;
}

int probe_enter(const struct code *c, u32 kept, int *distance)
{
	int at = -1, depth = DEPTH_ENTRY;
	bool nop = false;

	for (int i = 0; (size_t)i < c->n; i++) {
		const struct insn *in = &c->insn[i];
		bool emulated = is_emulated(in);

		if ((in->landing && i) || (distance && depth < 0))
			break;
		if (!in->prefixed && (emulated || (is_long_nop(in) && !nop) ||
				      (distance && at < 0))) {
			nop = !emulated && is_long_nop(in);
			at = i;
			if (distance)
				*distance = depth - DEPTH_ENTRY;
		}
		if (emulated || in->writes & kept || insn_jumps(in) ||
		    in->what == INSN_CALL || in->what == INSN_END)
			break;
		depth = code_depth_after(c, i, depth);
	}
	return at;
}

u64 probe_place(const struct module *m, u64 vaddr)
{
	u64 place = 0;
	struct code c;
	int at;

	if (code_decode_at(&c, m, vaddr))
		return 0;
	at = probe_enter(&c, ARGUMENTS, NULL);
	if (at >= 0)
		place = c.insn[at].vaddr;
	code_release(&c);
	return place;
}
