/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The registers of user mode, into a walk. */
#ifndef JPBPF_REGISTERS_BPF_H
#define JPBPF_REGISTERS_BPF_H

#include "bpf/walk.bpf.h"

#define USER_CS32 0x23 /* arch/x86/include/asm/segment.h: __USER32_CS */

/* From either form of registers: they have the same names, not the same type. */
#define SET_REGISTERS(w, r)                   \
	do {                                  \
		(w)->reg[REG_RAX] = (r)->ax;  \
		(w)->reg[REG_RDX] = (r)->dx;  \
		(w)->reg[REG_RCX] = (r)->cx;  \
		(w)->reg[REG_RBX] = (r)->bx;  \
		(w)->reg[REG_RSI] = (r)->si;  \
		(w)->reg[REG_RDI] = (r)->di;  \
		(w)->reg[REG_RBP] = (r)->bp;  \
		(w)->reg[REG_RSP] = (r)->sp;  \
		(w)->reg[REG_R8] = (r)->r8;   \
		(w)->reg[REG_R9] = (r)->r9;   \
		(w)->reg[REG_R10] = (r)->r10; \
		(w)->reg[REG_R11] = (r)->r11; \
		(w)->reg[REG_R12] = (r)->r12; \
		(w)->reg[REG_R13] = (r)->r13; \
		(w)->reg[REG_R14] = (r)->r14; \
		(w)->reg[REG_R15] = (r)->r15; \
		(w)->pc = (r)->ip;            \
	} while (0)

/* In a system call or interrupt the user's registers lie on the kernel stack.
 * Returns the code segment. */
static __always_inline u64 saved_registers(struct walk *w)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *r = (struct pt_regs *)bpf_task_pt_regs(task);

	SET_REGISTERS(w, r);
	return r->cs;
}

#endif
