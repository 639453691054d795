/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that come before user space has published what their walk needs.
 *
 * They are deferred (defer.bpf.c).  The interpreter's memory is there now and not
 * later, so walkers that wait for addresses write the rest of their frames now.
 */
#ifndef JPBPF_EARLY_BPF_H
#define JPBPF_EARLY_BPF_H

#include "bpf/budget.bpf.h"

/* Context of a loop over the steps of a walk. */
struct step_context {
	struct walk *w;
};

/* One step of the walker that has the mode; none if no walker has it. */
static __always_inline void walkers_step(struct walk *w)
{
	switch (w->mode) {
#define WALKER(id, name, title, traits) \
	case MODE_WALKER + WALKER_##id: \
		name##_step(w);         \
		break;
#include "walkers/walkers.def"
	}
}

static __always_inline bool is_cut(u32 status)
{
	return status == CUT_NOT_READY || status == CUT_NO_MAPPING;
}

/* Whether to defer the sample. */
static __always_inline bool early_is(const struct walk *w)
{
	if (w->process.state != PROCESS_READY || w->status == CUT_NOT_READY)
		return true;
	return w->status == CUT_NO_MAPPING && !w->process.strays;
}

/* One step of the walker that has the mode; the unwinder has no part in it. */
static long step_alone(u32 i, struct step_context *ctx)
{
	struct walk *w = ctx->w;

	if (budget_is_over(w, i))
		return 1;
	if (w->mode < MODE_WALKER)
		return 1;
	walkers_step(w);
	return 0;
}

/*
 * The walk was cut, and its outer part will be walked later.  The interpreter's memory
 * will have changed by then.  So the walkers that wait for an address write all their
 * frames now, as if the next native frame had no end, each frame with its address.
 */
static __always_inline void read_ahead(struct walk *w)
{
	struct step_context loop = { .w = w };

	/* The frame that could not be unwound is dropped: the later walk finds it. */
	if (is_cut(w->status))
		w->words--;
	w->placed = w->words;
	w->cut_cfa = w->cfa;
	if (!is_cut(w->status) || w->wake == WAKE_NEVER)
		return;
	w->keyed = walk_waiting(w);
	w->mode = w->wake_mode;
	w->located = LOCATED_NOT;
	w->cfa = WAKE_NEVER - 1;
	bpf_loop(WALK_MAX_STEPS, step_alone, &loop, 0);
	/* The walk ended before all frames were written: write none of them. */
	if (w->mode == MODE_DONE) {
		w->words = w->placed;
		w->keyed = 0;
	}
}

/* Defers a sample.  Returns 0, or the status under which the deferred sample is lost;
 * then w is as before and can be sent as a plain sample. */
static __always_inline u32 early_defer(struct walk *w)
{
	u32 words = w->words, lost;
	u64 last = w->word[(words - 1) & (WALK_WORDS - 1)];

	read_ahead(w);
	lost = defer(w);
	if (!lost)
		return 0;
	w->word[(words - 1) & (WALK_WORDS - 1)] = last;
	w->words = words;
	w->status = w->sample.status;
	w->sample.type = RECORD_SAMPLE;
	return lost;
}

#endif
