/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The machine code of one function, decoded to what a reader of compiled code asks
 * about: what an instruction moves where, what it writes, where control goes on.
 *
 * Registers have the numbers that DWARF gives them, and names by what the calling
 * convention uses them for.
 */
#ifndef JPBPF_ARCH_X86_64_CODE_H
#define JPBPF_ARCH_X86_64_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "arch/registers.h"

struct module;
struct module_function;

enum operand_kind { OPERAND_NONE, OPERAND_REG, OPERAND_MEM, OPERAND_IMM };

struct operand {
	u8 kind;
	u8 size;    /* bytes */
	u8 reg;	    /* OPERAND_REG: any part of it; OPERAND_MEM: the base */
	bool plain; /* OPERAND_MEM: base + value and nothing else */
	s64 value; /* OPERAND_IMM; displacement; address when relative to rip */
};

enum insn_what {
	INSN_OTHER,
	INSN_MOV,
	INSN_LEA,
	INSN_ADD,
	INSN_SUB,
	INSN_CMP,
	INSN_PUSH,
	INSN_POP,
	INSN_LEAVE,
	INSN_NOP,
	INSN_CALL,
	INSN_JMP,
	INSN_JE,
	INSN_JNE,
	INSN_JCC, /* another condition */
	INSN_END, /* return, trap */
};

struct insn {
	u64 vaddr;
	u64 target; /* of a direct jump or call, else 0 */
	u8 size;
	u8 what;
	bool flags;   /* changes the condition flags */
	bool landing; /* a jump of this function comes here */
	u16 writes;   /* registers, bit per number */
	bool stores;  /* writes memory, at op[0] when that is OPERAND_MEM */
	struct operand op[2];
};

struct code {
	struct insn *insn;
	size_t n;
	u64 start, end;
	bool frame_pointer; /* rbp is CFA - 16 */
};

/* 0; -E2BIG, -EFAULT, -ENOTSUP.  Bytes that cannot be decoded end it early. */
int code_decode(struct code *c, const struct module *m,
		const struct module_function *f);
void code_release(struct code *c);

/* Index of the instruction at vaddr, or -1. */
int code_index(const struct code *c, u64 vaddr);
/* rsp's distance below the CFA before each instruction: depth[n], -1 where it
 * is not constant.  The caller frees. */
int *code_depths(const struct code *c);
/* The same after an instruction before which it is depth, or -1. */
int code_depth_after(const struct code *c, const struct insn *in, int depth);

static inline bool insn_jumps(const struct insn *i)
{
	return i->what >= INSN_JMP && i->what <= INSN_JCC;
}

#endif
