/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The file format of speedscope: one JSON object.
 *
 * Each thread (samples.h) is a profile.  Its samples stand in the order of time,
 * neighbours with the same stack as one.  A recording with more samples than a browser
 * could hold has each stack once, and says so in the profile's name.  Weights are
 * nanoseconds, bytes or plain numbers.
 *
 * Deep stacks have their outermost and innermost frames, and one that says what is left
 * out: the page recurses over frames.  Frames that read the same are one frame: the page
 * takes minutes for a table with doubles.
 */
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

/* Samples in the order of time. */
#define TIMED_MAX 1000000
/* The page fails with some 4,000 frames in a stack, each browser elsewhere. */
#define DEPTH_MAX 2000
/* The number of the frame that stands for what was left out. */
#define CUT 0

struct speedscope {
	struct profile *profile;
	struct samples samples;
	u32 *frame; /* the number of each frame id */
	struct output out;
};

static void put_frame(const struct profile *p, const struct frame *f,
		      struct buf *out)
{
	_cleanup_buf_ struct buf name = { 0 };

	text_function(p, f, &name);
	buf_adds(out, "{\"name\":");
	json_text(out, buf_text(&name));
	if (f->file) {
		json_key(out, "file");
		escape_json(profile_text(p, f->file), out);
	}
	if (f->line)
		json_number(out, "line", f->line);
	buf_addc(out, '}');
}

/* Frames are told apart by what is written of them.  The first is CUT. */
static void put_frames(struct speedscope *w)
{
	struct intern *written = intern_new();

	intern_text(written, "{\"name\":\"[cut: too deep for speedscope]\"}");
	w->frame = text_make(w->profile, written, put_frame);
	for (u32 i = 0; i < intern_count(written); i++) {
		buf_adds(&w->out.text, i ? ",\n" : "\n");
		buf_adds(&w->out.text, intern_get(written, i, NULL));
	}
	intern_free(written);
}

static void put_stack(struct speedscope *w, u32 stack)
{
	struct profile_stack s = profile_stack(w->profile, stack);

	buf_addc(&w->out.text, '[');
	for (size_t i = 0; i < s.depth; i++) {
		json_next(&w->out.text);
		if (s.depth > DEPTH_MAX && i == DEPTH_MAX / 2) {
			buf_addf(&w->out.text, "%d,", CUT);
			i = s.depth - DEPTH_MAX / 2;
		}
		buf_addf(&w->out.text, "%u", w->frame[s.frame[i]]);
	}
	buf_addc(&w->out.text, ']');
}

/* Returns the sum of the weights, which are appended to *weights. */
static u64 put_samples(struct speedscope *w, const struct samples_thread *t,
		       struct buf *weights)
{
	u64 sum = 0, value;

	for (size_t i = 0, next; i < t->n; i = next, sum += value) {
		u32 stack = t->at[i].stack;

		value = 0;
		for (next = i; next < t->n && t->at[next].stack == stack;
		     next++)
			value += samples_value(w->profile, &t->at[next]);
		buf_adds(&w->out.text, i ? ",\n" : "\n");
		put_stack(w, stack);
		buf_addf(weights, i ? ",%llu" : "%llu", value);
	}
	return sum;
}

static void put_thread(struct speedscope *w, const struct samples_thread *t,
		       bool timed)
{
	const struct profile *p = w->profile;
	const struct profile_task *task = profile_task(p, t->key.task);
	const char *unit = profile_text(p, p->event[t->key.event].unit);
	bool none = strcmp(unit, "nanoseconds") && strcmp(unit, "bytes");
	_cleanup_buf_ struct buf name = { 0 }, weights = { 0 };
	u64 end;

	samples_name(p, t, &name);
	if (task->pid)
		buf_addf(&name, " %u/%u", task->pid, task->tid);
	if (!timed)
		buf_adds(&name, " (each stack once)");
	buf_adds(&w->out.text, "{\"type\":\"sampled\",\"name\":");
	json_text(&w->out.text, name.data);
	buf_addf(&w->out.text,
		 ",\"unit\":\"%s\",\"startValue\":0,\"samples\":[",
		 none ? "none" : unit);
	end = put_samples(w, t, &weights);
	buf_addc(&w->out.text, ']');
	json_number(&w->out.text, "endValue", end);
	buf_addf(&w->out.text, ",\n\"weights\":[%s]}", buf_text(&weights));
}

int speedscope_write(struct profile *p, FILE *file)
{
	struct speedscope w = { .profile = p, .out.file = file };
	bool timed;

	if (p->samples > TIMED_MAX)
		p->samples = 0;
	timed = samples_fill(p);
	samples_make(&w.samples, p);
	buf_adds(&w.out.text,
		 "{\"$schema\":\"https://www.speedscope.app/"
		 "file-format-schema.json\",\n\"exporter\":\"jpbpf\","
		 "\n\"shared\":{\"frames\":[");
	put_frames(&w);
	buf_adds(&w.out.text, "]},\n\"profiles\":[");
	for (size_t i = 0; i < w.samples.n; i++) {
		buf_adds(&w.out.text, i ? ",\n" : "\n");
		put_thread(&w, &w.samples.thread[i], timed);
		output_put(&w.out);
	}
	buf_adds(&w.out.text, "]}\n");
	samples_release(&w.samples);
	free(w.frame);
	return output_end(&w.out);
}
