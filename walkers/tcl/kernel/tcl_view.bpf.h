/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Structures of Tcl that are looked at in place, or read as a whole where that cannot be. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_VIEW_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_VIEW_BPF_H

#include "walkers/tcl/kernel/tcl.bpf.h"

/* Reads a structure of size bytes, a constant.  Of one that lies in two pages the words are
 * read one by one, because the helper costs a sample more lines of code. */
static __always_inline int tcl_read(struct walk *w, u64 *out, u32 size,
				    u64 address)
{
	if (!DIRECT_READS || !direct_parts(address, size) ||
	    direct_across(&w->direct, address, size / 8))
		return walk_read(w, out, size, address);
	__builtin_memcpy(out, w->direct.across, size);
	return 0;
}

/* A look at the structure at address, of size bytes, at most sizeof(t->block).  The value is
 * for tcl_look(); 0: it is not readable. */
#define TCL_IN_BLOCK 1u

static __always_inline u64 tcl_view(struct walk *w, struct tcl_walk *t,
				    u64 address, u32 size)
{
	u64 at = direct_at(&w->direct, address, size);

	if (mostly(at))
		return at;
	if (DIRECT_READS && direct_parts(address, size) &&
	    !direct_across(&w->direct, address, size / 8)) {
		__builtin_memcpy(t->block, w->direct.across,
				 sizeof(w->direct.across));
		return TCL_IN_BLOCK;
	}
	return walk_read(w, t->block, size, address) ? 0 : TCL_IN_BLOCK;
}

static __always_inline u64 tcl_look(const struct tcl_walk *t, u64 at,
				    s32 offset)
{
	if (mostly(at != TCL_IN_BLOCK))
		return direct_word(at + (u32)offset);
	return t->block[((u32)offset >> 3) & (TCL_BLOCK_WORDS - 1)];
}

/* The same of a field that may be an int. */
static __always_inline u64 tcl_look_int(const struct tcl_walk *t, u64 at,
					s32 offset)
{
	return tcl_look(t, at, offset & ~7) >> (((u32)offset & 4) * 8);
}

/* The first two words of it. */
static __always_inline void tcl_pair(const struct tcl_walk *t, u64 at,
				     u64 pair[2])
{
	if (DIRECT_READS && mostly(at != TCL_IN_BLOCK)) {
		direct_words(pair, 2, at);
	} else {
		pair[0] = t->block[0];
		pair[1] = t->block[1];
	}
}

#endif
