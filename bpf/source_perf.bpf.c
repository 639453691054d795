/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source for perf events: the clock, a hardware counter, or a software event of the
 * kernel.  User space has set the event and its level in config.
 * Of several, each event has its own in its cookie.
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

	if (config.level == SOURCE_LEVELS) {
		u64 cookie = bpf_get_attach_cookie(ctx);

		e.source = (u8)cookie;
		e.level = (u8)(cookie >> 8);
		e.account = cookie >> 16;
	}
	return sample_take(&e);
}

char _license[] SEC("license") = "Dual BSD/GPL";
