/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Records in, profile out.  Naming happens once per distinct stack, at the end,
 * when sampling no longer competes with it.
 */
#include "user/session/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/aggregate/profile.h"
#include "user/aggregate/stacks.h"
#include "user/aggregate/texts.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/session/held.h"
#include "user/session/modules.h"
#include "user/session/tables.h"
#include "user/symbolize/symbolize.h"

void recorder_init(struct recorder *r)
{
	*r = (struct recorder){ .stacks = stacks_new(), .texts = texts_new() };
}

void recorder_release(struct recorder *r)
{
	stacks_free(r->stacks);
	texts_free(r->texts);
	*r = (struct recorder){ 0 };
}

static void add(struct recorder *r, const struct sample *s, u32 status,
		const u64 *word, u32 words)
{
	char comm[COMM_LEN + 1];

	memcpy(comm, s->comm, COMM_LEN);
	comm[COMM_LEN] = '\0';
	if (!r->first_sample || s->time < r->first_sample)
		r->first_sample = s->time;
	r->samples++;
	r->record_bytes += sizeof(*s) + words * sizeof(u64);
	stacks_add(r->stacks, comm, status, word, words);
	if (r->tables)
		tables_use(r->tables, word, words, s->time);
}

static void take_sample(struct recorder *r, const struct sample *s, size_t len)
{
	if (len < sizeof(*s) || (len - sizeof(*s)) / sizeof(u64) < s->words) {
		r->bad++;
		return;
	}
	add(r, s, s->status, s->word, s->words);
}

void recorder_take_late(void *recorder, const struct sample *head, u32 status,
			const u64 *word, u32 words)
{
	struct recorder *r = recorder;

	recorder_count(r, status);
	r->kept++;
	add(r, head, status, word, words);
}

void recorder_count(void *recorder, u32 status)
{
	struct recorder *r = recorder;

	if (status < WALK_STATUS_COUNT)
		r->status[status]++;
}

static void take_kept(struct recorder *r, const struct sample *s, size_t len)
{
	if (held_valid(s, len) && r->on_kept)
		r->on_kept(r->ctx, s, len);
	else
		r->bad++;
}

static void take_text(struct recorder *r, const struct text *t, size_t len)
{
	if (len < offsetof(struct text, text) || t->len >= TEXT_MAX ||
	    len - offsetof(struct text, text) < t->len) {
		r->bad++;
		return;
	}
	texts_add(r->texts, t->id, t->text, t->len);
}

void recorder_take(void *recorder, const void *record, size_t len)
{
	struct recorder *r = recorder;
	u32 type = 0;

	if (len >= sizeof(type))
		memcpy(&type, record, sizeof(type));
	switch (type) {
	case RECORD_SAMPLE:
		take_sample(r, record, len);
		break;
	case RECORD_KEPT:
		take_kept(r, record, len);
		break;
	case RECORD_TEXT:
		take_text(r, record, len);
		break;
	case RECORD_NOTICE:
		if (len >= sizeof(struct notice) && r->on_notice)
			r->on_notice(r->ctx, record);
		break;
	default:
		r->bad++;
	}
}

struct naming {
	const struct modules *modules;
	const struct texts *texts;
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

static void add_stack(struct profile *p, struct symbolizer *s,
		      const struct stack *stack, u32 **frame, size_t *capacity)
{
	const struct stack_name *name;
	size_t n = symbolizer_stack(s, stack->word, stack->words,
				    stack->status == WALK_ROOT, &name);

	*frame = xgrow(*frame, n + 1, capacity, sizeof(**frame));
	(*frame)[0] = profile_string(p, stack->comm);
	for (size_t i = 0; i < n; i++)
		(*frame)[i + 1] = profile_string(p, name[i].text);
	profile_add(p, *frame, n + 1, stack->count);
}

int recorder_write(const struct recorder *r, const struct modules *ms,
		   const struct recorder_view *view, FILE *out)
{
	struct naming naming = { ms, r->texts };
	struct symbolizer_config config = {
		.module = find_module,
		.texts = { .find = find_text, .ctx = &naming },
		.ctx = &naming,
		.internals = view->internals,
		.lines = view->lines,
		.expr = view->expr,
		.inlines = view->inlines,
		.lexical = view->lexical,
	};
	struct symbolizer *s = symbolizer_new(&config);
	struct profile *p = profile_new();
	size_t capacity = 0;
	u32 *frame = NULL;
	int err;

	for (size_t i = 0; i < stacks_count(r->stacks); i++) {
		struct stack stack = stacks_get(r->stacks, i);

		add_stack(p, s, &stack, &frame, &capacity);
	}
	profile_sort(p);
	if (view->frequency)
		profile_set_interval(p, (1000000 + view->frequency / 2) /
						view->frequency);
	err = view->format->write(p, out);
	if (!err && fflush(out))
		err = -errno;
	free(frame);
	profile_free(p);
	symbolizer_free(s);
	return err;
}
