/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The machine code of one function, decoded to what a reader of compiled code asks
 * about: what an instruction moves where, what it writes, where control goes on.
 *
 * Registers have the numbers that DWARF gives them, and names by what the calling
 * convention uses them for.
 */
#ifndef JPBPF_ARCH_CODE_H
#define JPBPF_ARCH_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "arch/registers.h"

struct module;
struct module_function;

/* Beside the registers for integers and addresses: the low halves of the vector ones,
 * and the high ones. */
#define REG_VECTOR 16
#define REG_UPPER  32
#define REG_ALL	   48

enum operand_kind { OPERAND_NONE, OPERAND_REG, OPERAND_MEM, OPERAND_IMM };

struct operand {
	u8 kind;
	u8 size;    /* bytes */
	u8 reg;	    /* OPERAND_REG: any part of it; OPERAND_MEM: the base */
	bool plain; /* OPERAND_MEM: base + value and nothing else */
	bool local; /* OPERAND_MEM: the same in thread-local memory */
	u8 scale;   /* OPERAND_MEM: bytes per unit of an index; 0: none */
	s64 value; /* OPERAND_IMM; displacement; address when relative to the code */
};

enum insn_what {
	INSN_OTHER,
	INSN_MOV,
	INSN_JOIN, /* op[0] gets op[1], and above it op[2] */
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
	bool flags;    /* changes the condition flags */
	bool landing;  /* a jump of this function comes here */
	bool returns;  /* INSN_END: to the caller */
	bool prefixed; /* in a way that the kernel puts no uprobe at */
	u8 condition; /* of a jump, by the processor's number, and 1; 0: none */
	u32 writes;   /* registers, bit per number below REG_UPPER */
	bool stores;  /* writes memory, at op[0] when that is OPERAND_MEM */
	int to;	      /* index of the instruction at target, or -1 */
	/* The stack pointer's distance below the CFA before it, if flow_open() has told;
	 * -1: it is not constant, or not known. */
	int depth;
	struct operand op[3];
};

struct code {
	struct insn *insn;
	size_t n;
	u64 start, end;
	bool frame_pointer; /* the frame pointer is set, see DEPTH_FRAME */
};

/* 0; -E2BIG, -EFAULT, -ENOTSUP.  Bytes that cannot be decoded end it early. */
int code_decode(struct code *c, const struct module *m,
		const struct module_function *f);
/* As many of len bytes at vaddr as can be read; -E2BIG, -EFAULT, -ENOTSUP. */
int code_decode_some(struct code *c, const struct module *m, u64 vaddr,
		     u64 len);
/* The function that begins at vaddr; -ENOENT: none does. */
int code_decode_at(struct code *c, const struct module *m, u64 vaddr);
void code_release(struct code *c);
/* vaddr of main(), which the code at a program's entry point passes on; 0: not found. */
u64 code_main(const struct module *m, u64 entry);

/* The address that an instruction makes; 0: it makes none. */
u64 code_made(const struct insn *in);
/* Index of the instruction at vaddr, or -1. */
int code_index(const struct code *c, u64 vaddr);
/* depth after the instruction at index at, if it is depth before; or -1. */
int code_depth_after(const struct code *c, int at, int depth);

static inline bool insn_jumps(const struct insn *i)
{
	return i->what >= INSN_JMP && i->what <= INSN_JCC;
}

#endif
