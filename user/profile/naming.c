/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names the raw stacks of stacks.h by a symbolizer (user/symbolize) and adds them to
 * the profile.
 *
 * A symbolizer lives for one naming only.  What it has read of files would otherwise
 * stay in memory, and the files open, for as long as sampling goes on.  Its texts are
 * freed with it; the profile copies the texts of the stacks that it has room for.
 */
#include "user/profile/naming.h"

#include <stdlib.h>

#include <jpbpf/status.h>

#include "user/profile/profile.h"
#include "user/profile/recorder.h"
#include "user/profile/stacks.h"
#include "user/profile/texts.h"
#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/files/modules.h"
#include "user/symbolize/symbolize.h"

#define NO_ROOM "no room for so many stacks (see --max-memory)"
/* The command of stacks whose own command had no room; longer than any command. */
#define OTHERS "other command names"
/* Keys (struct profile_key) added after the profile is full. */
#define MAX_REFUSING 1024

/* A stack on its way into the profile. */
struct entrance {
	struct recorder *recorder;
	struct symbolizer *symbolizer;
	struct intern *texts; /* the symbolizer's */
	u32 *frame;
	size_t capacity;
};

static const struct module *find_module(void *ctx, u32 file)
{
	const struct recorder *r = ctx;

	return modules_get(r->config.modules, file);
}

static const char *find_text(void *ctx, u64 id)
{
	const struct recorder *r = ctx;

	return texts_find(r->texts, id);
}

static bool take_stack(struct entrance *e, const char *command,
		       const struct stack *stack,
		       const struct fold_frame *frame, size_t n, bool add)
{
	struct profile_task task = {
		.comm = intern_text(e->texts, command),
		.pid = stack->key->pid,
		.tid = stack->key->tid,
	};
	struct profile *p = e->recorder->profile;
	struct profile_key key = { .event = stack->key->event };

	e->frame = xgrow(e->frame, n, &e->capacity, sizeof(*e->frame));
	for (size_t i = 0; i < n; i++) {
		e->frame[i] =
			profile_take_frame(p, e->texts, frame[i].frame, add);
		if (e->frame[i] == PROFILE_NONE)
			return false;
	}
	if (!profile_take_text(p, e->texts, &task.comm, add))
		return false;
	key.task = profile_add_task(p, &task, add);
	return key.task != PROFILE_NONE &&
	       profile_add(p, &key, e->frame, n, &stack->sum, add) !=
		       PROFILE_NONE;
}

/* Count a stack that has no room under its key and one frame that says so.  Targets
 * choose their command names, so the number of such keys is limited; beyond the limit
 * the key is OTHERS. */
static void refuse(struct entrance *e, const struct stack *stack)
{
	const struct fold_frame no_room = {
		.frame = { .type = FRAME_IS_MARKER,
			   .flags = FRAME_CUT,
			   .name = intern_text(e->texts, NO_ROOM) },
	};
	const struct stack_key nobody = { 0 };
	struct stack other = *stack;

	e->recorder->status[HOST_STACKS] += stack->sum.weight;
	if (take_stack(e, stack->key->comm, stack, &no_room, 1, false))
		return;
	if (e->recorder->refusing++ < MAX_REFUSING) {
		take_stack(e, stack->key->comm, stack, &no_room, 1, true);
		return;
	}
	other.key = &nobody;
	take_stack(e, OTHERS, &other, &no_room, 1, true);
}

/* At the limit only stacks that the profile already has count. */
static bool has_room(const struct recorder *r)
{
	return profile_bytes(r->profile) + intern_bytes(r->texts) <
		       r->config.max_bytes &&
	       heap_fits(HEAP_STACKS, 0);
}

static void add(struct entrance *e, const struct stack *stack)
{
	const struct fold_frame *frame = NULL;
	bool fits = symbolizer_expect(e->symbolizer, stack->word, stack->words);
	size_t n = 0;

	if (fits)
		n = symbolizer_stack(e->symbolizer, stack->word, stack->words,
				     stack->key->status == WALK_ROOT, &frame);
	if (!fits || !take_stack(e, stack->key->comm, stack, frame, n,
				 has_room(e->recorder)))
		refuse(e, stack);
}

void naming_add(struct recorder *r)
{
	const struct symbolizer_config config = {
		.module = find_module,
		.texts = { .find = find_text, .ctx = r },
		.ctx = r,
		.view = r->config.view,
	};
	struct symbolizer *s = symbolizer_new(&config);
	struct entrance e = {
		.recorder = r,
		.symbolizer = s,
		.texts = symbolizer_texts(s),
	};

	for (u32 i = 0; i < intern_count(r->stacks); i++) {
		struct stack stack = stacks_get(r->stacks, i);

		symbolizer_expect(s, stack.word, stack.words);
	}
	for (u32 i = 0; i < intern_count(r->stacks); i++) {
		struct stack stack = stacks_get(r->stacks, i);

		add(&e, &stack);
	}
	symbolizer_free(s);
	free(e.frame);
}
