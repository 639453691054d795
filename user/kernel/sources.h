/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The sources of samples, from jpbpf/sources.def. */
#ifndef JPBPF_USER_KERNEL_SOURCES_H
#define JPBPF_USER_KERNEL_SOURCES_H

#include <stdbool.h>

#include <jpbpf/source.h>
#include <jpbpf/types.h>

struct source {
	const char *name, *help;
	enum source_level level;
	u32 type; /* of perf_event_open(2), like event */
	u64 event;
	bool each;	  /* each event is a sample; else a rate (Hz) */
	const char *unit; /* of a sample's value */
	const char *none; /* said when there was no sample */
};

/* Indexed by enum source_id. */
extern const struct source sources[SOURCE_COUNT];
/* The source of that name.  NULL: there is none. */
const struct source *source_find(const char *name);

#endif
