/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A coroutine's base, where the walk goes on with the chains of its resumer. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_COROUTINE_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_COROUTINE_BPF_H

#include "walkers/tcl/kernel/tcl.bpf.h"

/* Checks for a coroutine of this interpreter at address (CoroutineData,
 * generic/tclInt.h, core-8-6-13).  If there is one, its resumer's chain goes on at
 * *callback.  1: unreadable. */
static __always_inline int tcl_coroutine_at(struct walk *w, struct tcl_walk *t,
					    u64 address, u64 *callback)
{
	u64 ee = 0, inside = 0, of = 0;

	if (!address)
		return -1;
	if (walk_word(w, &ee, address + t->l.cor_caller_ee) ||
	    walk_word(w, &of, ee + t->l.exec_env_interp))
		return 1;
	if (of != t->interp)
		return -1;
	if (walk_word(w, callback, ee + t->l.exec_env_callback) ||
	    walk_word(w, &inside, ee + t->l.exec_env_cor) ||
	    walk_word(w, &t->command, address + t->l.cor_cmd) ||
	    walk_word(w, &ee, address + t->l.cor_ee) ||
	    (ee && walk_word(w, &of, ee + t->l.exec_env_interp)))
		return 1;
	if (of != t->interp)
		return -1;
	if (walk_word(w, &tcl_known(t)->next_command,
		      address + t->l.cor_caller + t->l.corcontext_cmd_frame))
		return 1;
	tcl_known(t)->inside = inside;
	return 0;
}

#endif
