/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The CFA is where the runtime's own table says.  What the table does not say, and
 * what speaks for it:
 *
 *   rbp       A function with a frame saves it, as its first instruction behind the
 *             one that makes the frame, or before it (from 1.21 on).  Only what has
 *             that instruction has saved it.
 *   others    Go preserves no register.  crosscall2, which C calls, does, and its
 *             code says where.
 *   roots     goexit stands below every goroutine, mstart below the stack of every
 *             thread, rt0_go below the first one's.  The table says that nothing
 *             calls them.  mcall puts a goroutine away for good: nothing returns to
 *             it from the thread's stack.
 *   injected  asyncPreempt and sigpanic are not called either: a signal handler puts
 *             them on the stack, above the instruction where the caller stood.
 *   signals   sigreturn is what a handler returns to; nothing calls it.
 *   switches  Between a goroutine's stack and its thread's.  asmcgocall keeps the way
 *             back on the stack (how deep the goroutine's stack is, because that may
 *             move while C runs), systemstack's is in the thread's own data, others
 *             have a frame pointer to the stack that they came from.  Where none of
 *             that is to be seen in the code (morestack) it is cut.
 *
 * Sources: src/runtime/asm_amd64.s, sys_linux_amd64.s, preempt_amd64.s and
 * runtime/cgo/asm_amd64.s at go1.19.
 */
#include "arch/cfi.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "arch/x86_64/bytes.h"
#include "user/elf/golang.h"
#include "user/elf/module.h"

#define SPANS_MAX	4
#define SAVES_MAX_FRAME 4096u /* bytes; crosscall2's has some sixty */

/* A part of a function with a rule of its own, before all that follow. */
struct span {
	u64 start, end;
	struct unwind_rule rule;
};

struct function {
	const struct golang_function *f;
	struct bytes code;
	bool injected;
	/* The prologue. */
	u32 frame;   /* depth with which rbp is at CFA - 16; 0: it has none */
	u64 saved;   /* vaddr from which rbp is saved there */
	u64 pointed; /* vaddr from which rbp points to that place; 0: never */
	s16 slot[SAVED_REGS];
	struct span span[SPANS_MAX];
	size_t spans;
	/* The row that is being written. */
	u64 at;
	int (*fn)(void *ctx, u64 end, struct unwind_rule *rule);
	void *ctx;
};

static bool is_named(const struct function *f, const char *name)
{
	return !strcmp(f->f->name, name);
}

/* ---- the prologue ------------------------------------------------------------- */

/* crosscall2: the rest of what C wants to find unchanged. */
static void read_saves(struct function *f, u64 at)
{
	s16 slot[SAVED_REGS];
	s32 offset;

	if (f->frame % 8 || f->frame > SAVES_MAX_FRAME)
		return;
	for (u32 i = 0; i < SAVED_REGS; i++) {
		u32 bytes;

		if (i == SAVED_FRAME)
			continue;
		bytes = bytes_stack(&f->code, at, BYTES_STORE, saved_reg[i],
				    &offset);
		if (!bytes || offset < 0 || offset % 8 ||
		    (u32)offset >= f->frame)
			return;
		slot[i] = (offset - (s32)f->frame - 8) / 8;
		at += bytes;
	}
	slot[SAVED_FRAME] = -2;
	memcpy(f->slot, slot, sizeof(slot));
	f->saved = f->f->start + at;
}

/* Reads the prologue at the first row with a frame. */
static int read_prologue(void *ctx, u64 end, u32 depth)
{
	struct function *f = ctx;
	u64 at = f->at - f->f->start;
	u32 bytes;
	s32 offset;

	f->at = end;
	if (!depth)
		return 0;
	if (depth == 8 && at && at <= f->code.len &&
	    f->code.byte[at - 1] == 0x55) {
		f->frame = depth;
		f->saved = f->f->start + at;
		return 1;
	}
	bytes = bytes_stack(&f->code, at, BYTES_STORE, DWARF_RBP, &offset);
	if (!bytes || offset < 0 || (u32)offset + 8 != depth)
		return 1;
	f->frame = depth;
	at += bytes;
	f->saved = f->f->start + at;
	bytes = bytes_stack(&f->code, at, BYTES_LEA, DWARF_RBP, &offset);
	if (!bytes || offset < 0 || (u32)offset + 8 != depth)
		return 1;
	at += bytes;
	f->pointed = f->f->start + at;
	if (is_named(f, "crosscall2"))
		read_saves(f, at);
	return 1;
}

/* ---- parts with rules of their own ---------------------------------------------- */

static void lose_all(struct unwind_rule *rule)
{
	for (int i = 0; i < SAVED_REGS; i++)
		rule->slot[i] = UNWIND_SLOT_LOST;
}

/* Offsets in the function. */
static struct unwind_rule *add_span(struct function *f, u64 start, u64 end,
				    u8 kind)
{
	struct span *s = &f->span[f->spans++];

	*s = (struct span){
		.start = f->f->start + start,
		.end = f->f->start + end,
		.rule = { .kind = kind, .ra = -1 },
	};
	lose_all(&s->rule);
	return &s->rule;
}

static void add_whole(struct function *f, u8 kind)
{
	f->spans = 0;
	add_span(f, 0, f->f->end - f->f->start, kind);
}

/* Nothing that asmcgocall does touches rbp, and C preserves it. */
static void add_call(struct function *f, u64 start, u64 end, u8 kind, u8 reg,
		     s32 off, s32 deref)
{
	struct unwind_rule *rule = add_span(f, start, end, kind);

	rule->cfa_reg = reg;
	rule->cfa_off = off;
	rule->deref_off = deref;
	rule->slot[SAVED_FRAME] = UNWIND_SLOT_SAME;
}

/* The parts of asmcgocall, and the offsets of its values on the stack. */
struct way_back {
	u64 switched; /* the stack pointer is another one; rdx is the old one */
	u64 stored;   /* it is on the stack */
	u64 taken;    /* it is back */
	s32 goroutine, depth;
};

/* mov STACK(%rsi), %rsp; ... mov %rdi, GOROUTINE(%rsp); ... mov %rdi, DEPTH(%rsp);
 * ... call *%rax; mov GOROUTINE(%rsp), %rdi; mov 8(%rdi), %rsi; sub DEPTH(%rsp), %rsi;
 * ... mov %rsi, %rsp */
static bool find_depth(const struct function *f, u64 at, struct way_back *w)
{
	s32 goroutine, depth;
	u32 bytes;

	at = bytes_find(&f->code, at, "488b66");
	w->switched = at + 4;
	at = bytes_find_stack(&f->code, at, BYTES_STORE, DWARF_RDI, &bytes,
			      &w->goroutine);
	at = bytes_find_stack(&f->code, at + 1, BYTES_STORE, DWARF_RDI, &bytes,
			      &w->depth);
	w->stored = at + bytes;
	at = bytes_find_stack(&f->code, w->stored, BYTES_LOAD, DWARF_RDI,
			      &bytes, &goroutine);
	if (bytes_find(&f->code, w->stored, "ffd0") >= at ||
	    !bytes_match(&f->code, at + bytes, "488b7708"))
		return false;
	at += bytes + 4;
	bytes = bytes_stack(&f->code, at, BYTES_SUB, DWARF_RSI, &depth);
	w->taken = bytes_find(&f->code, at + bytes, "4889f4") + 3;
	return bytes && depth == w->depth && goroutine == w->goroutine &&
	       w->taken <= f->code.len;
}

/* sub $ROOM, %rsp; ... mov %rdx, OLD(%rsp); ... call *%rax; mov OLD(%rsp), %rsi;
 * mov %rsi, %rsp */
static bool find_old(const struct function *f, u64 at, struct way_back *w)
{
	u32 bytes;
	s32 old;

	w->switched = at = bytes_find(&f->code, at, "4883ec");
	at = bytes_find_stack(&f->code, at, BYTES_STORE, DWARF_RDX, &bytes,
			      &w->depth);
	w->stored = at + bytes;
	at = bytes_find_stack(&f->code, w->stored, BYTES_LOAD, DWARF_RSI,
			      &bytes, &old);
	w->taken = at + bytes + 3;
	return bytes_match(&f->code, at - 2, "ffd0") && old == w->depth &&
	       bytes_match(&f->code, at + bytes, "4889f4");
}

/* With a goroutine the stack tells how far from the end of its stack the old stack
 * pointer is, without one the pointer itself. */
static bool add_asmcgocall(struct function *f)
{
	u64 at = bytes_find(&f->code, 0, "4889e2"); /* mov %rsp, %rdx */
	struct way_back go, thread;

	if (at >= f->code.len || !find_depth(f, at, &go) ||
	    !find_old(f, go.taken, &thread))
		return false;
	add_call(f, go.switched, go.stored, UNWIND_CFA, DWARF_RDX, 8, 0);
	add_call(f, go.stored, go.taken, UNWIND_DEPTH, DWARF_RSP, go.goroutine,
		 go.depth);
	add_call(f, thread.switched, thread.stored, UNWIND_CFA, DWARF_RDX, 8,
		 0);
	add_call(f, thread.stored, thread.taken, UNWIND_DEREF, DWARF_RSP,
		 thread.depth, 8);
	return true;
}

/* mov %fs:LOCAL, %rax, or the same through rcx. Its length, 0: it is none. */
static u32 take_local(const struct function *f, u64 at, s32 *local)
{
	u32 len = bytes_match(&f->code, at, "64488b0425........");

	*local = bytes_value(&f->code, at + 5);
	if (len)
		return len;
	*local = bytes_value(&f->code, at + 3);
	return bytes_match(&f->code, at, "48c7c1........ 64488b01");
}

/* mov %rbx, %rsp; ... call *%rdi; mov %fs:LOCAL, %rax; mov THREAD(%rax), %rbx;
 * mov OWNER(%rbx), %rax; ... mov LEFT(%rax), %rsp: the way back, as it will be
 * taken. */
static bool add_systemstack(struct function *f)
{
	u64 from = bytes_find(&f->code, 0, "4889dc") + 3;
	u64 at = bytes_find(&f->code, from, "ffd7") + 2, back;
	struct unwind_rule *rule;
	s32 local;
	u32 bytes = take_local(f, at, &local);

	if (!bytes ||
	    !bytes_match(&f->code, at + bytes, "488b58.. 488b83........"))
		return false;
	at += bytes + 3;
	back = bytes_find(&f->code, at + 8, "488b60..");
	if (back == f->code.len || f->code.byte[at] > INT8_MAX ||
	    f->code.byte[back + 3] > INT8_MAX)
		return false;
	rule = add_span(f, from, back + 4, UNWIND_THREAD);
	rule->cfa_reg = DWARF_RSP;
	rule->cfa_off = local;
	rule->deref_off = bytes_value(&f->code, at + 4);
	rule->near[0] = f->code.byte[at];
	rule->near[1] = f->code.byte[back + 3];
	return true;
}

/* rbp points to where it was saved, on whichever stack, until it is taken back. */
static bool add_pointed(struct function *f)
{
	u64 from = f->pointed - f->f->start, at;
	struct unwind_rule *rule;
	u32 bytes = 0;
	s32 offset;

	if (!f->pointed)
		return false;
	for (; from < f->code.len; from = at) {
		at = bytes_find_stack(&f->code, from, BYTES_LOAD, DWARF_RBP,
				      &bytes, &offset);
		if (f->spans == SPANS_MAX)
			return false;
		if (at < f->code.len)
			at += bytes;
		rule = add_span(f, from, at, UNWIND_CFA);
		rule->cfa_reg = DWARF_RBP;
		rule->cfa_off = 16;
		rule->slot[SAVED_FRAME] = -2;
		/* add $FRAME, %rsp; ret */
		if (bytes_match(&f->code, at, "4883c4"))
			at += 5;
	}
	return true;
}

static bool is_switch_with_pointer(const struct function *f)
{
	return is_named(f, "runtime.cgocallback") ||
	       is_named(f, "runtime.nanotime1") ||
	       is_named(f, "runtime.walltime") || is_named(f, "time.now");
}

static bool is_root(const struct function *f)
{
	/* What mcall calls does not return to it. */
	if (is_named(f, "runtime.mcall"))
		return true;
	return f->f->flags & GOLANG_TOP &&
	       (is_named(f, "runtime.goexit") ||
		is_named(f, "runtime.mstart") || is_named(f, "runtime.rt0_go"));
}

/* The handler's return took the address of this code off the stack; what is left
 * begins with struct ucontext. */
static void add_signal_return(struct function *f)
{
	struct unwind_rule *rule;

	/* mov $15, %rax; syscall */
	if (!bytes_match(&f->code, 0, "48c7c00f0000000f05"))
		return;
	add_whole(f, UNWIND_SIGNAL);
	rule = &f->span[0].rule;
	rule->cfa_reg = DWARF_RSP;
	rule->cfa_off = offsetof(ucontext_t, uc_mcontext);
}

static void add_parts(struct function *f)
{
	bool proven = true;

	if (is_root(f))
		return add_whole(f, UNWIND_ROOT);
	if (f->f->ends_signal)
		return add_signal_return(f);
	if (!(f->f->flags & GOLANG_SWITCHES))
		return;
	if (f->f->end - f->f->start > f->code.len)
		proven = false;
	else if (is_named(f, "runtime.asmcgocall"))
		proven = add_asmcgocall(f);
	else if (is_named(f, "runtime.systemstack"))
		proven = add_systemstack(f);
	else
		proven = is_switch_with_pointer(f) && add_pointed(f);
	if (!proven)
		add_whole(f, UNWIND_SWITCH);
}

/* ---- rows ----------------------------------------------------------------------- */

/* To end, but for the parts in it that have rules of their own. */
static int emit(struct function *f, u64 end, const struct unwind_rule *rule)
{
	while (f->at < end) {
		struct unwind_rule now = *rule;
		u64 cut = end;
		int err;

		for (size_t i = f->spans; i--;) {
			const struct span *s = &f->span[i];

			if (f->at >= s->start && f->at < s->end) {
				now = s->rule;
				cut = s->end < end ? s->end : end;
				break;
			}
			if (s->start > f->at && s->start < cut)
				cut = s->start;
		}
		f->at = cut;
		err = f->fn(f->ctx, cut, &now);
		if (err)
			return err;
	}
	return 0;
}

static void plain_rule(const struct function *f, u32 depth, bool saved,
		       struct unwind_rule *rule)
{
	*rule = (struct unwind_rule){
		.kind = UNWIND_CFA,
		.cfa_reg = DWARF_RSP,
		.cfa_off = (s32)depth + 8,
		.ra = -1,
		.flags = f->injected ? UNWIND_INTERRUPTED : 0,
	};
	lose_all(rule);
	if (saved && depth >= f->frame)
		memcpy(rule->slot, f->slot, sizeof(f->slot));
	else if (f->frame || (!depth && !(f->f->flags & GOLANG_ASSEMBLY)))
		rule->slot[SAVED_FRAME] = UNWIND_SLOT_SAME;
}

static int add_row(void *ctx, u64 end, u32 depth)
{
	struct function *f = ctx;
	struct unwind_rule rule;
	int err = 0;

	if (depth > INT32_MAX - 8)
		return -EBADMSG;
	if (f->frame && f->at < f->saved) {
		plain_rule(f, depth, false, &rule);
		err = emit(f, end < f->saved ? end : f->saved, &rule);
	}
	plain_rule(f, depth, f->frame != 0, &rule);
	return err ? err : emit(f, end, &rule);
}

int cfi_go_rows(const struct module *m, const struct golang *g,
		const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, struct unwind_rule *rule),
		void *ctx)
{
	u64 code = f->start + f->ends_signal;
	struct function now = { .f = f, .at = f->start, .fn = fn, .ctx = ctx };
	struct unwind_rule none = { .kind = UNWIND_NONE };
	int err;

	bytes_read(&now.code, m, code, f->end - code);
	now.injected = is_named(&now, "runtime.asyncPreempt") ||
		       is_named(&now, "runtime.sigpanic");
	for (int i = 0; i < SAVED_REGS; i++)
		now.slot[i] = UNWIND_SLOT_LOST;
	now.slot[SAVED_FRAME] = -2;
	golang_rows(g, f, read_prologue, &now);
	add_parts(&now);
	now.at = f->start;
	err = golang_rows(g, f, add_row, &now);
	if (err && err != -EBADMSG)
		return err;
	/* Without rows, or with too few. */
	return emit(&now, f->end, &none);
}
