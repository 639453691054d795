/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the rules say of a frame is found once.  Stacks are then made of the answers in one
 * pass.  Names are matched as they are, without the escapes of outputs.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/output/text.h"
#include "user/profile/profile.h"
#include "user/rules/rule.h"
#include "user/rules/rules.h"

#define GROUPS 10

/* What becomes of a frame. */
struct verdict {
	bool is, hide, kept, stop, collapsed;
	u32 id; /* of the new frame */
};

struct apply {
	const struct rules *rules;
	const struct rules_options *options;
	struct profile from; /* as it was */
	struct profile *to;  /* with the same texts */
	struct verdict *of;  /* by frame id */
	u32 *task;	     /* new ids by the old ones */
	u32 *frame;	     /* of a stack */
	const char *join;
	bool merge;
	struct buf name, text;
};

/* The frame's name into a->name. */
static void read_name(struct apply *a, const struct frame *f)
{
	const struct profile *p = &a->from;
	bool is_plain =
		f->type == FRAME_IS_SCRIPT
			? !(f->flags & (FRAME_ANONYMOUS | FRAME_PROMISE))
			: f->type != FRAME_IS_MARKER &&
				  f->type != FRAME_IS_INTERPRETER && f->name &&
				  !(f->flags & FRAME_ADDRESS);

	buf_reset(&a->name);
	if (!is_plain) {
		text_frame(p, f, TEXT_SPACE, &a->name);
		return;
	}
	if (f->space)
		buf_addf(&a->name, "%s%s", profile_text(p, f->space),
			 f->flags & FRAME_UNEXPORTED ? ":::" : "::");
	buf_adds(&a->name, profile_text(p, f->name));
}

/* The package, namespace or file with code. */
static const char *in_of(const struct apply *a, const struct frame *f)
{
	return f->type == FRAME_IS_SCRIPT
		       ? profile_text(a->to, f->space)
		       : profile_module(a->to, f->module, PROFILE_NAME);
}

static bool fits(const struct apply *a, const struct rule *r,
		 const struct frame *f)
{
	const char *text =
		r->verb == RULE_COLLAPSE ? in_of(a, f) : buf_text(&a->name);

	if ((r->kind && r->kind != text_kind(f)) ||
	    !pattern_fits(&r->in, in_of(a, f)))
		return false;
	for (size_t i = 0; i < r->names; i++)
		if (*text && pattern_fits(&r->name[i], text))
			return true;
	return false;
}

static void set_name(struct apply *a, struct frame *f, const char *name)
{
	f->name = intern_text(a->to->texts, name);
	f->space = 0;
	f->flags &= ~(FRAME_QUALIFIED | FRAME_UNEXPORTED | FRAME_ANONYMOUS |
		      FRAME_ADDRESS | FRAME_JOINED);
	f->flags |= FRAME_OURS;
}

/* The words behind the last blanks are the same. */
static bool ends_alike(const char *a, const char *b)
{
	a = strrchr(a, ' ');
	b = strrchr(b, ' ');
	return a && b && !strcmp(a, b);
}

/* \1 in the rule's text is the first group of its expression. */
static void rename_frame(struct apply *a, const struct rule *r, struct frame *f)
{
	const char *name = a->name.data;
	unsigned joined = f->flags & FRAME_JOINED;
	regmatch_t group[GROUPS];

	regexec(r->name->regex, name, GROUPS, group, 0);
	buf_reset(&a->text);
	for (const char *at = r->to; *at; at++) {
		unsigned i = at[0] == '\\' ? at[1] - '0' : GROUPS;

		if (i >= GROUPS) {
			buf_addc(&a->text, *at);
			continue;
		}
		at++;
		if (group[i].rm_so >= 0)
			buf_add(&a->text, name + group[i].rm_so,
				group[i].rm_eo - group[i].rm_so);
	}
	set_name(a, f, buf_text(&a->text));
	if (ends_alike(name, buf_text(&a->text)))
		f->flags |= joined;
}

static void join_frame(struct apply *a, struct frame *f)
{
	const char *name = profile_text(a->to, f->name);
	const char *blank = strrchr(name, ' ');

	if (!a->join || !(f->flags & FRAME_JOINED) || !blank)
		return;
	buf_reset(&a->text);
	buf_addf(&a->text, "%.*s%s%s", (int)(blank - name), name, a->join,
		 blank + 1);
	f->name = intern_text(a->to->texts, a->text.data);
}

static void redact_frame(struct apply *a, struct frame *f)
{
	struct profile *p = a->to;

	f->expression = 0;
	f->file = intern_text(p->texts, basename(profile_text(p, f->file)));
	if (f->flags & FRAME_ERROR) {
		const char *name = profile_text(p, f->name);
		const char *message = strstr(name, ": ");

		buf_reset(&a->text);
		buf_addf(&a->text, "%.*s",
			 message ? (int)(message - name) : INT_MAX, name);
		f->name = intern_text(p->texts, a->text.data);
	}
	if (!f->module)
		return;
	buf_reset(&a->text);
	buf_addf(&a->text, "%s%c%s%c",
		 profile_module(p, f->module, PROFILE_NAME), '\0',
		 profile_module(p, f->module, PROFILE_BUILD_ID), '\0');
	f->module = intern_id(
		p->texts,
		&(struct intern_key){ a->text.data, a->text.len, NULL, 0 },
		true);
}

/* Ask each rule.  The frame's name is changed as they say. */
static void ask(struct apply *a, struct verdict *v, struct frame *f)
{
	bool is_renamed = false;
	const struct frame was = *f;

	for (size_t i = 0; i < a->rules->n; i++) {
		const struct rule *r = &a->rules->at[i];

		if (r->verb >= RULE_JOIN || !fits(a, r, &was))
			continue;
		if (r->verb <= RULE_KEEP && !v->hide && !v->kept) {
			v->hide = r->verb == RULE_HIDE;
			v->kept = !v->hide;
		}
		v->stop |= r->verb == RULE_STOP;
		v->collapsed |= r->verb == RULE_COLLAPSE;
		if (r->verb == RULE_RENAME && !is_renamed)
			rename_frame(a, r, f);
		is_renamed |= r->verb == RULE_RENAME;
	}
	join_frame(a, f);
	if (v->collapsed) {
		set_name(a, f, in_of(a, &was));
		f->file = f->line = f->expression = 0;
	}
}

static const struct verdict *verdict_of(struct apply *a, u32 frame)
{
	struct verdict *v = &a->of[frame];
	struct frame f = *profile_frame(&a->from, frame);

	if (v->is)
		return v;
	v->is = true;
	read_name(a, &f);
	ask(a, v, &f);
	if (a->options->redact)
		redact_frame(a, &f);
	v->id = profile_add_frame(a->to, &f);
	return v;
}

/* Whether two new frames differ in their place only. */
static bool is_same(const struct apply *a, u32 x, u32 y)
{
	struct frame f[2] = { *profile_frame(a->to, x),
			      *profile_frame(a->to, y) };

	for (int i = 0; i < 2; i++) {
		f[i].file = f[i].line = f[i].expression = 0;
		f[i].address = 0;
	}
	return !memcmp(&f[0], &f[1], sizeof(f[0]));
}

/* The new stack into a->frame.  A function that was inlined goes with its caller. */
static size_t rewrite(struct apply *a, const struct profile_stack *s)
{
	const struct verdict *before = NULL;
	bool hidden = false;
	size_t n = 0;

	for (size_t i = 0; i < s->depth; i++) {
		const struct verdict *v = verdict_of(a, s->frame[i]);
		bool inlined = profile_frame(&a->from, s->frame[i])->type ==
			       FRAME_IS_INLINED;
		bool again = before && (v->collapsed || a->merge) &&
			     is_same(a, before->id, v->id);

		hidden = v->hide || (inlined && hidden && !v->kept);
		if (hidden || again)
			continue;
		a->frame[n++] = v->id;
		before = v;
		if (v->stop)
			break;
	}
	return n;
}

static u32 take_task(struct apply *a, u32 id)
{
	struct profile_task t = *profile_task(&a->from, id);
	bool process = a->options->by == RULES_BY_PROCESS;

	buf_reset(&a->text);
	buf_addf(&a->text, "%s (%u)",
		 profile_text(a->to, process && t.program ? t.program : t.comm),
		 process ? t.pid : t.tid);
	if (a->options->by != RULES_BY_COMM)
		t.comm = intern_text(a->to->texts, a->text.data);
	return profile_add_task(a->to, &t);
}

static void take_stacks(struct apply *a)
{
	size_t stacks = intern_count(a->from.stacks), capacity = 0;
	_cleanup_free_ u32 *stack = xcalloc(stacks + 1, sizeof(*stack));

	for (size_t i = 0; i < stacks; i++) {
		struct profile_stack s = profile_stack(&a->from, i);
		struct profile_key key = *s.key;

		a->frame =
			xgrow(a->frame, s.depth, &capacity, sizeof(*a->frame));
		key.task = a->task[key.task];
		stack[i] = profile_add(a->to, &key, a->frame, rewrite(a, &s),
				       &s.sum);
	}
	for (size_t i = 0; i < a->to->samples; i++)
		a->to->sample[i].stack = stack[a->to->sample[i].stack];
}

static void read_settings(struct apply *a)
{
	for (size_t i = a->rules->n; i-- > 0;) {
		const struct rule *r = &a->rules->at[i];

		if (r->verb == RULE_JOIN)
			a->join = r->to;
		a->merge |= r->verb == RULE_MERGE;
	}
	if (a->options->join)
		a->join = a->options->join;
}

static void release(struct apply *a)
{
	intern_free(a->from.frames);
	intern_free(a->from.tasks);
	intern_free(a->from.stacks);
	free(a->of);
	free(a->task);
	free(a->frame);
	buf_release(&a->name);
	buf_release(&a->text);
}

/* Frames, tasks and stacks are new; texts, samples and what is known of the recording
 * stay. */
void rules_use(const struct rules *r, const struct rules_options *options,
	       struct profile *p)
{
	struct apply a = {
		.rules = r, .options = options, .from = *p, .to = p
	};
	size_t tasks = intern_count(p->tasks);

	if (!r || (!r->n && !options->by && !options->annotate &&
		   !options->redact && !options->join))
		return;
	a.of = xcalloc(intern_count(p->frames) + 1, sizeof(*a.of));
	a.task = xcalloc(tasks + 1, sizeof(*a.task));
	p->frames = intern_new();
	p->tasks = intern_new();
	p->stacks = intern_new();
	/* A full profile was read already; less than that comes of it. */
	p->max_bytes = 0;
	read_settings(&a);
	for (size_t i = 0; i < tasks; i++)
		a.task[i] = take_task(&a, i);
	take_stacks(&a);
	p->annotate = options->annotate;
	if (options->redact)
		p->host = p->kernel = p->options = 0;
	release(&a);
}
