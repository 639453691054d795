/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The file format of speedscope: one JSON object.
 *
 * Each thread (samples.h) is a profile; so are its other events.  Its samples stand in
 * the order of time, neighbours with the same stack as one; a profile with more samples
 * than a browser could hold has each stack once, and says so in the profile's name.
 * Weights are nanoseconds, bytes or plain numbers.
 *
 * Frames that read the same are one frame: speedscope takes minutes for a table with
 * doubles.
 */
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

/* Samples in the order of time. */
#define TIMED_MAX 1000000

struct speedscope {
	struct profile *profile;
	struct samples samples;
	u32 *frame; /* the number of each frame id */
	struct buf out;
	FILE *stream;
	int err;
};

static void flush(struct speedscope *w)
{
	if (!w->err)
		w->err = format_put(&w->out, w->stream);
	buf_reset(&w->out);
}

static void put_frame(const struct profile *p, const struct frame *f,
		      struct buf *out)
{
	_cleanup_buf_ struct buf text = { 0 };

	text_function(p, f, &text);
	buf_adds(out, "{\"name\":");
	json_text(out, buf_text(&text));
	if (f->file) {
		buf_adds(out, ",\"file\":");
		escape_json(profile_text(p, f->file), out);
	}
	if (f->line)
		buf_addf(out, ",\"line\":%u", f->line);
	buf_addc(out, '}');
}

/* Frames are told apart by what is written of them. */
static void put_frames(struct speedscope *w)
{
	struct intern *written = intern_new();
	_cleanup_buf_ struct buf one = { 0 };
	u32 n = intern_count(w->profile->frames);

	w->frame = xcalloc(n + 1, sizeof(*w->frame));
	for (u32 i = 0; i < n; i++) {
		u32 known = intern_count(written);

		buf_reset(&one);
		put_frame(w->profile, profile_frame(w->profile, i), &one);
		w->frame[i] = intern_text(written, one.data);
		if (w->frame[i] < known)
			continue;
		buf_adds(&w->out, known ? ",\n" : "\n");
		buf_add(&w->out, one.data, one.len);
	}
	intern_free(written);
}

static const char *unit_of(const struct profile *p, u32 event)
{
	const char *unit = profile_text(p, p->event[event].unit);

	return strcmp(unit, "nanoseconds") && strcmp(unit, "bytes") ? "none"
								    : unit;
}

static void put_stack(struct speedscope *w, u32 stack)
{
	struct profile_stack s = profile_stack(w->profile, stack);

	for (size_t i = 0; i < s.depth; i++)
		buf_addf(&w->out, "%c%u", i ? ',' : '[', w->frame[s.frame[i]]);
	buf_adds(&w->out, s.depth ? "]" : "[]");
}

/* Returns the sum of the weights, which are appended to *weights. */
static u64 put_samples(struct speedscope *w, const struct samples_thread *t,
		       struct buf *weights)
{
	u64 sum = 0;

	for (size_t i = 0, end; i < t->n; i = end) {
		u64 value = 0;

		for (end = i; end < t->n && t->at[end].stack == t->at[i].stack;
		     end++)
			value += samples_value(w->profile, t->key.event,
					       &t->at[end]);
		buf_adds(&w->out, i ? ",\n" : "\n");
		put_stack(w, t->at[i].stack);
		buf_addf(weights, i ? ",%llu" : "%llu", value);
		sum += value;
		flush(w);
	}
	return sum;
}

static void put_thread(struct speedscope *w, const struct samples_thread *t)
{
	const struct profile_task *task = profile_task(w->profile, t->key.task);
	_cleanup_buf_ struct buf text = { 0 }, weights = { 0 };
	u64 end;

	samples_name(w->profile, t, &text);
	if (task->pid)
		buf_addf(&text, " %u/%u", task->pid, task->tid);
	buf_adds(&w->out, "{\"type\":\"sampled\",\"name\":");
	json_text(&w->out, text.data);
	buf_addf(&w->out, ",\"unit\":\"%s\",\"startValue\":0,\"samples\":[",
		 unit_of(w->profile, t->key.event));
	end = put_samples(w, t, &weights);
	buf_addf(&w->out, "],\n\"weights\":[%s],\"endValue\":%llu}",
		 buf_text(&weights), end);
}

/* What the page's title says. */
static void put_name(struct speedscope *w, bool timed)
{
	const struct profile *p = w->profile;
	const struct profile_task *t =
		profile_task(p, w->samples.thread->key.task);
	_cleanup_buf_ struct buf text = { 0 };

	text_name(profile_text(p, t->program ? t->program : t->comm), &text);
	if (!timed)
		buf_adds(&text, " (each stack once)");
	json_text(&w->out, text.data);
}

int speedscope_write(struct profile *p, FILE *out)
{
	struct speedscope w = { .profile = p, .stream = out };
	bool timed;

	if (p->samples > TIMED_MAX)
		p->samples = 0;
	timed = samples_fill(p);
	samples_make(&w.samples, p);
	buf_adds(&w.out, "{\"$schema\":\"https://www.speedscope.app/"
			 "file-format-schema.json\",\n\"exporter\":\"jpbpf\","
			 "\"name\":");
	put_name(&w, timed);
	buf_adds(&w.out, ",\"activeProfileIndex\":0,\n"
			 "\"shared\":{\"frames\":[");
	put_frames(&w);
	buf_adds(&w.out, "]},\n\"profiles\":[\n");
	for (size_t i = 0; i < w.samples.n; i++) {
		buf_adds(&w.out, i ? ",\n" : "");
		put_thread(&w, &w.samples.thread[i]);
	}
	buf_adds(&w.out, "]}\n");
	flush(&w);
	samples_release(&w.samples);
	buf_release(&w.out);
	free(w.frame);
	return w.err;
}
