/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Hostile records in a recording whose check sums are right: every id that is handed out
 * leads to something, and every stack ends. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/recording/replay.h"
#include "user/recording/replay_record.h"
#include "walkers/walker.h"

static size_t follow(const struct replay *r, u32 id)
{
	return strlen(replay_text(r, id));
}

static size_t follow_address(const struct replay *r, u32 frame)
{
	const struct recording_address *a = &r->address.at[frame - 1];
	const struct recording_function *f;
	size_t sum = follow(r, a->file);

	if (!a->function)
		return 0;
	f = &r->function.at[a->function - 1];
	FUZZ_ASSERT(f->module <= r->module.n && f->walker <= WALKER_COUNT);
	sum += follow(r, f->name) + follow(r, f->script);
	for (size_t i = 0; i < a->inlines; i++) {
		const struct recording_inlined *in =
			&r->inlined.at[a->first + i];

		FUZZ_ASSERT(a->first + i < r->inlined.n);
		sum += follow(r, in->name) + follow(r, in->file);
	}
	return sum;
}

static void on_sample(void *ctx, const struct recording_sample *s)
{
	const struct replay *r = ctx;
	u32 depth = 0, id = s->stack;

	FUZZ_ASSERT(s->task && s->task <= r->task.n);
	FUZZ_ASSERT(s->event && s->event <= r->event.n);
	follow(r, r->task.at[s->task - 1].comm);
	follow(r, r->event.at[s->event - 1].unit);
	for (; id; id = r->stack.at[id - 1].outer) {
		u32 frame = r->stack.at[id - 1].frame;
		const struct frame *f = &r->frame.at[frame - 1];

		FUZZ_ASSERT(depth++ < REPLAY_DEPTH_MAX);
		FUZZ_ASSERT(f->walker < WALKER_COUNT);
		FUZZ_ASSERT(f->module <= r->module.n);
		follow(r, f->name);
		follow(r, f->expression);
		if (depth < 100)
			follow_address(r, frame);
	}
}

static void on_note(void *ctx, enum recording_kind kind,
		    const struct recording_note *n)
{
	(void)kind;
	follow(ctx, n->text);
}

static void on_calls(void *ctx, const struct recording_calls *c)
{
	follow(ctx, c->language);
	follow(ctx, c->name);
	follow(ctx, c->id);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct replay r = { .path = "input" };
	const struct replay_sink sink = { on_sample, on_note, on_calls, NULL,
					  &r };

	replay_block(&r, &sink, data, size);
	replay_close(&r);
	return 0;
}
