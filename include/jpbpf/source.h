/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What makes samples, from sources.def. */
#ifndef JPBPF_SOURCE_H
#define JPBPF_SOURCE_H

/* What a source's program runs inside of. */
enum source_level {
	LEVEL_IRQ,	   /* interrupts are off */
	LEVEL_TASK,	   /* interrupts are on, or can be */
	LEVEL_NMI,	   /* anywhere, also where interrupts are off */
	SOURCE_LEVELS = 4, /* a power of two */
};

enum source_id {
#define SOURCE(id, ...) SOURCE_##id,
#include <jpbpf/sources.def>
#undef SOURCE
	SOURCE_COUNT
};

#endif
