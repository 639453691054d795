/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Notices to user space about processes, and the serials of process entries. */
#ifndef JPBPF_NOTICE_BPF_H
#define JPBPF_NOTICE_BPF_H

#include "bpf/walk.bpf.h"

/* process.bpf.c */
extern u32 next_serial;

static __always_inline u32 notice_serial(void)
{
	return __sync_fetch_and_add(&next_serial, 1);
}

static __always_inline void notice_count(u32 status)
{
	u32 nobody = 0;
	struct counters *s = bpf_map_lookup_elem(&stats, &nobody);

	if (s)
		__sync_fetch_and_add(&s->status[status], 1);
}

/* Returns 0, or -1 if the ring has no room; the loss is counted. */
static __always_inline int notice_send(u32 kind, u32 pid, u32 serial, u64 arg)
{
	struct notice n = {
		.type = RECORD_NOTICE,
		.kind = kind,
		.pid = pid,
		.process = serial,
		.arg = arg,
		.time = bpf_ktime_get_ns(),
	};

	if (!bpf_ringbuf_output(&samples, &n, sizeof(n), BPF_RB_FORCE_WAKEUP))
		return 0;
	notice_count(HOST_NOTICE_LOST);
	return -1;
}

#endif
