/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples are counted by their stack, task and event first.  The frames of a stack are
 * looked at when all that is said of them has been read: at the end or a Forget.
 */
#include "user/profile/load.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "user/lib/intern.h"
#include "user/lib/log.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/profile/choice.h"
#include "user/profile/later.h"
#include "user/profile/profile.h"
#include "user/profile/tally.h"
#include "user/recording/replay.h"
#include "user/symbolize/addresses.h"
#include "walkers/walker.h"

/* A frame of the recording, and what is known of it, once it was asked for. */
struct known {
	bool is;
	struct frame raw; /* its texts are in load.texts */
	struct address address;
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
	struct known *known; /* by frame id - 1 */
	struct frame *raw;   /* of a stack, and their ids */
	u32 *id;
	u32 *shown; /* the profile's ids */
	size_t capacity;
	struct buf scratch;
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
		.comm = intern_text(p->texts, replay_text(r, t->comm)),
		.tid = by & PROFILE_BY_TID ? t->tid : 0,
	};

	if (by & PROFILE_BY_PID) {
		task.pid = t->pid;
		task.program =
			intern_text(p->texts, replay_text(r, t->program));
	}
	return profile_add_task(p, &task, true);
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

/* The id of a text of the recording in l->texts. */
static u32 text(struct load *l, u32 id)
{
	return intern_text(l->texts, replay_text(&l->replay, id));
}

/* Name, build-id and path, each ended by a NUL (struct frame). */
static u32 module_text(struct load *l, u32 id)
{
	const struct replay *r = &l->replay;
	const struct recording_module *m = id ? &r->module.at[id - 1] : NULL;

	if (!m)
		return 0;
	buf_reset(&l->scratch);
	buf_adds(&l->scratch, replay_text(r, m->name));
	buf_addc(&l->scratch, '\0');
	buf_adds(&l->scratch, replay_text(r, m->build_id));
	buf_addc(&l->scratch, '\0');
	buf_adds(&l->scratch, replay_text(r, m->path));
	return intern_id(l->texts,
			 &(struct intern_key){ l->scratch.data, l->scratch.len,
					       NULL, 0 },
			 true);
}

static u32 address_text(struct load *l, u64 address)
{
	buf_reset(&l->scratch);
	buf_addf(&l->scratch, "0x%llx", address);
	return intern_text(l->texts, buf_text(&l->scratch));
}

static void set_function(struct load *l, const struct recording_function *f,
			 struct address *a)
{
	const char *names = replay_text(&l->replay, f->script);
	struct fold_frame *out = &a->frame;

	out->frame.address = f->start;
	out->start = f->start && f->module
			     ? frame_native(f->module - 1, f->start)
			     : 0;
	out->flags = (f->role & RECORDING_MAIN ? FOLD_MAIN : 0) |
		     (f->role & RECORDING_START_UP ? FOLD_START_UP : 0) |
		     (f->role & RECORDING_LIBC ? FOLD_BARE_LIBC : 0);
	if (f->name) {
		out->frame.name = text(l, f->name);
		out->frame.flags = 0;
	} else if (f->start && !l->config.view.addresses) {
		out->frame.name = address_text(l, f->start);
	}
	if (!f->walker)
		return;
	out->frame.walker = f->walker - 1;
	out->walker = walkers[f->walker - 1];
	out->title = intern_text(l->texts, out->walker->title);
	if (!*names)
		return;
	out->script = intern_get(l->texts, text(l, f->script), NULL);
	out->label = addresses_label(l->texts, names);
}

static void set_inlined(struct load *l, const struct recording_address *from,
			struct address *a)
{
	a->inlined = xcalloc(from->inlines, sizeof(*a->inlined));
	a->inlines = from->inlines;
	for (size_t i = 0; i < from->inlines; i++) {
		const struct recording_inlined *in =
			&l->replay.inlined.at[from->first + i];
		struct fold_frame *f = &a->inlined[i];

		*f = a->frame;
		f->walker = NULL;
		f->flags &= FOLD_START_UP;
		f->frame.type = FRAME_IS_INLINED;
		f->frame.flags = 0;
		f->frame.name = text(l, in->name);
		if (l->config.view.lines) {
			f->frame.file = text(l, in->file);
			f->frame.line = in->line;
		}
	}
}

/* What the recording says of a native or kernel frame. */
static void set_address(struct load *l, u32 frame, const struct frame *raw,
			struct address *a)
{
	const struct replay *r = &l->replay;
	const struct recording_address *from = &r->address.at[frame - 1];

	a->frame.frame = (struct frame){ .type = raw->type };
	if (raw->type == FRAME_IS_C && raw->module) {
		a->frame.frame.module = module_text(l, raw->module);
		a->frame.frame.name = address_text(l, raw->address);
		a->frame.frame.flags = FRAME_ADDRESS;
	}
	if (!from->function)
		return;
	if (from->code) {
		a->frame.frame.type = FRAME_IS_JIT;
		a->frame.frame.name = 0;
		a->frame.frame.flags = 0;
	}
	set_function(l, &r->function.at[from->function - 1], a);
	if (l->config.view.lines) {
		a->frame.frame.file = text(l, from->file);
		a->frame.frame.line = from->line;
	}
	set_inlined(l, from, a);
}

static const struct known *find_known(struct load *l, u32 frame)
{
	struct known *k = &l->known[frame - 1];
	u32 *const ids[] = { &k->raw.space, &k->raw.name, &k->raw.file,
			     &k->raw.expression, &k->raw.called };

	if (k->is)
		return k;
	k->is = true;
	k->raw = l->replay.frame.at[frame - 1];
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		*ids[i] = text(l, *ids[i]);
	if (k->raw.type != FRAME_IS_SCRIPT && k->raw.type != FRAME_IS_MARKER)
		set_address(l, frame, &k->raw, &k->address);
	return k;
}

static const struct address *find_address(void *ctx, const struct frame *raw)
{
	struct load *l = ctx;

	return &l->known[l->id[raw - l->raw] - 1].address;
}

/* Fill l->raw and l->id.  Returns the number of frames. */
static u32 expand(struct load *l, u32 stack)
{
	const struct replay *r = &l->replay;
	u32 depth = stack ? r->depth.at[stack - 1] : 0;

	if (depth > l->capacity) {
		l->capacity = depth;
		l->raw = xreallocarray(l->raw, depth, sizeof(*l->raw));
		l->id = xreallocarray(l->id, depth, sizeof(*l->id));
	}
	for (u32 i = depth; i > 0; i--) {
		l->id[i - 1] = r->stack.at[stack - 1].frame;
		l->raw[i - 1] = find_known(l, l->id[i - 1])->raw;
		stack = r->stack.at[stack - 1].outer;
	}
	return depth;
}

/* Returns the stack's id in the profile. */
static u32 add_stack(struct load *l, const struct tally_count *c)
{
	const struct recording_event *e = &l->replay.event.at[c->of.event - 1];
	struct profile *p = l->profile;
	struct profile_key key = {
		.task = c->of.task,
		.event = profile_add_event(p, replay_text(&l->replay, e->name),
					   replay_text(&l->replay, e->unit),
					   e->interval),
	};
	u32 depth = expand(l, c->of.stack);
	bool root = !depth || l->raw->type != FRAME_IS_MARKER ||
		    !(l->raw->flags & FRAME_CUT);
	const struct fold_frame *frame;
	size_t n = view_stack(&l->view, l->raw, depth, root, &frame);

	l->shown = xreallocarray(l->shown, n, sizeof(*l->shown));
	for (size_t i = 0; i < n; i++)
		l->shown[i] =
			profile_take_frame(p, l->texts, frame[i].frame, true);
	return profile_add(p, &key, l->shown, n, &c->sum, true);
}

static void on_forget(void *ctx)
{
	struct load *l = ctx;
	size_t frames = l->replay.frame.n;
	_cleanup_free_ u32 *stack = NULL;

	later_name(&l->replay, l->config.symbols);
	tally_finish(&l->tally);
	stack = xcalloc(l->tally.n + 1, sizeof(*stack));
	l->known = xcalloc(frames, sizeof(*l->known));
	for (size_t i = 0; i < l->tally.n; i++)
		stack[i] = add_stack(l, &l->tally.count[i]);
	for (; l->first < l->profile->samples; l->first++)
		l->profile->sample[l->first].stack =
			stack[l->profile->sample[l->first].stack];
	l->tasks = 0;
	choice_forget(&l->choice);
	for (size_t i = 0; i < frames; i++)
		free(l->known[i].address.inlined);
	free(l->known);
	l->known = NULL;
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
	const struct replay_sink sink = { on_sample, on_note, on_forget, &l };
	int err = replay_open(&l.replay, path);

	l.view.texts = l.texts;
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
	view_release(&l.view);
	tally_reset(&l.tally);
	intern_free(l.texts);
	buf_release(&l.scratch);
	free(l.task);
	free(l.raw);
	free(l.id);
	free(l.shown);
	return err;
}
