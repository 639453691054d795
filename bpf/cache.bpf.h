/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a walk slot keeps of code, from sample to sample: the rules of addresses, in a
 * cache with sets of two entries; and, for addresses that are not there, where a search
 * near them has ended.
 */
#ifndef JPBPF_CACHE_BPF_H
#define JPBPF_CACHE_BPF_H

#include "vmlinux.h"

#include <jpbpf/unwind.h>

/* What the cache has for an address. */
struct pc_entry {
	u64 pc;	   /* address looked up */
	u64 frame; /* native frame word for it */
	u32 serial;
	u32 spare;
	struct unwind_rule rule;
	u64 bias;
};
_Static_assert(sizeof(struct pc_entry) == 64, "one cache line");

/* Result of the last search for an address within PLACE_BYTES of code. */
struct place {
	u64 number; /* address / PLACE_BYTES; all ones: nothing is known */
	u32 serial;
	u32 file;
	u64 bias;
	u32 chunk; /* number of the chunk of rows in the file; all ones: none */
	u32 spare;
};

#define PLACE_BYTES    1024u /* divides the size of a page */
#define PLACE_SLOTS    512u
#define PC_CACHE_SETS  4096u /* of two entries: the newer comes first */
#define PC_CACHE_SLOTS (2 * PC_CACHE_SETS)

#endif
