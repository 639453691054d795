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
/* Of a function that finds no room, the one longest unused is asked for once more. */
MAP(call_functions, LRU_HASH, 0, 1, struct call_key, struct call_function);
struct map_call_functions call_functions SEC(".maps");
MAP(call_rows, HASH, BPF_F_NO_PREALLOC, 1, u32, struct call_row);
struct map_call_rows call_rows SEC(".maps");
MAP(call_buckets, ARRAY, 0, 1, u32, struct call_bucket);
struct map_call_buckets call_buckets SEC(".maps");
struct call_thread {
	u64 top;     /* address of the innermost open call */
	u32 entered; /* id of the function whose stack on_enter takes */
	u32 spare;
};
MAP(call_threads, TASK_STORAGE, BPF_F_NO_PREALLOC, 0, int, struct call_thread);
struct map_call_threads call_threads SEC(".maps");
MAP(call_nodes, HASH, BPF_F_NO_PREALLOC, 1, struct call_step, struct call_node);
struct map_call_nodes call_nodes SEC(".maps");

/* User space puts on_enter (bpf/source.bpf.c) there, if stacks are wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} call_next SEC(".maps");

/* User space sets it: calls are entered until then (ns).  0: the trace has ended, and nothing
 * changes the account. */
u64 calls_until = ~0ull;
struct call_lost call_lost;
static u32 last_id, last_node;
static u64 rate_second, rate_calls;
/* What new rows and nodes begin as. */
static const struct call_row empty_row;

#define COUNT(what) __sync_fetch_and_add(&call_lost.what, 1)

static __always_inline u32 thread_id(void)
{
	return pids_namespace ? pids_current() : bpf_get_current_pid_tgid();
}

/* What tells an address and a pid apart; never 0.  Of pids above 2^20 two can have the same
 * one: the pid of an open call decides. */
static __always_inline u64 tag_of(u64 address, u64 pid)
{
	return address >> 3 | pid << 44;
}

static __always_inline struct call_bucket *bucket_of(u64 tag)
{
	u32 index = tag * 0x9e3779b97f4a7c15ull >> (64 - CALL_BUCKET_LOG);

	return bpf_map_lookup_elem(&call_buckets, &index);
}

/* 1 + the first index of the tag in the bucket; 0: it is not there.  The search does not
 * branch, but Linux 6.18 and 7.3 follow two paths behind each of its masks.  As a global
 * function it is verified once, and not behind every path of its callers. */
__noinline u32 call_index(const struct call_bucket *b, u64 tag)
{
	u32 found = 0;

	if (!b)
		return 0;
	for (int i = CALL_BUCKET - 1; i >= 0; i--) {
		u64 differs = b->tag[i] ^ tag, negative = -differs, mask;

		barrier_var(negative);
		mask = ((differs | negative) >> 63) - 1;
		found = (found & ~mask) | ((i + 1) & mask);
	}
	return found;
}

static __always_inline struct call_open *find_open(u64 address, u64 pid)
{
	u64 tag = tag_of(address, pid);
	struct call_bucket *b = bucket_of(tag);
	u32 at = address ? call_index(b, tag) : 0;
	struct call_open *o;

	if (!at || !b)
		return NULL;
	o = &b->open[(at - 1) & (CALL_BUCKET - 1)];
	return o->pid == pid ? o : NULL;
}

/* Writes the tag where there is none.  Returns 1 + the index; 0: there is no room. */
__noinline u32 call_claim(struct call_bucket *b, u64 tag)
{
	for (u32 i = 0; i < CALL_BUCKET && b; i++) {
		u32 at = call_index(b, 0);

		if (!at)
			return 0;
		if (!__sync_val_compare_and_swap(
			    &b->tag[(at - 1) & (CALL_BUCKET - 1)], 0, tag))
			return at;
	}
	return 0;
}

/* A new one, whose pid the caller sets last; NULL: there is no room. */
static __always_inline struct call_open *make_open(u64 address, u64 pid)
{
	u64 tag = tag_of(address, pid);
	struct call_bucket *b = bucket_of(tag);
	u32 at = call_claim(b, tag);

	return at && b ? &b->open[(at - 1) & (CALL_BUCKET - 1)] : NULL;
}

static __always_inline void free_open(u64 address, u64 pid, struct call_open *o)
{
	struct call_bucket *b = bucket_of(tag_of(address, pid));
	u32 at = call_index(b, tag_of(address, pid));

	if (!at || !b)
		return;
	o->pid = 0;
	barrier();
	b->tag[(at - 1) & (CALL_BUCKET - 1)] = 0;
}

static __always_inline u64 *thread_top(void)
{
	struct call_thread *t =
		bpf_task_storage_get(&call_threads, bpf_get_current_task_btf(),
				     NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);

	return t ? &t->top : NULL;
}

/* That of the current thread, if it has one. */
static __always_inline struct call_thread *thread_known(void)
{
	return bpf_task_storage_get(&call_threads, bpf_get_current_task_btf(),
				    NULL, 0);
}

#endif
