/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * JSON lines: each line is an object that can be understood alone; "type" says what it
 * is.  docs/formats.md lists the members.
 *
 *   {"type":"head", ...}      where and how the samples were taken
 *   {"type":"sample", ...}    one each, in the order of time
 *   {"type":"mark", ...} {"type":"loss", ...}
 *   {"type":"end", ...}       events and their sums: a cut file has no such line
 *
 * What is not known is left out.
 */
#include <stdlib.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

struct jsonl {
	struct profile *profile;
	struct intern *frames; /* objects */
	u32 *frame;	       /* the object of each frame id */
	struct output out;
	struct profile_sum sum[PROFILE_EVENTS];
};

/* Members whose value is not known are left out. */
static void put_text(struct buf *out, const char *key, const char *text)
{
	if (!*text)
		return;
	json_key(out, key);
	escape_json(text, out);
}

static void put_number(struct buf *out, const char *key, u64 number)
{
	if (number)
		json_number(out, key, number);
}

static void put_head(const struct profile *p, bool timed, struct buf *out)
{
	buf_addf(out, "{\"type\":\"head\",\"version\":1,\"timed\":%s",
		 timed ? "true" : "false");
	put_text(out, "host", profile_text(p, p->host));
	put_text(out, "kernel", profile_text(p, p->kernel));
	put_text(out, "options", profile_text(p, p->options));
	put_number(out, "start", p->start);
	put_number(out, "end", p->end);
	put_number(out, "start_real", p->start_real);
	buf_adds(out, "}\n");
}

void format_put_frame(const struct profile *p, const struct frame *f,
		      struct buf *out)
{
	_cleanup_buf_ struct buf name = { 0 };

	text_function(p, f, &name);
	buf_addf(out, "{\"kind\":\"%s\",\"name\":", text_kind_name(f));
	json_text(out, buf_text(&name));
	put_text(out, "space", profile_text(p, f->space));
	put_text(out, "file", profile_text(p, f->file));
	put_number(out, "line", f->line);
	put_text(out, "module", text_module(p, f->module));
	put_text(out, "build_id",
		 profile_module(p, f->module, PROFILE_BUILD_ID));
	put_number(out, "address", f->address);
	buf_adds(out, f->flags & FRAME_ASIDE ? ",\"aside\":true}" : "}");
}

static void put_sample(struct jsonl *w, const struct profile_sample *s)
{
	struct profile *p = w->profile;
	struct profile_stack stack = profile_stack(p, s->stack);
	const struct profile_task *t = profile_task(p, stack.key->task);
	u32 event = stack.key->event;
	u64 value = samples_value(p, s);
	struct buf *out = &w->out.text;

	buf_adds(out, "{\"type\":\"sample\"");
	put_number(out, "time", s->time);
	put_text(out, "event", profile_text(p, p->event[event].name));
	json_number(out, "weight", s->weight);
	json_number(out, "value", value);
	put_number(out, "pid", t->pid);
	put_number(out, "tid", t->tid);
	put_text(out, "comm", profile_text(p, t->comm));
	put_text(out, "program", profile_text(p, t->program));
	buf_addf(out, ",\"cpu\":%u,\"frames\":[", s->cpu);
	for (size_t i = 0; i < stack.depth; i++) {
		json_next(out);
		buf_adds(out,
			 intern_get(w->frames, w->frame[stack.frame[i]], NULL));
	}
	buf_adds(out, "]}\n");
	w->sum[event].weight += s->weight;
	w->sum[event].value += value;
}

static void put_notes(const struct profile *p, const char *type,
		      const struct profile_notes *notes, struct buf *out)
{
	for (size_t i = 0; i < notes->n; i++) {
		buf_addf(out, "{\"type\":\"%s\"", type);
		put_number(out, "time", notes->at[i].time);
		put_text(out, "text", profile_text(p, notes->at[i].text));
		put_number(out, "count", notes->at[i].count);
		buf_adds(out, "}\n");
	}
}

static void put_end(struct jsonl *w)
{
	const struct profile *p = w->profile;
	struct buf *out = &w->out.text;

	put_notes(p, "mark", &p->marks, out);
	put_notes(p, "loss", &p->losses, out);
	buf_addf(out, "{\"type\":\"end\",\"samples\":%zu,\"events\":[",
		 p->samples);
	for (u32 i = 0; i < p->events; i++) {
		const struct profile_event *e = &p->event[i];

		json_next(out);
		buf_addc(out, '{');
		put_text(out, "event", profile_text(p, e->name));
		put_text(out, "unit", profile_text(p, e->unit));
		put_number(out, "interval", e->interval);
		json_number(out, "weight", w->sum[i].weight);
		json_number(out, "value", w->sum[i].value);
		buf_addc(out, '}');
	}
	buf_adds(out, "]}\n");
}

int jsonl_write(struct profile *p, FILE *file)
{
	struct jsonl w = { .profile = p,
			   .frames = intern_new(),
			   .out.file = file };

	put_head(p, samples_fill(p), &w.out.text);
	/* They come again and again. */
	w.frame = text_make(p, w.frames, format_put_frame);
	for (size_t i = 0; i < p->samples; i++) {
		put_sample(&w, &p->sample[i]);
		output_put(&w.out);
	}
	put_end(&w);
	intern_free(w.frames);
	free(w.frame);
	return output_end(&w.out);
}
