/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registers of the architecture that is built for, by neutral names: DWARF's
 * numbers for the stack pointer (REG_STACK), the frame pointer (REG_FRAME), the result
 * and the arguments of a call, and which registers a call preserves (SAVED_REGS of
 * them, saved_reg[]); x86-64 psABI, 3.2.3 and 3.6.2.
 */
#ifndef JPBPF_ARCH_REGISTERS_H
#define JPBPF_ARCH_REGISTERS_H

#include <jpbpf/types.h>

enum {
	DWARF_RAX,
	DWARF_RDX,
	DWARF_RCX,
	DWARF_RBX,
	DWARF_RSI,
	DWARF_RDI,
	DWARF_RBP,
	DWARF_RSP,
	DWARF_R8,
	DWARF_R9,
	DWARF_R10,
	DWARF_R11,
	DWARF_R12,
	DWARF_R13,
	DWARF_R14,
	DWARF_R15,
	DWARF_RIP
};

enum reg {
	REG_RESULT = DWARF_RAX,
	REG_ARG0 = DWARF_RDI,
	REG_ARG1 = DWARF_RSI,
	REG_ARG2 = DWARF_RDX,
	REG_ARG3 = DWARF_RCX,
	REG_ARG4 = DWARF_R8,
	REG_ARG5 = DWARF_R9,
	REG_FRAME = DWARF_RBP,
	REG_STACK = DWARF_RSP,
	REG_COUNT = DWARF_RIP, /* general registers; then the return address */
	REG_RETURN = DWARF_RIP,
	REG_NONE = 255,
};

/* The registers that a call preserves, in the order of slot[] in struct unwind_rule;
 * and as bits. */
#define SAVED_REGS  6
#define SAVED_FRAME 1
static const u8 saved_reg[SAVED_REGS] = { DWARF_RBX, DWARF_RBP, DWARF_R12,
					  DWARF_R13, DWARF_R14, DWARF_R15 };
#define REGS_KEPT 0xf048u

/* Registers in the order of struct sigcontext, which a signal leaves on the stack; the
 * next word there is the program counter (arch/x86/include/uapi/asm/sigcontext.h). */
static const u8 signal_reg[REG_COUNT] = {
	DWARF_R8,  DWARF_R9,  DWARF_R10, DWARF_R11, DWARF_R12, DWARF_R13,
	DWARF_R14, DWARF_R15, DWARF_RDI, DWARF_RSI, DWARF_RBP, DWARF_RBX,
	DWARF_RDX, DWARF_RAX, DWARF_RCX, DWARF_RSP
};

/* How far the CFA is above the stack pointer at an address in a linker's stub of 16
 * bytes, which pushes a word by its byte number pushed. */
static inline u64 arch_plt_depth(u64 pc, u64 pushed)
{
	return 8 + ((pc & 15) >= pushed) * 8;
}

/* How far below the CFA the stack pointer is when a function begins, and the frame
 * pointer once it is set. */
#define DEPTH_ENTRY 8
#define DEPTH_FRAME 16

/* Bytes below the stack pointer that are the function's own. */
#define RED_ZONE 128u

#endif
