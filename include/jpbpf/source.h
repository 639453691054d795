/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The sources of samples, from sources.def. */
#ifndef JPBPF_SOURCE_H
#define JPBPF_SOURCE_H

/* The context in which a source's program runs. */
enum source_level {
	LEVEL_IRQ,	   /* interrupts are off */
	LEVEL_TASK,	   /* interrupts are on, or may be */
	LEVEL_NMI,	   /* anywhere, even with interrupts off */
	SOURCE_LEVELS = 4, /* a power of two */
};

enum source_id {
#define SOURCE(id, ...) SOURCE_##id,
#include <jpbpf/sources.def>
#undef SOURCE
	SOURCE_COUNT
};

#endif
