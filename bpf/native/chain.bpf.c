/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is rare in a walk: a frame is missing, the caller is found by the frame pointer
 * alone, or on another stack.  Each is a global function, so the verifier checks it once. */
#include <jpbpf/chain.h>

#include "bpf/native/cursor.bpf.h"

__noinline int walk_missing(struct walk *w, u32 why)
{
	if (!w)
		return 0;
	walk_count(w, why);
	return walk_push(w, frame_value58(FRAME_STATUS, why));
}

__noinline int chain_step(struct walk *w)
{
	if (!w || chain_leave(cursor_of(w)))
		return -1;
	walk_missing(w, NATIVE_CHAIN);
	w->located = LOCATED_NOT;
	return 0;
}

__noinline int chain_depth(struct walk *w, u64 *cfa, u32 owner, u32 depth)
{
	if (!w || !cfa)
		return CUT_STACK_READ;
	return cursor_depth(cursor_of(w), cfa, (s32)owner, (s32)depth);
}

__noinline int chain_thread(struct walk *w, u64 *cfa, s32 local, s32 owner,
			    u32 near)
{
	if (!w || !cfa)
		return CUT_STACK_READ;
	return cursor_of_thread(cursor_of(w), cfa, local, owner, near);
}
