/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user's registers as the kernel has them: ARCH_SET_REGISTERS() copies them into a
 * walk, ARCH_MAPS_DATA() tells a system call for memory that is not executable,
 * ARCH_MODE() is what arch_is_user() and arch_is_32bit() judge by.
 */
#ifndef JPBPF_ARCH_REGISTERS_BPF_H
#define JPBPF_ARCH_REGISTERS_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "arch/registers.h"

/* From either form of registers: they have the same names, not the same type. */
#define ARCH_SET_REGISTERS(w, r)                \
	do {                                    \
		(w)->reg[DWARF_RAX] = (r)->ax;  \
		(w)->reg[DWARF_RDX] = (r)->dx;  \
		(w)->reg[DWARF_RCX] = (r)->cx;  \
		(w)->reg[DWARF_RBX] = (r)->bx;  \
		(w)->reg[DWARF_RSI] = (r)->si;  \
		(w)->reg[DWARF_RDI] = (r)->di;  \
		(w)->reg[DWARF_RBP] = (r)->bp;  \
		(w)->reg[DWARF_RSP] = (r)->sp;  \
		(w)->reg[DWARF_R8] = (r)->r8;   \
		(w)->reg[DWARF_R9] = (r)->r9;   \
		(w)->reg[DWARF_R10] = (r)->r10; \
		(w)->reg[DWARF_R11] = (r)->r11; \
		(w)->reg[DWARF_R12] = (r)->r12; \
		(w)->reg[DWARF_R13] = (r)->r13; \
		(w)->reg[DWARF_R14] = (r)->r14; \
		(w)->reg[DWARF_R15] = (r)->r15; \
		(w)->pc = (r)->ip;              \
	} while (0)

/* The value of the register with DWARF's number n; 0: there is no such one.  Each case is
 * kept apart, because the verifier permits no load at an offset that is computed. */
static __always_inline u64 arch_register(const struct pt_regs *r, u32 n)
{
	u64 value = 0;

#define CASE(number, name)          \
	case number:                \
		value = r->name;    \
		barrier_var(value); \
		break;
	switch (n) {
		CASE(DWARF_RAX, ax)
		CASE(DWARF_RDX, dx)
		CASE(DWARF_RCX, cx)
		CASE(DWARF_RBX, bx)
		CASE(DWARF_RSI, si)
		CASE(DWARF_RDI, di)
		CASE(DWARF_RBP, bp)
		CASE(DWARF_RSP, sp)
		CASE(DWARF_R8, r8)
		CASE(DWARF_R9, r9)
		CASE(DWARF_R10, r10)
		CASE(DWARF_R11, r11)
		CASE(DWARF_R12, r12)
		CASE(DWARF_R13, r13)
		CASE(DWARF_R14, r14)
		CASE(DWARF_R15, r15)
	}
#undef CASE
	return value;
}

/* The code segment. */
#define ARCH_MODE(r) ((u64)(r)->cs)

/*
 * The trampoline of a probe at a return is a breakpoint; from Linux 6.11 on it pushes three
 * registers and makes a system call.  While probes look on, the call's number is -1, and the
 * stack pointer is that of before the pushes.  (arch/x86/kernel/uprobes.c, v6.11,
 * sys_uretprobe())
 */
#define ARCH_BREAKPOINT	       0xcc
#define ARCH_SYSCALL	       0x050f
#define ARCH_TRAMPOLINE_PUSHED 24
#define ARCH_IS_SYSCALL(r)     ((s64)(r)->orig_ax >= 0)

/* Whether it is in mmap() with MAP_ANONYMOUS and without PROT_EXEC. */
#define ARCH_MAPS_DATA(r) \
	((r)->orig_ax == 9 && ((r)->r10 & 0x20) && !((r)->dx & 4))

/* The stack pointer that longjmp() sets from a jmp_buf of glibc (sysdeps/x86_64/__longjmp.S,
 * glibc-2.31 to 2.42): it is rotated, and changed by a number of the thread's. */
static __always_inline u64 arch_jump_stack(u64 buffer)
{
	u64 stack = 0, guard = 0;
	u64 thread = bpf_get_current_task_btf()->thread.fsbase;

	bpf_probe_read_user(&stack, 8, (const void *)(buffer + 48));
	bpf_probe_read_user(&guard, 8, (const void *)(thread + 0x30));
	return (stack >> 17 | stack << 47) ^ guard;
}

/* What conditions test. */
#define ARCH_FLAGS(r) ((u64)(r)->flags)

/* Whether a jump is taken: condition is 1 and the processor's number of it; 0: always. */
static __always_inline bool arch_jumps(u64 flags, u32 condition)
{
	bool carry = flags & 1, parity = flags & 4, zero = flags & 0x40;
	bool less = !(flags & 0x80) != !(flags & 0x800);
	bool is[] = { flags & 0x800, carry,  zero, carry || zero,
		      flags & 0x80,  parity, less, less || zero };

	condition--;
	return condition > 15 || is[condition >> 1] == !(condition & 1);
}

static __always_inline bool arch_is_user(u64 mode)
{
	return mode & 3;
}

#define USER_CS32 0x23 /* arch/x86/include/asm/segment.h: __USER32_CS */

static __always_inline bool arch_is_32bit(u64 mode)
{
	return (mode & 0xffff) == USER_CS32;
}

/* Where the task's thread-local variables are. */
static __always_inline u64 arch_thread(const struct task_struct *task)
{
	return task->thread.fsbase;
}

#endif
