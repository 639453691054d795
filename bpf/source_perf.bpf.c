/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source for perf events: the clock, a hardware counter, or a software event of the
 * kernel.  User space has set the event and its level in config.
 */
#include "bpf/sample.bpf.h"

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	struct event e = {
		.regs = &ctx->regs,
		.stack = ctx,
		.source = config.source,
		.level = config.level,
		.value = ctx->sample_period,
	};

	return sample_take(&e);
}

char _license[] SEC("license") = "Dual BSD/GPL";
