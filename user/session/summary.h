/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The closing summary on standard error: what was taken, kept, lost and why. */
#ifndef JPBPF_USER_SESSION_SUMMARY_H
#define JPBPF_USER_SESSION_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct arena;
struct engine;
struct modules;
struct recorder;
struct source;
struct tracker_sum;

struct summary_input {
	const struct source *source;
	const struct engine *engine;
	struct recorder *recorder;
	const struct modules *modules;
	const struct arena *arena;
	const struct tracker_sum *tracker;
	u64 started; /* ns, CLOCK_MONOTONIC: when the program was started */
	u64 map_records_lost;
	bool full; /* --stats */
};

void summary_print(const struct summary_input *in);

#endif
