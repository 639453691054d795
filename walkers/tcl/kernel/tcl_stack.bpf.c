/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Reads into struct tcl_walk: a callback, and a frame of Tcl's own stack that cannot be
 * looked at in place. */
#include "walkers/tcl/kernel/tcl.bpf.h"
#include "walkers/tcl/kernel/tcl_view.bpf.h"

int tcl_read_callback(struct walk *w, u64 address)
{
	struct tcl_walk *t = tcl_current(w);
	u32 size = sizeof(t->cb);
	u64 at;

	if (!t)
		return -1;
	at = direct_at(&w->direct, address, size);
	if (seldom(!at))
		return tcl_read(w, t->cb, size, address);
	direct_words(t->cb, TCL_CALLBACK_WORDS, at);
	return 0;
}

int tcl_read_stack(struct walk *w, u64 address)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return -1;
	if (DIRECT_READS && direct_parts(address, TCL_FRAME_READ)) {
		t->stack_base = 0;
		t->stack_at = 0;
		return tcl_read(w, t->stack, TCL_FRAME_READ, address);
	}
	t->stack_base = address + TCL_FRAME_READ - sizeof(t->stack);
	t->stack_at = sizeof(t->stack) - TCL_FRAME_READ;
	if (!walk_read(w, t->stack, sizeof(t->stack), t->stack_base))
		return 0;
	t->stack_base = 0;
	t->stack_at = 0;
	return walk_read(w, t->stack, TCL_FRAME_READ, address);
}
