/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the bytecode engine has its pc, and TclEvalEx its CmdFrame, as the kernel side
 * wants it. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_ENGINE_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_ENGINE_H

struct module;
struct tcl_found;

/* Fill pc_range[] and eval_frame of a file whose engine is known, and mark TclEvalEx. */
void tcl_engine_fill(struct tcl_found *t, const struct module *m);

#endif
