/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The open calls: their maps, and what the parts of the account share. */
#ifndef JPBPF_CALLS_CALLS_BPF_H
#define JPBPF_CALLS_CALLS_BPF_H

#include "bpf/calls/call.bpf.h"

#include "bpf/begin.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/slot.bpf.h"

#define MAX_CONTEXTS 16384u /* of a chain behind a jump */
#define MAX_POPS     65536u
#define SWAP_TRIES   8

MAP(call_places, ARRAY, 0, 1, u32, struct call_place);
struct map_call_places call_places SEC(".maps");
MAP(call_functions, HASH, 0, 1, struct call_key, struct call_function);
struct map_call_functions call_functions SEC(".maps");
MAP(call_rows, HASH, BPF_F_NO_PREALLOC, 1, u32, struct call_row);
struct map_call_rows call_rows SEC(".maps");
MAP(call_open, HASH, 0, 1, struct call_at, struct call_open);
struct map_call_open call_open SEC(".maps");
/* Address of the innermost open call, by thread. */
MAP(call_threads, HASH, 0, 1, u32, u64);
struct map_call_threads call_threads SEC(".maps");
MAP(call_nodes, HASH, BPF_F_NO_PREALLOC, 1, struct call_step, struct call_node);
struct map_call_nodes call_nodes SEC(".maps");

/* User space sets it: calls are entered. */
u32 calls_on = 1;
struct call_lost call_lost;
static u32 last_id, last_node;
/* What new rows and nodes begin as. */
static const struct call_row empty_row;

#define COUNT(what) __sync_fetch_and_add(&call_lost.what, 1)

static __always_inline u32 thread_id(void)
{
	return pids_namespace ? pids_current() : bpf_get_current_pid_tgid();
}

static __always_inline struct call_open *find_open(u64 address, u64 pid)
{
	struct call_at at = { address, pid };

	return address ? bpf_map_lookup_elem(&call_open, &at) : NULL;
}

static __always_inline u64 *thread_top(void)
{
	u32 tid = thread_id();
	u64 none = 0, *top = bpf_map_lookup_elem(&call_threads, &tid);

	if (top)
		return top;
	bpf_map_update_elem(&call_threads, &tid, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&call_threads, &tid);
}

#endif
