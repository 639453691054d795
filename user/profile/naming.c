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
	/* The symbolizer's texts.  The number of each is the profile's id of that text + 1;
	 * 0: not looked up yet. */
	struct intern *texts;
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

/* Replace the symbolizer's text id by the profile's.  add: a new text is added to the
 * profile.  False if the profile does not have the text and add is false. */
static bool take_text(struct entrance *e, u32 *id, bool add)
{
	u64 *known = intern_numbers(e->texts, *id);
	struct intern_key key = { 0 };
	u32 found;

	if (!*known) {
		key.head = intern_get(e->texts, *id, &key.head_len);
		found = intern_id(e->recorder->profile->texts, &key, add);
		if (found == INTERN_NONE)
			return false;
		*known = found + 1ull;
	}
	*id = *known - 1;
	return true;
}

static bool take_frame(struct entrance *e, struct frame f, u32 *id, bool add)
{
	u32 *const text[] = { &f.module, &f.space, &f.name, &f.file,
			      &f.expression };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (*text[i] && !take_text(e, text[i], add))
			return false;
	*id = profile_add_frame(e->recorder->profile, &f, add);
	return *id != INTERN_NONE;
}

static bool take_stack(struct entrance *e, const char *command,
		       const struct stack *stack,
		       const struct fold_frame *frame, size_t n, bool add)
{
	struct profile_key key = {
		.command = intern_text(e->texts, command),
		.pid = stack->key->pid,
		.tid = stack->key->tid,
	};

	e->frame = xgrow(e->frame, n, &e->capacity, sizeof(*e->frame));
	for (size_t i = 0; i < n; i++)
		if (!take_frame(e, frame[i].frame, &e->frame[i], add))
			return false;
	return take_text(e, &key.command, add) &&
	       profile_add(e->recorder->profile, &key, e->frame, n, &stack->sum,
			   add);
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
