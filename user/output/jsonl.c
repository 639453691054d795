/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * JSON lines: each line is an object that can be understood alone; "type" says what it
 * is.  docs/formats.md lists the members.
 *
 *   {"type":"head", ...}      where and how the samples were taken, and the events
 *   {"type":"sample", ...}    one each, in the order of time
 *   {"type":"mark", ...} {"type":"loss", ...}
 *   {"type":"end", ...}       the sums of each event, by which a cut file is noticed
 *
 * What is not known is left out.
 */
#include <stdlib.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

struct jsonl {
	struct profile *profile;
	char **frame; /* the object of each frame id, once it is made */
	struct profile_sum sum[PROFILE_EVENTS];
	struct buf line;
	FILE *stream;
	int err;
};

static void put_text(struct jsonl *w, const char *key, const char *text)
{
	if (!*text)
		return;
	buf_addf(&w->line, ",\"%s\":", key);
	escape_json(text, &w->line);
}

static void put_number(struct jsonl *w, const char *key, u64 number)
{
	if (number)
		buf_addf(&w->line, ",\"%s\":%llu", key, number);
}

static void end_line(struct jsonl *w)
{
	buf_adds(&w->line, "}\n");
	if (!w->err)
		w->err = format_put(&w->line, w->stream);
	buf_reset(&w->line);
}

static void put_head(struct jsonl *w, bool timed)
{
	const struct profile *p = w->profile;

	buf_addf(&w->line, "{\"type\":\"head\",\"format\":1,\"timed\":%s",
		 timed ? "true" : "false");
	put_text(w, "host", profile_text(p, p->host));
	put_text(w, "kernel", profile_text(p, p->kernel));
	put_text(w, "options", profile_text(p, p->options));
	put_number(w, "start", p->start);
	put_number(w, "end", p->end);
	put_number(w, "start_real", p->start_real);
	buf_adds(&w->line, ",\"events\":[");
	for (u32 i = 0; i < p->events; i++) {
		buf_adds(&w->line, i ? ",{\"name\":" : "{\"name\":");
		escape_json(profile_text(p, p->event[i].name), &w->line);
		put_text(w, "unit", profile_text(p, p->event[i].unit));
		put_number(w, "interval", p->event[i].interval);
		buf_addc(&w->line, '}');
	}
	buf_addc(&w->line, ']');
	end_line(w);
}

static void put_frame(struct jsonl *w, const struct frame *f)
{
	const struct profile *p = w->profile;
	_cleanup_buf_ struct buf name = { 0 };

	text_function(p, f, &name);
	buf_addf(&w->line, "{\"kind\":\"%s\",\"name\":", text_kind_name(f));
	json_text(&w->line, buf_text(&name));
	put_text(w, "space", profile_text(p, f->space));
	put_text(w, "file", profile_text(p, f->file));
	put_number(w, "line", f->line);
	put_text(w, "expression", profile_text(p, f->expression));
	put_text(w, "module", profile_module(p, f->module, PROFILE_NAME));
	put_text(w, "path", profile_module(p, f->module, PROFILE_PATH));
	put_text(w, "build_id",
		 profile_module(p, f->module, PROFILE_BUILD_ID));
	put_number(w, "address", f->address);
	buf_addc(&w->line, '}');
}

/* Frames come again and again: their text is kept. */
static const char *frame_of(struct jsonl *w, u32 id)
{
	size_t start = w->line.len;

	if (!w->frame[id]) {
		put_frame(w, profile_frame(w->profile, id));
		w->frame[id] = xstrdup(w->line.data + start);
		w->line.len = start;
	}
	return w->frame[id];
}

static void put_sample(struct jsonl *w, const struct profile_sample *s,
		       bool timed)
{
	struct profile *p = w->profile;
	struct profile_stack stack = profile_stack(p, s->stack);
	const struct profile_task *t = profile_task(p, stack.key->task);
	u32 event = stack.key->event;
	u64 value = samples_value(p, event, s);

	buf_adds(&w->line, "{\"type\":\"sample\"");
	put_number(w, "time", s->time);
	put_text(w, "event", profile_text(p, p->event[event].name));
	buf_addf(&w->line, ",\"weight\":%llu,\"value\":%llu", s->weight, value);
	put_number(w, "pid", t->pid);
	put_number(w, "tid", t->tid);
	put_text(w, "comm", profile_text(p, t->comm));
	put_text(w, "program", profile_text(p, t->program));
	if (timed)
		buf_addf(&w->line, ",\"cpu\":%u", s->cpu);
	buf_adds(&w->line, ",\"frames\":[");
	for (size_t i = 0; i < stack.depth; i++) {
		const char *frame = frame_of(w, stack.frame[i]);

		buf_adds(&w->line, i ? "," : "");
		buf_adds(&w->line, frame);
	}
	buf_addc(&w->line, ']');
	end_line(w);
	w->sum[event].weight += s->weight;
	w->sum[event].value += value;
}

static void put_notes(struct jsonl *w, const char *type, const char *key,
		      const struct profile_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		buf_addf(&w->line, "{\"type\":\"%s\"", type);
		put_number(w, "time", notes->at[i].time);
		put_text(w, key, profile_text(w->profile, notes->at[i].text));
		put_number(w, "count", notes->at[i].count);
		end_line(w);
	}
}

static void put_end(struct jsonl *w, size_t samples)
{
	const struct profile *p = w->profile;

	buf_addf(&w->line, "{\"type\":\"end\",\"samples\":%zu,\"sums\":[",
		 samples);
	for (u32 i = 0; i < p->events; i++) {
		buf_adds(&w->line, i ? ",{\"event\":" : "{\"event\":");
		escape_json(profile_text(p, p->event[i].name), &w->line);
		buf_addf(&w->line, ",\"weight\":%llu,\"value\":%llu}",
			 w->sum[i].weight, w->sum[i].value);
	}
	buf_addc(&w->line, ']');
	end_line(w);
}

int jsonl_write(struct profile *p, FILE *out)
{
	struct jsonl w = { .profile = p, .stream = out };
	u32 frames = intern_count(p->frames);
	size_t n;
	struct profile_sample *list = samples_list(p, true, &n);
	bool timed = list == p->sample;

	w.frame = xcalloc(frames + 1, sizeof(*w.frame));
	put_head(&w, timed);
	for (size_t i = 0; i < n && !w.err; i++)
		put_sample(&w, &list[i], timed);
	put_notes(&w, "mark", "text", &p->marks);
	put_notes(&w, "loss", "reason", &p->losses);
	put_end(&w, n);
	for (u32 i = 0; i < frames; i++)
		free(w.frame[i]);
	free(w.frame);
	if (!timed)
		free(list);
	buf_release(&w.line);
	return w.err;
}
