/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What can be sampled, from jpbpf/sources.def. */
#ifndef JPBPF_USER_KERNEL_SOURCES_H
#define JPBPF_USER_KERNEL_SOURCES_H

#include <stdbool.h>

#include <jpbpf/source.h>
#include <jpbpf/types.h>

struct source {
	const char *name, *help;
	enum source_level level;
	u32 type; /* of perf_event_open(2), as event */
	u64 event;
	bool each;	  /* every one is a sample, else so many a second */
	const char *unit; /* of a sample's value */
	const char
		*none; /* what processes did not do when there is no sample */
};

/* By enum source_id. */
extern const struct source sources[SOURCE_COUNT];
/* NULL: there is none by that name. */
const struct source *source_find(const char *name);

#endif
