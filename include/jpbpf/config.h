/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What user space sets before it loads the programs.  The verifier takes it for
 * constant: what is not wanted costs nothing at all, not even the time to verify
 * it, if whoever calls it asks here first.
 */
#ifndef JPBPF_CONFIG_H
#define JPBPF_CONFIG_H

#include <jpbpf/types.h>

struct walk_config {
	u32 user_only;
	u32 kernel_only;
	u32 by_thread;
	u32 wake_bytes; /* unread bytes in the ring at which user space is woken */
	u32 lines;	/* frames are to say their source line */
	u32 walker_options; /* bit per enum walker_option_id */
	u32 by_nmi;	    /* samples may come where interrupts are off */
};

#endif
