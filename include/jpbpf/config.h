/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What user space sets before it loads the programs.  The verifier takes it for
 * constant: what is not wanted costs nothing at all, not even the time to verify
 * it, if whoever calls it asks here first.
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
	u32 lines;	/* frames are to say their source line */
	u32 walker_options; /* bit per enum walker_option_id */
	u32 source;	    /* enum source_id: of perf events */
	u32 level;	    /* enum source_level: of these */
	/* Walk slots of each level that has a source, and the number of its first. */
	u32 slots[SOURCE_LEVELS], slots_first[SOURCE_LEVELS];
};

#endif
