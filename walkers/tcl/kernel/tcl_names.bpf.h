/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The names of procs that are kept from sample to sample. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_NAMES_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_NAMES_BPF_H

#include <jpbpf/text.h>

#include "walkers/tcl/kernel/tcl.bpf.h"

#define TCL_NAME_SLOTS 2048u /* per CPU */
#define TCL_KEY_WORDS  5u    /* of a name that is kept: 39 bytes at most */

/*
 * The name of a Proc as it was found last, with all that it was made of.  Within one
 * sample nothing of that changes.
 */
struct tcl_name {
	u64 proc;
	u64 sample; /* the last one it was found to hold in */
	u64 command, entry, ns;
	u64 text, ns_text;
	u32 serial;
	u32 words; /* of the key, the last with its NUL */
	u64 key[TCL_KEY_WORDS];
	u64 spare[3];
};
_Static_assert(sizeof(struct tcl_name) == 128, "two cache lines");

MAP(tcl_names, ARRAY, 0, TCL_NAME_SLOTS, u32, struct tcl_name);

/* Where the name of this Proc may be. */
static __always_inline struct tcl_name *name_slot(struct walk *w, u64 proc)
{
	u32 h = (u32)(proc >> 4) * 0x9e3779b1u;
	u32 slot = w->index * TCL_NAME_SLOTS + (h >> 21);

	return bpf_map_lookup_elem(&tcl_names, &slot);
}
_Static_assert(TCL_NAME_SLOTS == 1u << 11, "name_slot() takes 11 bits");

#endif
