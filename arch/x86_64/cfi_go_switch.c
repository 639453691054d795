/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The parts of the runtime's functions that Go's own table does not describe; see
 * cfi_go.c.  What they do is found in their instructions. */
#include "arch/x86_64/cfi_go.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "user/elf/golang.h"
#include "user/elf/module.h"

#define SAVES_MAX_FRAME 4096u /* bytes; crosscall2's has some sixty */

/* ---- instructions --------------------------------------------------------------- */

/* An operand as it is looked for: a register, memory at a register plus a constant,
 * thread-local memory at one, or a constant. */
#define AT(reg)	   (256 + (reg))
#define LOCAL(reg) (512 + (reg))
#define CONSTANT   1024
#define NOTHING	   1025

enum { LATER, NEXT }; /* not, or directly, behind the one before */

struct wanted {
	u8 what;
	u16 to, from;
	u8 next;
};

static u16 kind_of(const struct operand *o)
{
	if (o->kind == OPERAND_REG)
		return o->reg;
	if (o->kind == OPERAND_IMM)
		return CONSTANT;
	if (o->kind == OPERAND_MEM && (o->plain || o->local))
		return o->plain ? AT(o->reg) : LOCAL(o->reg);
	return NOTHING;
}

static bool is_wanted(const struct insn *in, const struct wanted *w)
{
	return in->what == w->what && in->op[0].size == sizeof(u64) &&
	       kind_of(&in->op[0]) == w->to && kind_of(&in->op[1]) == w->from;
}

/* Finds n instructions in this order, from a vaddr on; found[i] is the one for w[i]. */
static bool find(const struct go_function *f, u64 vaddr, const struct wanted *w,
		 size_t n, const struct insn **found)
{
	const struct insn *in = f->code.insn, *end = in + f->code.n;

	while (in < end && in->vaddr < vaddr)
		in++;
	for (size_t i = 0; i < n; i++) {
		while (in < end && !w[i].next && !is_wanted(in, &w[i]))
			in++;
		if (in == end || !is_wanted(in, &w[i]))
			return false;
		found[i] = in++;
	}
	return true;
}

#define FIND(f, vaddr, w, found) \
	find(f, vaddr, w, sizeof(w) / sizeof(*(w)), found)

static u64 behind(const struct insn *in)
{
	return in->vaddr + in->size;
}

void go_read_saves(struct go_function *f, u64 at)
{
	s16 slot[SAVED_REGS];

	if (f->frame % 8 || f->frame > SAVES_MAX_FRAME)
		return;
	for (u32 i = 0; i < SAVED_REGS; i++) {
		const struct wanted save[] = { { INSN_MOV, AT(DWARF_RSP),
						 saved_reg[i], NEXT } };
		const struct insn *in;
		s64 offset;

		if (i == SAVED_FRAME)
			continue;
		if (!FIND(f, at, save, &in))
			return;
		offset = in->op[0].value;
		if (offset < 0 || offset % 8 || offset >= f->frame)
			return;
		slot[i] = (offset - f->frame - 8) / 8;
		at = behind(in);
	}
	slot[SAVED_FRAME] = -2;
	memcpy(f->slot, slot, sizeof(slot));
	f->saved = at;
}

/* ---- parts with rules of their own ---------------------------------------------- */

static struct unwind_rule *add_span(struct go_function *f, u64 start, u64 end,
				    u8 kind)
{
	struct span *s = &f->span[f->spans++];

	*s = (struct span){
		start,
		end,
		{ .kind = kind,
		  .ra = -1,
		  .slot = { [0 ... SAVED_REGS - 1] = UNWIND_SLOT_LOST } },
	};
	return &s->rule;
}

static struct unwind_rule *add_whole(struct go_function *f, u8 kind)
{
	f->spans = 0;
	return add_span(f, f->f->start, f->f->end, kind);
}

/* Nothing that asmcgocall does touches rbp, and C preserves it. */
static void add_call(struct go_function *f, u64 start, u64 end, u8 kind, u8 reg,
		     s32 off, s32 deref)
{
	struct unwind_rule *rule = add_span(f, start, end, kind);

	rule->cfa_reg = reg;
	rule->cfa_off = off;
	rule->deref_off = deref;
	rule->slot[SAVED_FRAME] = UNWIND_SLOT_SAME;
}

/* With a goroutine the stack tells how far from the end of its stack the old stack
 * pointer is, without one the pointer itself. */
static const struct wanted asmcgocall_depth[] = {
	{ INSN_MOV, DWARF_RDX, DWARF_RSP, LATER },
	{ INSN_MOV, DWARF_RSP, AT(DWARF_RSI), LATER },
	{ INSN_MOV, AT(DWARF_RSP), DWARF_RDI, LATER }, /* goroutine */
	{ INSN_MOV, AT(DWARF_RSP), DWARF_RDI, LATER }, /* depth */
	{ INSN_CALL, DWARF_RAX, NOTHING, LATER },
	{ INSN_MOV, DWARF_RDI, AT(DWARF_RSP), LATER },
	{ INSN_MOV, DWARF_RSI, AT(DWARF_RDI), NEXT },
	{ INSN_SUB, DWARF_RSI, AT(DWARF_RSP), NEXT },
	{ INSN_MOV, DWARF_RSP, DWARF_RSI, LATER },
};

static const struct wanted asmcgocall_pointer[] = {
	{ INSN_SUB, DWARF_RSP, CONSTANT, LATER },
	{ INSN_MOV, AT(DWARF_RSP), DWARF_RDX, LATER },
	{ INSN_CALL, DWARF_RAX, NOTHING, LATER },
	{ INSN_MOV, DWARF_RSI, AT(DWARF_RSP), NEXT },
	{ INSN_MOV, DWARF_RSP, DWARF_RSI, NEXT },
};

static bool add_asmcgocall(struct go_function *f)
{
	const struct insn *go[9], *thread[5];
	s64 goroutine, depth, pointer;

	if (!FIND(f, f->f->start, asmcgocall_depth, go) ||
	    !FIND(f, behind(go[8]), asmcgocall_pointer, thread))
		return false;
	goroutine = go[2]->op[0].value;
	depth = go[3]->op[0].value;
	pointer = thread[1]->op[0].value;
	if (go[5]->op[1].value != goroutine || go[6]->op[1].value != 8 ||
	    go[7]->op[1].value != depth || thread[3]->op[1].value != pointer)
		return false;
	add_call(f, behind(go[1]), behind(go[3]), UNWIND_CFA, DWARF_RDX, 8, 0);
	add_call(f, behind(go[3]), behind(go[8]), UNWIND_DEPTH, DWARF_RSP,
		 goroutine, depth);
	add_call(f, thread[0]->vaddr, behind(thread[1]), UNWIND_CFA, DWARF_RDX,
		 8, 0);
	add_call(f, behind(thread[1]), behind(thread[4]), UNWIND_DEREF,
		 DWARF_RSP, pointer, 8);
	return true;
}

/* The way back, as it will be taken: from thread-local memory, whose place may be in
 * rcx, the goroutine, its thread, the thread's owner, and where that one left. */
static bool add_systemstack(struct go_function *f)
{
	static const struct wanted call[] = {
		{ INSN_MOV, DWARF_RSP, DWARF_RBX, LATER },
		{ INSN_CALL, DWARF_RDI, NOTHING, LATER },
	};
	static const struct wanted direct[] = {
		{ INSN_MOV, DWARF_RAX, LOCAL(REG_NONE), NEXT },
	};
	static const struct wanted by_rcx[] = {
		{ INSN_MOV, DWARF_RCX, CONSTANT, NEXT },
		{ INSN_MOV, DWARF_RAX, LOCAL(DWARF_RCX), NEXT },
	};
	static const struct wanted back[] = {
		{ INSN_MOV, DWARF_RBX, AT(DWARF_RAX), NEXT }, /* thread */
		{ INSN_MOV, DWARF_RAX, AT(DWARF_RBX), NEXT }, /* owner */
		{ INSN_MOV, DWARF_RSP, AT(DWARF_RAX), LATER },
	};
	const struct insn *to[2], *local[2], *in[3];
	struct unwind_rule *rule;
	int n;

	if (!FIND(f, f->f->start, call, to))
		return false;
	n = FIND(f, behind(to[1]), direct, local)   ? 1
	    : FIND(f, behind(to[1]), by_rcx, local) ? 2
						    : 0;
	if (!n || !FIND(f, behind(local[n - 1]), back, in) ||
	    (u64)in[0]->op[1].value > INT8_MAX ||
	    (u64)in[2]->op[1].value > INT8_MAX)
		return false;
	rule = add_span(f, behind(to[0]), behind(in[2]), UNWIND_THREAD);
	rule->cfa_reg = DWARF_RSP;
	rule->cfa_off = local[0]->op[1].value;
	rule->deref_off = in[1]->op[1].value;
	rule->near[0] = in[0]->op[1].value;
	rule->near[1] = in[2]->op[1].value;
	return true;
}

/* rbp points to where it was saved, on whichever stack, until it is taken back. */
static bool add_pointed(struct go_function *f)
{
	static const struct wanted take[] = {
		{ INSN_MOV, DWARF_RBP, AT(DWARF_RSP), LATER },
	};
	static const struct wanted drop[] = {
		{ INSN_ADD, DWARF_RSP, CONSTANT, NEXT },
	};
	struct unwind_rule *rule;
	const struct insn *in;
	u64 at;

	for (u64 from = f->pointed; from && from < f->f->end; from = at) {
		at = FIND(f, from, take, &in) ? behind(in) : f->f->end;
		if (f->spans == SPANS_MAX)
			return false;
		rule = add_span(f, from, at, UNWIND_CFA);
		rule->cfa_reg = DWARF_RBP;
		rule->cfa_off = 16;
		rule->slot[SAVED_FRAME] = -2;
		/* What is left is a return. */
		if (FIND(f, at, drop, &in))
			at = behind(in) + 1;
	}
	return f->pointed;
}

static bool is_switch_with_pointer(const struct go_function *f)
{
	return go_is_named(f, "runtime.cgocallback") ||
	       go_is_named(f, "runtime.nanotime1") ||
	       go_is_named(f, "runtime.walltime") || go_is_named(f, "time.now");
}

static bool is_root(const struct go_function *f)
{
	/* What mcall calls does not return to it. */
	if (go_is_named(f, "runtime.mcall"))
		return true;
	return f->f->flags & GOLANG_TOP && (go_is_named(f, "runtime.goexit") ||
					    go_is_named(f, "runtime.mstart") ||
					    go_is_named(f, "runtime.rt0_go"));
}

/* The handler's return took the address of this code off the stack; what is left
 * begins with struct ucontext. */
static void add_signal_return(struct go_function *f)
{
	/* mov $15, %rax; syscall */
	static const u8 code[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	struct unwind_rule *rule;
	u8 bytes[sizeof(code)];

	if (module_read(f->m, f->f->start + 1, bytes, sizeof(bytes)) ||
	    memcmp(bytes, code, sizeof(code)))
		return;
	rule = add_whole(f, UNWIND_SIGNAL);
	rule->cfa_reg = DWARF_RSP;
	rule->cfa_off = offsetof(ucontext_t, uc_mcontext);
}

void go_add_parts(struct go_function *f)
{
	bool proven;

	if (is_root(f))
		add_whole(f, UNWIND_ROOT);
	else if (f->f->ends_signal)
		add_signal_return(f);
	else if (f->f->flags & GOLANG_SWITCHES) {
		if (go_is_named(f, "runtime.asmcgocall"))
			proven = add_asmcgocall(f);
		else if (go_is_named(f, "runtime.systemstack"))
			proven = add_systemstack(f);
		else
			proven = is_switch_with_pointer(f) && add_pointed(f);
		if (!proven)
			add_whole(f, UNWIND_SWITCH);
	}
}
