/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Constants of the BPF programs, which user space sets before it loads them.
 *
 * The verifier knows their values, so it skips code behind a check of a constant that
 * is off: such code costs neither time at run time nor time to verify.
 */
#ifndef JPBPF_CONFIG_H
#define JPBPF_CONFIG_H

#include <jpbpf/source.h>
#include <jpbpf/types.h>

struct walk_config {
	u32 user_only;
	u32 kernel_only;
	u32 by_thread;
	u32 wake_bytes; /* unread bytes in the ring at which user space is woken */
	u32 lines;	/* frames have their source line */
	u32 walker_options; /* bit per enum walker_option_id */
	/* enum source_id and enum source_level of the perf events.  SOURCE_LEVELS: there
	 * are several sources, and each event's cookie says them. */
	u32 source, level;
	u32 account[SOURCE_COUNT]; /* of sources of class PROBE */
	u32 calls;		   /* calls of chosen functions are followed */
	u32 call_log;		   /* enum call_log */
	u32 call_args;		   /* number of arguments that are told */
	u32 call_value;		   /* values are told */
	u32 call_rate;	/* calls a second that are followed, at most; 0: all */
	u64 call_min;	/* ns: shorter calls are not told */
	u32 call_nodes; /* calls are counted by stack, too */
	u32 enters;	/* each call has its stack taken */
	u32 call_watch; /* functions may be watched */
	/* Of each CPU's time, for each source: 1/100 percent; 0: not bounded */
	u32 max_cost;
	/* By enum source_level: number of walk slots, and index of the first one. */
	u32 slots[SOURCE_LEVELS], slots_first[SOURCE_LEVELS];
};

/* The account is the first of the source's, one for each CPU. */
#define SOURCE_COOKIE(source, level, account) \
	((u64)(account) << 16 | (u64)(level) << 8 | (source))

#endif
