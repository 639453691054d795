/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the bytecode engine has its pc, as the kernel side wants it. */
#ifndef JPBPF_WALKERS_TCL_ENGINE_H
#define JPBPF_WALKERS_TCL_ENGINE_H

struct module;
struct tcl_file;

/* Fill pc_range[] of a file whose engine is known. */
void tcl_engine_fill(struct tcl_file *file, const struct module *m);

#endif
