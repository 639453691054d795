/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Places. A place holds eight bytes while a function runs. It is a register, named by its
 * number, or a stack slot, named by its distance from the CFA.
 */
#ifndef JPBPF_ARCH_PLACE_H
#define JPBPF_ARCH_PLACE_H

#include "arch/code.h"

#define PLACE_NONE (-1)
#define PLACE_SLOT (1 << 24) /* the slot at the CFA; 8 less, the one below it */

/* The place where an operand of the instruction at index at begins, or PLACE_NONE. */
s32 place_of(const struct code *c, int at, const struct operand *o);
/* Whether the instruction may write to the place.  A store to the stack where its depth is
 * not known may hit any slot.  A store through a pointer is taken not to hit a slot:
 * compilers keep there values that no pointer leads to. */
bool place_overwritten(const struct code *c, int at, s32 place);

/* An instruction that sets one place to another, plus a constant. */
struct move {
	s32 to, from;
	s64 add;
};

bool place_move(const struct code *c, int at, struct move *m);

static inline bool place_is_slot(s32 place)
{
	return place > PLACE_SLOT / 2;
}

/* Whether a place keeps its value across a call. */
static inline bool place_survives(s32 place)
{
	return place_is_slot(place) ||
	       (place >= 0 && place < REG_COUNT && (REGS_KEPT >> place & 1));
}

#endif
