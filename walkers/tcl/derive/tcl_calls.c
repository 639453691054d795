/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where calls begin and end (walkers/tcl/kernel/tcl_calls.bpf.c).
 *
 * TclNRInterpProcCore() ends with a call of TclNRExecuteByteCode(), the only function it
 * calls that makes the address of TEBCresume(); before, it makes the address of
 * InterpProcNR2() (generic/tclProc.c, core-8-6-13).  Both TclNRInterpProcCore()
 * and TclProcCleanupProc() are in the internal stub table.
 *
 * TclNRCoroutineActivateCallback() is what TclNRYieldObjCmd() pushes.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <string.h>

#include "arch/code.h"
#include "arch/probe.h"
#include "arch/refs.h"

/* The first function that the one at vaddr calls or jumps to, whose code makes the address
 * of `made`; vaddr of that instruction. */
static u64 call_that_makes(const struct module *m, u64 vaddr, u64 made)
{
	struct code c;
	u64 found = 0;

	if (code_decode_at(&c, m, vaddr))
		return 0;
	for (size_t i = 0; i < c.n && !found; i++) {
		const struct insn *in = &c.insn[i];
		struct refs refs;

		if (!in->target ||
		    (in->target >= c.start && in->target < c.end) ||
		    (in->what != INSN_CALL && in->what != INSN_JMP))
			continue;
		refs = refs_of(m, in->target, REFS_MADE);
		if (refs_has(&refs, made))
			found = in->vaddr;
	}
	code_release(&c);
	return found;
}

static bool is_yield(void *ctx, const struct tcl_command *c)
{
	if (strcmp(c->name, "yield") != 0)
		return false;
	*(u64 *)ctx = c->stackless;
	return true;
}

/* TclNRCoroutineActivateCallback; 0: not found. */
static u64 find_switch(const struct module *m, const struct tcl_found *t)
{
	struct refs made;
	u64 yield = 0;

	tcl_commands(t, m, is_yield, &yield);
	made = refs_of(m, yield, REFS_MADE);
	return yield && made.n ? made.at[0] : 0;
}

/* InterpProcNR2(): the last function whose address is made before the call at `enter`. */
static u64 find_left(const struct module *m, u64 core, u64 enter)
{
	struct refs made = refs_of(m, core, REFS_MADE);
	u64 found = 0;
	struct code c;

	if (code_decode_at(&c, m, core))
		return 0;
	for (size_t i = 0; i < c.n && c.insn[i].vaddr < enter; i++) {
		u64 at = code_made(&c.insn[i]);

		if (at && refs_has(&made, at))
			found = at;
	}
	code_release(&c);
	return found;
}

static void set_offsets(const struct tcl_found *t, s16 *offset)
{
	const struct tcl_layout *l = &t->file.layout;
	bool is_9 = t->version.number >= 0x090000;

	/* generic/tclInt.h: Interp, CallFrame, CoroutineData. */
	offset[TCL_CALL_VAR_FRAME] = l->interp_frame + 8;
	offset[TCL_CALL_PROC] = l->code_proc;
	offset[TCL_CALL_TAILCALL] = is_9 ? 104 : 96;
	offset[TCL_CALL_LEVEL] = is_9 ? 496 : 760;
	offset[TCL_CALL_CODE] = is_9 ? 112 : 184;
	offset[TCL_CALL_STACK] = 96;
	offset[TCL_CALL_RESULT] = is_9 ? 416 : 680;
	offset[TCL_CALL_FRAME_PROC] = l->frame_proc;
}

size_t tcl_calls_find(const struct tcl_found *t, const struct module *m,
		      struct walker_call *call)
{
	u64 internal = t->stubs.internal;
	u64 core = tcl_stubs_slot(m, internal,
				  TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE);
	u64 cleanup =
		tcl_stubs_slot(m, internal, TCL_SLOT_INTERNAL_CLEANUP_PROC);
	u64 make = tcl_stubs_slot(m, internal, TCL_SLOT_INTERNAL_CREATE_PROC);
	u64 enter = call_that_makes(m, core, t->file.tebc_start);
	u64 left = find_left(m, core, enter);
	const struct {
		u64 vaddr;
		u8 reg;
		enum walker_call_use use;
	} found[TCL_CALL_KINDS] = {
		[TCL_CALL_FREE] = { probe_place(m, cleanup), REG_ARG0,
				    CALL_USE_ALWAYS },
		[TCL_CALL_SWITCH] = { probe_place(m, find_switch(m, t)),
				      REG_ARG0, CALL_USE_ALWAYS },
		[TCL_CALL_MAKE] = { probe_place(m, make), 0, CALL_USE_MADE },
		[TCL_CALL_LEAVE] = { probe_place(m, left), REG_ARG1,
				     CALL_USE_EACH },
		[TCL_CALL_ENTER] = { enter, REG_ARG0, CALL_USE_EACH },
	};

	for (size_t i = 0; i < TCL_CALL_KINDS; i++) {
		call[i] = (struct walker_call){
			.vaddr = found[i].vaddr,
			.place = { .kind = i, .reg = found[i].reg },
			.use = found[i].use,
		};
		set_offsets(t, call[i].place.offset);
		if (!call[i].vaddr && i <= TCL_CALL_ENTER)
			return 0;
	}
	if (!tcl_watch_find(m, left, &call[TCL_CALL_WATCH_LEAVE]) ||
	    !tcl_watch_find(m, core, &call[TCL_CALL_WATCH_ENTER]))
		return TCL_CALL_WATCH_LEAVE;
	return TCL_CALL_KINDS;
}
