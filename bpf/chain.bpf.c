/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where there is no unwind information: the caller by the frame pointer.  (At the end:
 * where it speaks of two stacks.)
 *
 * Hand-written assembly and the code of just-in-time compilers have none; often
 * rbp then leads a chain of frames: the caller's rbp, and the return address
 * behind it.  Nothing says so, so it is believed only if
 *
 *   - the frame lies above what was walked, and not far away;
 *   - the return address is in a known mapping and follows a call instruction;
 *   - a call with its target in it leads to just below the address that it must
 *     have led to, or to a stub of the linkers;
 *   - no return address of such a call lies below the frame: a function that has set
 *     up no frame (yet) leaves rbp as its caller's, who would be left out.
 *
 * Only so many words are searched for one, so a function without a frame and with
 * many variables still deceives this: a word in the record says what stands outward
 * of a guess.
 */
#include "bpf/chain.bpf.h"

#include "arch/registers.bpf.h"

#define MAX_FRAME    (8u << 20) /* bytes of one frame */
#define MAX_FUNCTION (1u << 20)
#define MAX_SEARCH   32 /* words */

/* The linkers' stubs: `jmp *GOT(%rip)`, after endbr64 and bnd or not. */
static __always_inline bool is_stub(struct walk *w, u64 address)
{
	u64 code = 0;

	if (walk_word(w, &code, address))
		return false;
	if ((u32)code == 0xfa1e0ff3) /* endbr64 */
		code >>= 32;
	if ((code & 0xff) == 0xf2) /* bnd */
		code >>= 8;
	return (code & 0xffff) == 0x25ff;
}

/* call *REG or call *MEMORY, of so many bytes, at the end of the word? */
static __always_inline bool is_indirect(u64 code, u32 bytes)
{
	u64 call = code >> (64 - 8 * bytes);

	return (call & 0x38ff) == 0x10ff;
}

/* May the instruction before the return address have called the code at w->pc? */
static __always_inline bool may_call(struct walk *w, u64 ra)
{
	u64 code = 0, target;

	if (ra < 4096 || walk_word(w, &code, ra - 8))
		return false;
	if (is_indirect(code, 2) || is_indirect(code, 3) ||
	    is_indirect(code, 4) || is_indirect(code, 6) ||
	    is_indirect(code, 7))
		return true;
	if ((code >> 24 & 0xff) != 0xe8)
		return false;
	target = ra + (s64)(s32)(code >> 32);
	return w->pc - target < MAX_FUNCTION || is_stub(w, target);
}

struct search {
	struct walk *w;
	u64 at, end;
	u32 found;
};

/* One word of the stack: a return address of a call to here? */
static long look_at(u32 i, struct search *s)
{
	u64 word = 0;

	if (s->at >= s->end)
		return 1;
	if (!walk_word(s->w, &word, s->at) && may_call(s->w, word))
		s->found = 1;
	s->at += 8;
	return s->found;
}

/* Is there a return address between the stack pointer and where rbp points to? Then
 * the function has no frame (yet, or any more), and rbp is its caller's. */
static __always_inline bool is_bare(struct walk *w, u64 rbp)
{
	struct search s = { .w = w, .at = w->reg[REG_STACK], .end = rbp };

	bpf_loop(MAX_SEARCH, look_at, &s, 0);
	return s.found;
}

__noinline int chain_step(struct walk *w)
{
	u64 rbp, caller = 0, ra = 0;

	if (!w)
		return -1;
	native_registers(w);
	rbp = w->reg[REG_FRAME];
	if (!(w->valid >> REG_FRAME & 1) || (rbp & 7) ||
	    rbp + 16 - w->cfa - 1 >= MAX_FRAME || is_bare(w, rbp))
		return -1;
	if (walk_word(w, &caller, rbp) || walk_word(w, &ra, rbp + 8) ||
	    !may_call(w, ra) || !native_word(w, ra - 1))
		return -1;
	walk_count(w, NATIVE_CHAIN);
	walk_push(w, frame_value58(FRAME_STATUS, NATIVE_CHAIN));
	w->cfa = rbp + 16;
	w->reg[REG_FRAME] = caller;
	w->reg[REG_STACK] = w->cfa;
	w->valid = 1u << REG_FRAME | 1u << REG_STACK;
	w->pc = ra;
	w->exact = 0;
	w->located = LOCATED_NOT;
	return 0;
}

__noinline int chain_depth(struct walk *w, u64 *cfa, u32 owner, u32 depth)
{
	u64 rsp, at = 0, end = 0, below = 0;

	if (!w || !cfa)
		return CUT_STACK_READ;
	rsp = w->reg[REG_STACK];
	if (walk_word(w, &at, rsp + (s64)(s32)owner) ||
	    walk_word(w, &end, at + 8) ||
	    walk_word(w, &below, rsp + (s64)(s32)depth))
		return CUT_STACK_READ;
	*cfa = end - below + 8;
	return 0;
}

/* The thread (m) says where its own stack (that of g0, its first word) was left; this
 * frame must be what came next on it. */
__noinline int chain_thread(struct walk *w, u64 *cfa, s32 local, s32 owner,
			    u32 near)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 thread = near & 0xff, left = near >> 8;
	u64 at = 0, m = 0, below = 0;

	if (!w || !cfa)
		return CUT_STACK_READ;
	if (walk_word(w, &at, arch_thread(task) + (s64)local) ||
	    walk_word(w, &m, at + thread) || walk_word(w, &at, m) ||
	    walk_word(w, &below, at + left) ||
	    walk_word(w, &at, m + (s64)owner) || walk_word(w, &at, at + left))
		return CUT_STACK_READ;
	if (below != w->reg[REG_STACK])
		return CUT_SWITCH;
	*cfa = at + 8;
	return 0;
}
