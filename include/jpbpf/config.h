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
	u32 source;	    /* enum source_id of the perf events */
	u32 level;	    /* enum source_level of that source */
	u32 max_cost;	    /* percent of each CPU's time; 0: not bounded */
	/* By enum source_level: number of walk slots, and index of the first one. */
	u32 slots[SOURCE_LEVELS], slots_first[SOURCE_LEVELS];
};

#endif
