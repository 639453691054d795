/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples are counted by their stack, task and event first.  The frames of a stack are
 * looked at when all that is said of them has been read: at the end or a Forget.
 */
#include "user/profile/load.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/intern.h"
#include "user/lib/log.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/profile/choice.h"
#include "user/profile/known.h"
#include "user/profile/later.h"
#include "user/profile/profile.h"
#include "user/profile/tally.h"
#include "user/recording/replay.h"
#include "user/symbolize/addresses.h"
#include "walkers/walker.h"

/* The stack on its way.  The next one mostly has the same outer frames. */
struct stack {
	u32 *node; /* the recording's ids of the stack and its outer ones */
	u32 *id;   /* of the frames */
	struct frame *raw;
	size_t depth, capacity;
};

/* What is shown of a stack, and the profile's ids of that. */
struct shown {
	u32 stack; /* its id + 1; 0: of none */
	struct frame *frame;
	u32 *id;
	size_t n, capacity;
};

struct load {
	struct load_config config;
	struct profile *profile;
	struct replay replay;
	struct choice choice;
	struct tally tally;
	u32 *task; /* the profile's ids + 1, by the recording's; 0: not yet */
	size_t tasks;
	size_t first;	/* of the profile's samples whose stacks are counts */
	size_t counted; /* the first whose stack is not known yet */
	struct intern *texts; /* of the frames on their way */
	struct view view;
	struct known known;
	struct stack stack;
	struct shown shown;
};

/* A time of the recording in the profile's, which is the first recording's. */
static u64 time_of(const struct load *l, u64 time)
{
	const struct profile *p = l->profile;
	const struct replay *r = &l->replay;

	return p->start ? time - r->monotonic + r->realtime - p->start_real +
				  p->start
			: time;
}

static u32 add_task(struct profile *p, const struct replay *r, unsigned by,
		    const struct recording_task *t)
{
	struct profile_task task = {
		.comm = profile_add_text(p, replay_text(r, t->comm)),
		.tid = by & PROFILE_BY_TID ? t->tid : 0,
	};

	if (by & PROFILE_BY_PID) {
		task.pid = t->pid;
		task.program = profile_add_text(p, replay_text(r, t->program));
	}
	return profile_add_task(p, &task);
}

/* The profile's id of a task. */
static u32 find_task(struct load *l, u32 id)
{
	const struct replay *r = &l->replay;

	if (id > l->tasks) {
		l->task = xreallocarray(l->task, r->task.n, sizeof(*l->task));
		memset(l->task + l->tasks, 0,
		       (r->task.n - l->tasks) * sizeof(*l->task));
		l->tasks = r->task.n;
	}
	if (!l->task[id - 1])
		l->task[id - 1] = 1 + add_task(l->profile, r, l->config.by,
					       &r->task.at[id - 1]);
	return l->task[id - 1] - 1;
}

static void on_counted(void *ctx, u32 id)
{
	struct load *l = ctx;

	if (l->config.by & PROFILE_TIMES)
		l->profile->sample[l->counted++].stack = id;
}

static void on_sample(void *ctx, const struct recording_sample *s)
{
	struct load *l = ctx;
	struct tally_key key = { .stack = s->stack, .event = s->event };
	const struct profile_sum sum = { s->weight, s->value };
	struct profile_sample one = { time_of(l, s->time), s->weight, s->value,
				      0, s->cpu };

	if (!choice_takes(&l->choice, s))
		return;
	key.task = find_task(l, s->task);
	if (l->config.by & PROFILE_TIMES)
		profile_add_sample(l->profile, &one);
	tally_add(&l->tally, &key, &sum);
}

static void on_note(void *ctx, enum recording_kind kind,
		    const struct recording_note *n)
{
	struct load *l = ctx;
	const struct profile_note note = {
		time_of(l, n->time),
		intern_text(l->profile->texts,
			    replay_text(&l->replay, n->text)),
		n->count,
	};

	if (kind == RECORDING_MARK)
		choice_mark(&l->choice, n);
	profile_add_note(kind == RECORDING_MARK ? &l->profile->marks
						: &l->profile->losses,
			 &note);
}

/* The text, which stays as long as the profile. */
static const char *keep(struct load *l, u32 text)
{
	struct intern *texts = l->profile->texts;

	return intern_get(
		texts, intern_text(texts, replay_text(&l->replay, text)), NULL);
}

static void on_calls(void *ctx, const struct recording_calls *c)
{
	struct load *l = ctx;
	struct profile *p = l->profile;

	p->call = xgrow(p->call, p->calls, &p->call_capacity, sizeof(*p->call));
	p->call[p->calls++] =
		(struct call_counts){ keep(l, c->language), keep(l, c->name),
				      keep(l, c->id), c->sums };
}

static const struct address *find_address(void *ctx, const struct frame *raw)
{
	struct load *l = ctx;

	return &known_get(&l->known, l->stack.id[raw - l->stack.raw])->address;
}

static void expand(struct load *l, u32 stack)
{
	const struct replay *r = &l->replay;
	struct stack *s = &l->stack;
	u32 depth = stack ? r->depth.at[stack - 1] : 0, had = s->depth;

	if (depth > s->capacity) {
		s->capacity = depth;
		s->node = xreallocarray(s->node, depth, sizeof(*s->node));
		s->id = xreallocarray(s->id, depth, sizeof(*s->id));
		s->raw = xreallocarray(s->raw, depth, sizeof(*s->raw));
	}
	s->depth = depth;
	for (u32 i = depth; i-- > 0 && (i >= had || s->node[i] != stack);) {
		s->node[i] = stack;
		s->id[i] = r->stack.at[stack - 1].frame;
		s->raw[i] = known_get(&l->known, s->id[i])->raw;
		stack = r->stack.at[stack - 1].outer;
	}
}

static void show(struct load *l, u32 stack)
{
	const struct frame *raw;
	const struct fold_frame *frame;
	struct shown *s = &l->shown;
	size_t n, had = s->n;
	bool root;

	expand(l, stack);
	raw = l->stack.raw;
	root = !l->stack.depth || raw->type != FRAME_IS_MARKER ||
	       !(raw->flags & FRAME_CUT);
	n = view_stack(&l->view, raw, l->stack.depth, root, &frame);
	if (n > s->capacity) {
		s->capacity = n;
		s->frame = xreallocarray(s->frame, n, sizeof(*s->frame));
		s->id = xreallocarray(s->id, n, sizeof(*s->id));
	}
	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &frame[i].frame;

		if (i < had && !memcmp(&s->frame[i], f, sizeof(*f)))
			continue;
		s->frame[i] = *f;
		s->id[i] = profile_take_frame(l->profile, l->texts, *f);
	}
	s->n = n;
	s->stack = stack + 1;
}

/* Returns the stack's id in the profile. */
static u32 add_stack(struct load *l, const struct tally_count *c)
{
	const struct recording_event *e = &l->replay.event.at[c->of.event - 1];
	const struct profile_key key = {
		.task = c->of.task,
		.event = profile_add_event(
			l->profile, replay_text(&l->replay, e->name),
			replay_text(&l->replay, e->unit), e->interval),
	};

	if (l->shown.stack != c->of.stack + 1)
		show(l, c->of.stack);
	return profile_add(l->profile, &key, l->shown.id, l->shown.n, &c->sum);
}

static void on_forget(void *ctx)
{
	struct load *l = ctx;
	_cleanup_free_ u32 *order = NULL, *stack = NULL;

	later_name(&l->replay, l->config.symbols);
	tally_finish(&l->tally);
	order = tally_order(&l->tally, l->replay.stack.n + 1);
	stack = xcalloc(l->tally.n, sizeof(*stack));
	for (size_t i = 0; i < l->tally.n; i++)
		stack[order[i]] = add_stack(l, &l->tally.count[order[i]]);
	for (; l->first < l->profile->samples; l->first++)
		l->profile->sample[l->first].stack =
			stack[l->profile->sample[l->first].stack];
	l->tasks = 0;
	choice_forget(&l->choice);
	known_forget(&l->known);
	l->stack.depth = l->shown.stack = 0;
	tally_reset(&l->tally);
}

static void take_head(struct load *l)
{
	struct profile *p = l->profile;
	const struct replay *r = &l->replay;
	u32 *const text_of[] = { NULL, &p->host, &p->kernel, &p->options };

	for (int i = 1; i < 4; i++)
		if (!*text_of[i] && r->head[i])
			*text_of[i] = intern_text(p->texts, r->head[i]);
	if (!p->start) {
		p->start = r->monotonic;
		p->start_real = r->realtime;
	}
	if (r->has_summary && r->summary.end > p->end)
		p->end = r->summary.end;
}

int load_recording(struct profile *p, const char *path,
		   const struct load_config *config)
{
	struct load l = {
		.config = *config,
		.profile = p,
		.first = p->samples,
		.counted = p->samples,
		.tally = { .counted = on_counted, .ctx = &l },
		.texts = intern_new_texts(),
		.choice = { .config = config, .replay = &l.replay },
		.view = { .options = config->view,
			  .find = find_address,
			  .ctx = &l },
	};
	const struct replay_sink sink = { on_sample, on_note, on_calls,
					  on_forget, &l };
	int err = replay_open(&l.replay, path);

	l.view.texts = l.texts;
	l.known = (struct known){
		.replay = &l.replay,
		.texts = l.texts,
		.options = &l.config.view,
	};
	if (!err)
		err = replay_run(&l.replay, &sink);
	if (!err) {
		replay_tell(&l.replay);
		take_head(&l);
		profile_sort_samples(p);
		if (config->phase && !l.choice.found)
			log_warn("%s has no mark '%s'", path, config->phase);
	}
	choice_release(&l.choice);
	replay_close(&l.replay);
	free(l.view.frame);
	tally_reset(&l.tally);
	intern_free(l.texts);
	known_forget(&l.known);
	free(l.task);
	free(l.stack.node);
	free(l.stack.id);
	free(l.stack.raw);
	free(l.shown.frame);
	free(l.shown.id);
	return err;
}
