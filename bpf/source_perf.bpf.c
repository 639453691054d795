/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A perf event: the clock, a counter of the processor, or something that the kernel
 * counts.  Which one, and at what level it comes, user space has set.
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
