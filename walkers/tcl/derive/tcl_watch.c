/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where Proc.refCount changes when a call begins and ends (generic/tclProc.c,
 * core-8-6-13): TclNRInterpProcCore() adds one, InterpProcNR2() takes one away.
 *
 * Both get the interpreter as an argument, and load interp->varFramePtr->procPtr.  The code
 * is followed from the function's beginning to the first store to refCount.  Jumps out of
 * this line are ignored; a jump into it ends the search.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <string.h>

#include "arch/code.h"

#define REF_COUNT 8 /* in Proc; generic/tclInt.h, core-8-6-0 to core-9-1-0 */

/* What a register holds. */
enum held { HELD_NOTHING, HELD_INTERP, HELD_CODE, HELD_FRAME, HELD_PROC };

/* What the instruction loads or moves into its first operand. */
static enum held moved(const struct insn *in, const u8 *held,
		       const struct call_place *p)
{
	const struct operand *from = &in->op[1];

	if (in->what != INSN_MOV || in->op[0].kind != OPERAND_REG)
		return HELD_NOTHING;
	if (from->kind == OPERAND_REG && from->reg < REG_COUNT &&
	    (from->size == 8 ||
	     (from->size == 4 && held[from->reg] == HELD_CODE)))
		return held[from->reg];
	if (from->kind != OPERAND_MEM || !from->plain || from->size != 8 ||
	    from->reg >= REG_COUNT)
		return HELD_NOTHING;
	if (held[from->reg] == HELD_INTERP &&
	    from->value == p->offset[TCL_CALL_VAR_FRAME])
		return HELD_FRAME;
	if (held[from->reg] == HELD_FRAME &&
	    from->value == p->offset[TCL_CALL_FRAME_PROC])
		return HELD_PROC;
	return HELD_NOTHING;
}

static void step(const struct insn *in, u8 *held, const struct call_place *p)
{
	enum held now = moved(in, held, p);
	u32 lost = in->what == INSN_CALL ? ~REGS_KEPT : in->writes;

	for (u32 r = 0; r < REG_COUNT; r++)
		if (lost >> r & 1)
			held[r] = HELD_NOTHING;
	if (now)
		held[in->op[0].reg] = now;
}

static bool changes_count(const struct insn *in, const u8 *held)
{
	const struct operand *to = &in->op[0];

	return in->stores && to->kind == OPERAND_MEM && to->plain &&
	       to->reg < REG_COUNT && held[to->reg] == HELD_PROC &&
	       to->value == REF_COUNT && (to->size == 4 || to->size == 8);
}

static bool find_register(const u8 *held, enum held what, u8 *reg)
{
	for (u32 r = 0; r < REG_COUNT; r++) {
		if (held[r] == what) {
			*reg = r;
			return true;
		}
	}
	return false;
}

/* held: what registers hold when the function begins. */
static bool find(const struct code *c, u8 *held, struct walker_call *call)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if (in->landing || in->what == INSN_JMP || in->what == INSN_END)
			return false;
		if (!changes_count(in, held)) {
			step(in, held, &call->place);
			continue;
		}
		call->vaddr = in->vaddr + in->size;
		call->use = CALL_USE_WATCH;
		call->word = REF_COUNT;
		call->size = in->op[0].size;
		return find_register(held, HELD_INTERP, &call->place.reg) &&
		       (call->place.kind == TCL_CALL_WATCH_ENTER ||
			find_register(held, HELD_CODE, &call->place.third));
	}
	return false;
}

bool tcl_watch_find(const struct module *m, u64 vaddr, struct walker_call *call)
{
	bool enters = call->place.kind == TCL_CALL_WATCH_ENTER, found;
	u8 held[REG_COUNT] = { 0 };
	struct code c;

	if (code_decode_at(&c, m, vaddr))
		return false;
	held[enters ? REG_ARG0 : REG_ARG1] = HELD_INTERP;
	if (!enters)
		held[REG_ARG2] = HELD_CODE;
	found = find(&c, held, call);
	code_release(&c);
	return found;
}
