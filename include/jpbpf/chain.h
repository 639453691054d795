/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where there is no unwind information: the caller by the frame pointer.
 *
 * Hand-written assembly and the code of just-in-time compilers have none; often the
 * frame pointer then leads a chain of frames: the caller's frame pointer, and the return
 * address behind it.  Nothing says so, so it is believed only if
 *
 *   - the frame lies above what was walked, and not far away;
 *   - the return address is in a known mapping and follows a call instruction;
 *   - a call with its target in it leads to just below the address that it must
 *     have led to, or to a stub of the linkers;
 *   - no return address of such a call lies below the frame: a function that has set
 *     up no frame (yet) leaves the frame pointer as its caller's, who would be left out.
 *
 * Only so many words are searched for one, so a function without a frame and with
 * many variables still deceives this: a word in the record says what stands outward
 * of a guess.
 */
#ifndef JPBPF_CHAIN_H
#define JPBPF_CHAIN_H

#include <jpbpf/unwinder.h>

#define CHAIN_FRAME    (8u << 20) /* bytes of one frame, at most */
#define CHAIN_FUNCTION (1u << 20) /* of a function */
#define CHAIN_SEARCH   32	  /* words */

struct chain_search {
	struct cursor *c;
	u64 at, end;
	u32 found;
};

/* fn(i, s) for i < n until it is not 0. */
static __always_inline void side_loop(u32 n,
				      long (*fn)(u32 i, struct chain_search *s),
				      struct chain_search *s);

/* May the instruction before the return address have called the code at c->pc? */
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

/* One word of the stack: a return address of a call to here? */
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

/* Is there a return address between the stack pointer and where the frame pointer points
 * to? Then the function has no frame (yet, or any more), and that is its caller's. */
static __always_inline bool chain_is_bare(struct cursor *c, u64 frame)
{
	struct chain_search s = { .c = c,
				  .at = c->reg[REG_STACK],
				  .end = frame };

	side_loop(CHAIN_SEARCH, chain_look_at, &s);
	return s.found;
}

/* From the frame at c->pc to its caller.  0, or -1: nothing speaks for one; c is as it
 * was. */
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
