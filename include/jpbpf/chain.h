/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Unwinding by the frame pointer, for code without unwind information.
 *
 * Hand-written assembly and the code of just-in-time compilers have none.  There the
 * frame pointer often leads a chain of frames: it points to the caller's frame pointer,
 * and the return address is the word behind that.  Nothing proves it, so the chain is
 * followed only if
 *
 *   - the frame lies above what was walked, and not far away;
 *   - the return address is in a known mapping and follows a call instruction;
 *   - a direct call leads to somewhere less than CHAIN_FUNCTION below the address that
 *     it must have reached, or to a stub of the linkers;
 *   - no return address of such a call lies below the frame.  A function that has not
 *     set up its frame (or has left it) still has its caller's frame pointer, and the
 *     chain would leave out that caller.
 *
 * At most CHAIN_SEARCH words are searched for such a return address.  A function
 * without a frame but with many variables can still deceive this search, so a status
 * word in the record (NATIVE_CHAIN) marks everything outward of a frame found this way.
 */
#ifndef JPBPF_CHAIN_H
#define JPBPF_CHAIN_H

#include <jpbpf/unwinder.h>

#define CHAIN_FRAME    (8u << 20) /* most bytes of a frame */
#define CHAIN_FUNCTION (1u << 20) /* most bytes of a function */
#define CHAIN_SEARCH   32	  /* words of the stack */

struct chain_search {
	struct cursor *c;
	u64 at, end;
	u32 found;
};

/* Calls fn(i, s) for i = 0 to n - 1, until fn returns non-zero. */
static __always_inline void side_loop(u32 n,
				      long (*fn)(u32 i, struct chain_search *s),
				      struct chain_search *s);

/* Whether the instruction before ra is a call that may have led to the code at
 * c->pc. */
static __always_inline bool chain_may_call(struct cursor *c, u64 ra)
{
	u64 code = 0, target;

	if (ra < 4096 || side_far_word(c, ra - 8, &code))
		return false;
	if (arch_calls_any(code))
		return true;
	if (!arch_calls(code, ra, &target))
		return false;
	if (c->pc - target < CHAIN_FUNCTION)
		return true;
	return !side_far_word(c, target, &code) && arch_is_stub(code);
}

/* One step of the search: s->found is set if the word at s->at is the return address
 * of a call that may have led to c->pc. */
static long chain_look_at(u32 i, struct chain_search *s)
{
	u64 word = 0;

	(void)i;
	if (s->at >= s->end)
		return 1;
	if (!side_far_word(s->c, s->at, &word) && chain_may_call(s->c, word))
		s->found = 1;
	s->at += 8;
	return s->found;
}

/* Whether a return address lies between the stack pointer and the frame that the frame
 * pointer leads to.  The function then has no frame of its own, and frame is its
 * caller's. */
static __always_inline bool chain_is_bare(struct cursor *c, u64 frame)
{
	struct chain_search s = { .c = c,
				  .at = c->reg[REG_STACK],
				  .end = frame };

	side_loop(CHAIN_SEARCH, chain_look_at, &s);
	return s.found;
}

/* Go from the frame at c->pc to its caller.  0; or -1 if the checks fail, and then the
 * frame of c is unchanged. */
static __always_inline int chain_leave(struct cursor *c)
{
	u64 frame, caller = 0, ra = 0;

	side_read_saved(c);
	frame = c->reg[REG_FRAME];
	if (!cursor_has(c, REG_FRAME) || (frame & 7) ||
	    frame + 16 - c->cfa - 1 >= CHAIN_FRAME || chain_is_bare(c, frame))
		return -1;
	if (side_far_word(c, frame, &caller) ||
	    side_far_word(c, frame + 8, &ra) || !chain_may_call(c, ra) ||
	    !side_is_known(c, ra - 1))
		return -1;
	c->cfa = frame + 16;
	c->reg[REG_FRAME] = caller;
	c->reg[REG_STACK] = c->cfa;
	c->valid = 1u << REG_FRAME | 1u << REG_STACK;
	c->pc = ra;
	c->exact = 0;
	return 0;
}

#endif
