/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The runtime's own table gives the CFA.  The code gives what the table leaves out:
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
#include "arch/x86_64/cfi_go.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "user/elf/golang.h"
#include "user/elf/module.h"

bool go_is_named(const struct go_function *f, const char *name)
{
	return !strcmp(f->f->name, name);
}

/* ---- the prologue ------------------------------------------------------------- */

/* Length of the instruction if it has this opcode, rbp, and memory at CFA - 16; else 0:
 * REX.W, opcode, ModRM and SIB for memory at rsp, and an offset of no, one or four
 * bytes (Intel SDM, volume 2, 2.1.5). */
static u32 saves_frame(const u8 *bytes, u8 opcode, u32 depth)
{
	u8 insn[] = { 0x48, opcode, 0x2c, 0x24, 0, 0, 0, 0 };
	s32 offset = depth - 8;
	u32 len = !offset ? 4 : offset <= INT8_MAX ? 5 : 8;

	insn[2] |= len == 5 ? 0x40 : len == 8 ? 0x80 : 0;
	memcpy(insn + 4, &offset, sizeof(offset));
	return memcmp(bytes, insn, len) ? 0 : len;
}

/* Reads the prologue at the first row with a frame. */
static int read_prologue(void *ctx, u64 end, u32 depth)
{
	struct go_function *f = ctx;
	u64 at = f->at, left = f->f->end - at + 1;
	u8 bytes[17] = { 0 }; /* the one before, and two instructions */
	u32 len;

	f->at = end;
	if (!depth)
		return 0;
	if (depth < 8 || at == f->f->start ||
	    module_read(f->m, at - 1, bytes,
			left < sizeof(bytes) ? left : sizeof(bytes)))
		return 1;
	/* push %rbp */
	if (depth == 8 && bytes[0] == 0x55) {
		f->frame = depth;
		f->saved = at;
		return 1;
	}
	len = saves_frame(bytes + 1, 0x89, depth); /* mov */
	if (!len)
		return 1;
	f->frame = depth;
	f->saved = at + len;
	len = saves_frame(bytes + 1 + len, 0x8d, depth); /* lea */
	if (!len)
		return 1;
	f->pointed = f->saved + len;
	if (go_is_named(f, "crosscall2"))
		go_read_saves(f, f->pointed);
	return 1;
}

/* ---- rows ----------------------------------------------------------------------- */

/* To end, but for the parts in it that have rules of their own. */
static int emit(struct go_function *f, u64 end, const struct unwind_rule *rule)
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

static void plain_rule(const struct go_function *f, u32 depth, bool saved,
		       struct unwind_rule *rule)
{
	*rule = cfi_plain_rule(UNWIND_CFA, (s32)depth + 8, UNWIND_SLOT_LOST);
	rule->flags = f->injected ? UNWIND_INTERRUPTED : 0;
	if (saved && depth >= f->frame)
		memcpy(rule->slot, f->slot, sizeof(f->slot));
	else if (f->frame || (!depth && !(f->f->flags & GOLANG_ASSEMBLY)))
		rule->slot[SAVED_FRAME] = UNWIND_SLOT_SAME;
}

static int add_row(void *ctx, u64 end, u32 depth)
{
	struct go_function *f = ctx;
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
	struct go_function now = {
		.m = m, .f = f, .at = f->start, .fn = fn, .ctx = ctx
	};
	struct module_function code = { .start = f->start, .end = f->end };
	struct unwind_rule none = { .kind = UNWIND_NONE };
	int err;

	if (f->flags & GOLANG_SWITCHES || go_is_named(&now, "crosscall2"))
		code_decode(&now.code, m, &code);
	now.injected = go_is_named(&now, "runtime.asyncPreempt") ||
		       go_is_named(&now, "runtime.sigpanic");
	for (int i = 0; i < SAVED_REGS; i++)
		now.slot[i] = UNWIND_SLOT_LOST;
	now.slot[SAVED_FRAME] = -2;
	golang_rows(g, f, read_prologue, &now);
	go_add_parts(&now);
	code_release(&now.code);
	now.at = f->start;
	err = golang_rows(g, f, add_row, &now);
	if (err && err != -EBADMSG)
		return err;
	/* Without rows, or with too few. */
	return emit(&now, f->end, &none);
}
