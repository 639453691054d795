/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What registers hold while a straight piece of compiled code runs.
 *
 * Some of R's functions do little more than copy variables; reading their code
 * tells where the variables are and where in a struct they go, for any build.
 * The function's first argument is taken for a pointer to that struct.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FLOW_H
#define JPBPF_WALKERS_R_DERIVE_R_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include <capstone/capstone.h>

#include <jpbpf/types.h>

struct module;
struct r_slots;

#define R_FLOW_STRUCT 512 /* bytes of the struct that are looked at */
#define R_FLOW_SPILLS 64
#define R_FLOW_REGS   32

/* Where four bytes came from when they are the n-th argument (from 0); else
 * the vaddr of the variable. */
#define R_FLOW_ARG(n) (1ull << 63 | (u64)(n) << 8)

enum r_flow_kind {
	R_FLOW_UNKNOWN = 0,
	R_FLOW_DATA,	/* copied: see lane */
	R_FLOW_ADDRESS, /* points to the vaddr at */
	R_FLOW_POINTER, /* points to byte at of the struct */
	R_FLOW_STACK,	/* points at bytes from rsp at entry */
};

/* lane[i]: where bytes 4i to 4i + 3 were copied from; 0: not known. */
struct r_flow_value {
	enum r_flow_kind kind;
	u64 at;
	u64 lane[4];
};

struct r_flow_spill {
	u64 at;
	struct r_flow_value value;
};

struct r_flow {
	const struct r_slots *slots;
	struct r_flow_value reg[R_FLOW_REGS]; /* rax..r15, xmm0..xmm15 */
	struct r_flow_spill spill[R_FLOW_SPILLS];
	size_t spills;
	/* from[i]: what the code stored to bytes 4i to 4i + 3 of the struct. */
	u64 from[R_FLOW_STRUCT / 4];
};

/* Called before each instruction; true ends the run. */
typedef bool r_flow_visit(const struct r_flow *f, const cs_insn *insn,
			  void *ctx);

/* Follow an exported function from its entry to its first return. visit may be
 * NULL. 0, -ENOENT without such a function, -errno. */
int r_flow_run(struct r_flow *f, const struct module *m,
	       const struct r_slots *slots, const char *function,
	       r_flow_visit *visit, void *ctx);
/* The same for the function at vaddr. */
int r_flow_run_at(struct r_flow *f, const struct module *m,
		  const struct r_slots *slots, u64 vaddr, r_flow_visit *visit,
		  void *ctx);
/* The vaddr that a memory operand stands for; 0: not known. */
u64 r_flow_place(const struct r_flow *f, const cs_insn *insn,
		 const cs_x86_op *op);
/* The variable whose eight bytes this capstone register holds; 0: none. */
u64 r_flow_variable(const struct r_flow *f, unsigned int reg);
/* The vaddr that this capstone register points to; 0: not known. */
u64 r_flow_address(const struct r_flow *f, unsigned int reg);

#endif
