/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A symbolizer lives for one naming: what it has read of files would otherwise be held
 * for as long as sampling goes on, and would keep these files from being closed.
 */
#include "user/profile/naming.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/status.h>

#include "user/profile/profile.h"
#include "user/profile/stacks.h"
#include "user/profile/texts.h"
#include "user/lib/mem.h"
#include "user/files/modules.h"
#include "user/symbolize/symbolize.h"

#define NO_ROOM	     "[cut: no room for so many stacks (see --max-profile)]"
#define OTHERS	     "[other]" /* commands */
#define MAX_REFUSING 1024      /* commands that are told apart all the same */

/* A stack on its way into the profile. */
struct entrance {
	struct naming *naming;
	struct profile *profile;
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

static u32 string(const struct entrance *e, const struct stack_name *n,
		  bool anew)
{
	return anew ? profile_name(e->profile, n->text, n->before, n->behind)
		    : profile_find_name(e->profile, n->text, n->before,
					n->behind);
}

/* The ids of all its strings. false: some have none. */
static bool fill(struct entrance *e, const char *comm,
		 const struct stack_name *name, size_t n, bool anew)
{
	const struct stack_name command = { .text = comm };

	e->frame = xgrow(e->frame, n + 1, &e->capacity, sizeof(*e->frame));
	e->frame[0] = string(e, &command, anew);
	for (size_t i = 0; i < n; i++)
		e->frame[i + 1] = string(e, &name[i], anew);
	for (size_t i = 0; i <= n; i++)
		if (e->frame[i] == PROFILE_NO_STRING)
			return false;
	return true;
}

/* Names are chosen by targets: of commands there can be too many as well. */
static void refuse(struct entrance *e, const struct stack *stack)
{
	static const struct stack_name no_room = { .text = NO_ROOM };

	e->refused += stack->count;
	if (fill(e, stack->comm, &no_room, 1, false) &&
	    profile_add_known(e->profile, e->frame, 2, stack->count))
		return;
	fill(e, e->naming->refusing < MAX_REFUSING ? stack->comm : OTHERS,
	     &no_room, 1, true);
	profile_add(e->profile, e->frame, 2, stack->count);
	e->naming->refusing++;
}

static void add(struct entrance *e, struct symbolizer *s,
		const struct stack *stack)
{
	const struct stack_name *name;
	size_t n = symbolizer_stack(s, stack->word, stack->words,
				    stack->status == WALK_ROOT, &name);
	bool anew = profile_bytes(e->profile) < e->naming->max_bytes;

	for (size_t i = 0; i < n; i++)
		if (name[i].module)
			unnamed_count(&e->naming->unnamed, name[i].module,
				      name[i].nameless, stack->count);
	if (!fill(e, stack->comm, name, n, anew))
		refuse(e, stack);
	else if (anew)
		profile_add(e->profile, e->frame, n + 1, stack->count);
	else if (!profile_add_known(e->profile, e->frame, n + 1, stack->count))
		refuse(e, stack);
}

u64 naming_add(struct naming *n, const struct stacks *stacks, struct profile *p)
{
	struct symbolizer_config config = {
		.module = find_module,
		.texts = { .find = find_text, .ctx = n },
		.ctx = n,
		.view = n->view,
	};
	struct entrance e = { .naming = n, .profile = p };
	struct symbolizer *s = symbolizer_new(&config);

	for (size_t i = 0; i < stacks_count(stacks); i++) {
		struct stack stack = stacks_get(stacks, i);

		add(&e, s, &stack);
	}
	symbolizer_free(s);
	free(e.frame);
	return e.refused;
}
