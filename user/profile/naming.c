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
#include <string.h>

#include <jpbpf/status.h>

#include "user/profile/profile.h"
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
	struct naming *naming;
	struct profile *profile;
	struct intern *texts; /* the symbolizer's texts */
	/* By the symbolizer's id: the profile's id of that text + 1; 0: not looked up
	 * yet. */
	u32 *text;
	size_t texts_capacity;
	u32 *frame;
	size_t capacity;
	u64 refused;
};

static const struct module *find_module(void *ctx, u32 file)
{
	const struct naming *n = ctx;

	return modules_get(n->modules, file);
}

static const char *find_text(void *ctx, u64 id)
{
	const struct naming *n = ctx;

	return texts_find(n->texts, id);
}

/* Replace the symbolizer's text id by the profile's.  add: a new text is added to the
 * profile.  False if the profile does not have the text and add is false. */
static bool take_text(struct entrance *e, u32 *id, bool add)
{
	size_t known = e->texts_capacity;
	struct intern_key key = { 0 };
	u32 found;

	e->text = xgrow(e->text, *id, &e->texts_capacity, sizeof(*e->text));
	if (e->texts_capacity > known)
		memset(e->text + known, 0,
		       (e->texts_capacity - known) * sizeof(*e->text));
	if (!e->text[*id]) {
		key.head = intern_get(e->texts, *id, &key.head_len);
		found = intern_id(e->profile->texts, &key, add);
		if (found == INTERN_NONE)
			return false;
		e->text[*id] = found + 1;
	}
	*id = e->text[*id] - 1;
	return true;
}

static bool take_frame(struct entrance *e, struct frame f, u32 *id, bool add)
{
	u32 *const text[] = { &f.module, &f.space, &f.name, &f.file,
			      &f.expression };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (*text[i] && !take_text(e, text[i], add))
			return false;
	*id = profile_add_frame(e->profile, &f, add);
	return *id != INTERN_NONE;
}

static bool take_stack(struct entrance *e, const char *command,
		       const struct stack *stack, const struct frame *frame,
		       size_t n, bool add)
{
	struct profile_key key = {
		.command = intern_text(e->texts, command),
		.pid = stack->key->pid,
		.tid = stack->key->tid,
	};

	e->frame = xgrow(e->frame, n, &e->capacity, sizeof(*e->frame));
	for (size_t i = 0; i < n; i++)
		if (!take_frame(e, frame[i], &e->frame[i], add))
			return false;
	return take_text(e, &key.command, add) &&
	       profile_add(e->profile, &key, e->frame, n, &stack->sum, add);
}

/* Count a stack that has no room under its key and one frame that says so.  Targets
 * choose their command names, so the number of such keys is limited; beyond the limit
 * the key is OTHERS. */
static void refuse(struct entrance *e, const struct stack *stack)
{
	const struct frame no_room = {
		.type = FRAME_IS_MARKER,
		.flags = FRAME_CUT,
		.name = intern_text(e->texts, NO_ROOM),
	};
	const struct stack_key nobody = { 0 };
	struct stack other = *stack;

	e->refused += stack->sum.weight;
	if (take_stack(e, stack->key->comm, stack, &no_room, 1, false))
		return;
	if (e->naming->refusing++ < MAX_REFUSING) {
		take_stack(e, stack->key->comm, stack, &no_room, 1, true);
		return;
	}
	other.key = &nobody;
	take_stack(e, OTHERS, &other, &no_room, 1, true);
}

static void add(struct entrance *e, struct symbolizer *s,
		const struct stack *stack)
{
	size_t room = e->naming->max_bytes, n = 0;
	const struct frame *frame = NULL;
	bool fits = symbolizer_expect(s, stack->word, stack->words);

	if (fits)
		n = symbolizer_stack(s, stack->word, stack->words,
				     stack->key->status == WALK_ROOT, &frame);
	if (!fits || !take_stack(e, stack->key->comm, stack, frame, n,
				 profile_bytes(e->profile) < room &&
					 heap_fits(HEAP_STACKS, 0)))
		refuse(e, stack);
}

u64 naming_add(struct naming *n, struct intern *stacks, struct profile *p)
{
	struct symbolizer_config config = {
		.module = find_module,
		.texts = { .find = find_text, .ctx = n },
		.ctx = n,
		.view = n->view,
	};
	struct symbolizer *s = symbolizer_new(&config);
	struct entrance e = {
		.naming = n,
		.profile = p,
		.texts = symbolizer_texts(s),
	};

	for (u32 i = 0; i < intern_count(stacks); i++) {
		struct stack stack = stacks_get(stacks, i);

		symbolizer_expect(s, stack.word, stack.words);
	}
	for (u32 i = 0; i < intern_count(stacks); i++) {
		struct stack stack = stacks_get(stacks, i);

		add(&e, s, &stack);
	}
	symbolizer_free(s);
	free(e.text);
	free(e.frame);
	return e.refused;
}
