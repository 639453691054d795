/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The machine code of one function, decoded to what the proofs of
 * tcl_trampoline.c and tcl_functions.c ask about.  Registers are DWARF numbers
 * throughout.
 */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_CODE_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct module_function;

enum tcl_reg {
	TCL_RAX,
	TCL_RDX,
	TCL_RCX,
	TCL_RBX,
	TCL_RSI,
	TCL_RDI,
	TCL_RBP,
	TCL_RSP,
	TCL_R12 = 12,
	TCL_R15 = 15,
	TCL_REGS,
	TCL_NO_REG = 255,
};

/* Registers that a call leaves as they were: rbx, rbp, r12-r15. */
#define TCL_CALLEE_SAVED 0xf048u

enum tcl_operand_kind { TCL_NONE, TCL_REG, TCL_MEM, TCL_IMM };

struct tcl_operand {
	u8 kind;
	u8 size;    /* bytes */
	u8 reg;	    /* TCL_REG: any part of it; TCL_MEM: the base */
	bool plain; /* TCL_MEM: base + value and nothing else */
	s64 value;  /* TCL_IMM; displacement; address when relative to rip */
};

enum tcl_what {
	TCL_OTHER,
	TCL_MOV,
	TCL_LEA,
	TCL_ADD,
	TCL_SUB,
	TCL_CMP,
	TCL_PUSH,
	TCL_POP,
	TCL_LEAVE,
	TCL_NOP,
	TCL_CALL,
	TCL_JMP,
	TCL_JE,
	TCL_JNE,
	TCL_JCC, /* another condition */
	TCL_END, /* return, trap */
};

struct tcl_insn {
	u64 vaddr;
	u64 target; /* of a direct jump or call, else 0 */
	u8 size;
	u8 what;
	bool flags;   /* changes the condition flags */
	bool landing; /* a jump of this function comes here */
	u16 writes;   /* registers, bit per number */
	bool stores;  /* writes memory, at op[0] when that is TCL_MEM */
	struct tcl_operand op[2];
};

struct tcl_code {
	struct tcl_insn *insn;
	size_t n;
	u64 start, end;
	bool frame_pointer; /* rbp is CFA - 16 */
};

/* 0; -E2BIG, -EFAULT, -ENOTSUP.  Bytes that cannot be decoded end it early. */
int tcl_code_open(struct tcl_code *c, const struct module *m,
		  const struct module_function *f);
void tcl_code_release(struct tcl_code *c);

/* Index of the instruction at vaddr, or -1. */
int tcl_code_index(const struct tcl_code *c, u64 vaddr);
/* rsp's distance below the CFA before each instruction: depth[n], -1 where it
 * is not constant.  The caller frees. */
int *tcl_code_depths(const struct tcl_code *c);
/* The same after an instruction before which it is depth, or -1. */
int tcl_code_depth_after(const struct tcl_code *c, const struct tcl_insn *in,
			 int depth);

static inline bool tcl_insn_jumps(const struct tcl_insn *i)
{
	return i->what >= TCL_JMP && i->what <= TCL_JCC;
}

#endif
