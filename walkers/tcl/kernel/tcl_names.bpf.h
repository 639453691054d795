/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The names of commands and namespaces that are kept from sample to sample.
 *
 * What is kept of a name's bytes is a fingerprint, a hash of 64 bits as its text id is
 * one.  So a name takes one cache line, and one that still holds is not hashed and looked
 * up again.
 */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_NAMES_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_NAMES_BPF_H

#include <jpbpf/text.h>

#include "walkers/tcl/kernel/tcl.bpf.h"

#define TCL_NAME_SLOTS 2048u /* per CPU */
#define TCL_KEY_WORDS  5u    /* of a name that is kept: 39 bytes at most */

/*
 * The name of a Proc or of a Command as it was found last, with all that it was made of.
 * Within one sample nothing of that changes.
 */
struct tcl_name {
	u64 owner;  /* the Proc, or the Command */
	u64 sample; /* the last one it was found to hold in */
	u64 command, entry, ns;
	u64 text;
	u64 print; /* of the key */
	u32 serial;
	u16 words; /* of the key, the last with its NUL */
	u16 is_widget;
};
_Static_assert(sizeof(struct tcl_name) == 64, "a cache line");

MAP(tcl_names, ARRAY, 0, TCL_NAME_SLOTS, u32, struct tcl_name);

/* Where the name of this Proc or Command may be. */
static __always_inline struct tcl_name *name_slot(struct walk *w, u64 owner)
{
	u32 h = (u32)(owner >> 4) * 0x9e3779b1u;
	u32 slot = w->index * TCL_NAME_SLOTS + (h >> 21);

	return bpf_map_lookup_elem(&tcl_names, &slot);
}
_Static_assert(TCL_NAME_SLOTS == 1u << 11, "name_slot() takes 11 bits");

#endif
