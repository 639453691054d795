/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which libtcl the walk is in. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_FILE_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_FILE_BPF_H

#include "walkers/tcl/kernel/tcl.bpf.h"

/* The file whose code the frame at hand runs, and what the unwinder knows of the frame;
 * NULL: neither is known. */
static __always_inline struct tcl_file *tcl_file_here(struct walk *w,
						      struct pc_entry **e)
{
	u32 file;

	if (!w)
		return NULL;
	*e = walk_entry(w, w->slot);
	file = frame_file((*e)->frame);
	return bpf_map_lookup_elem(&tcl_files, &file);
}

/* The state belongs to this file, in this process. */
static __always_inline void
tcl_set_file(struct tcl_walk *t, const struct tcl_file *f, u32 file, u64 bias)
{
	if (t->file != file + 1) {
		t->l = f->layout;
		__builtin_memcpy(t->wrapper, f->wrapper, sizeof(t->wrapper));
		t->file = file + 1;
	}
	t->bias = bias;
	t->tebc = f->tebc_start + bias;
	t->dispatch = f->dispatch ? f->dispatch + bias : 0;
	t->stubs = f->stubs + bias;
	t->recursive = f->recursion.calls;
}

#endif
