/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A trace of Perfetto, of packets that its versions read from 2021 on.
 *
 * Each event is a sequence of packets of its own, which becomes a session of Perfetto.
 * Texts, mappings, frames and stacks have ids in it; they stand in the packet of the first
 * sample that refers to them.  A sample's counter is what that sample stands for, not the
 * total so far, because Perfetto adds it up in flame graphs.  Marks and losses are
 * instants on tracks of their own.
 *
 * Perfetto tells the frames of a mapping apart by address and name alone.  A frame with a
 * line therefore has no mapping, else it would have the line of another.
 */
#include <string.h>

#include "user/lib/protobuf.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

/* Fields of TracePacket, */
enum {
	PROCESS_TREE = 2,
	CLOCKS = 6,
	TRACK_EVENT = 11,
	DEFAULTS = 59,
	TRACK = 60,
	SAMPLE = 66,
	ATTRIBUTES = 126,
};
/* and of InternedData. */
enum {
	FUNCTIONS = 5,
	FRAMES = 6,
	STACKS = 7,
	BUILD_IDS = 16,
	PATHS = 17,
	SOURCES = 18,
	MAPPINGS = 19,
};

enum clock { REALTIME = 1, MONOTONIC = 3 };

/* Flags of a sequence: its ids begin anew; it refers to what was written before. */
enum flag { ANEW = 1, REFERS = 2 };

#define MARKS  1 /* tracks; the first is also a sequence */
#define LOSSES 2
#define EVENTS 3 /* the sequence of the first event */

/* How many bytes are written at a time. */
#define PIECE (1 << 20)

struct perfetto {
	struct profile *profile;
	u32 event;
	/* What has an id: event, field of InternedData, and a number or a text. */
	struct intern *known;
	struct output out;
	struct buf text;
	struct buf interned, body; /* of the next packet */
};

/* Fill w->text. */
static const char *foreign(struct perfetto *w, const char *text)
{
	buf_reset(&w->text);
	escape_text(text, "\\", &w->text);
	return buf_text(&w->text);
}

static const char *text(struct perfetto *w, u32 id)
{
	return foreign(w, profile_text(w->profile, id));
}

/* The packet of w->body, which is of that field. */
static void put_packet(struct perfetto *w, u32 field, u32 sequence, u64 time,
		       enum flag flag)
{
	protobuf_put(&w->out.text, 1, { 8, .n = time }, { 58, .n = MONOTONIC },
		     { 10, .n = sequence }, { 13, .n = flag },
		     { 12, .message = w->interned.len ? &w->interned : NULL },
		     { field, .message = &w->body });
	buf_reset(&w->interned);
	buf_reset(&w->body);
	if (w->out.text.len > PIECE)
		output_put(&w->out);
}

static bool add(struct perfetto *w, u32 field, const void *key, size_t len,
		u64 *id)
{
	const u32 head[] = { w->event, field };
	const struct intern_key of = { head, sizeof(head), key, len };
	u32 known = intern_count(w->known);

	*id = intern_id(w->known, &of, true) + 1ull;
	return *id > known;
}

/* The id of w->text. */
static u64 put_text(struct perfetto *w, u32 field)
{
	u64 id = 0;

	if (w->text.len && add(w, field, w->text.data, w->text.len, &id))
		protobuf_put(&w->interned, field, { 1, .n = id },
			     { 2, .message = &w->text });
	return id;
}

/* Perfetto wants the bytes that the hexadecimal digits stand for. */
static u64 put_build_id(struct perfetto *w, const char *hex)
{
	u8 byte;

	buf_reset(&w->text);
	for (; sscanf(hex, "%2hhx", &byte) == 1 && hex[1]; hex += 2)
		buf_addc(&w->text, byte);
	return put_text(w, BUILD_IDS);
}

static u64 put_mapping(struct perfetto *w, const struct frame *f)
{
	bool kernel = f->type == FRAME_IS_KERNEL;
	const struct profile *p = w->profile;
	const u32 module = kernel ? 0 : f->module;
	u64 id, path, build_id;

	if (f->type == FRAME_IS_SCRIPT || !(kernel || module) || f->line)
		return 0;
	if (!add(w, MAPPINGS, &module, sizeof(module), &id))
		return id;
	/* This name is the kernel's. */
	foreign(w, kernel ? "kernel" : text_module(p, module));
	path = put_text(w, PATHS);
	build_id = put_build_id(w, profile_module(p, module, PROFILE_BUILD_ID));
	protobuf_put(&w->interned, MAPPINGS, { 1, .n = id },
		     { 2, .n = build_id }, { 7, .n = path });
	return id;
}

static u64 put_frame(struct perfetto *w, u32 number)
{
	const struct frame *f = profile_frame(w->profile, number);
	u64 id, mapping, file, name;

	if (!add(w, FRAMES, &number, sizeof(number), &id))
		return id;
	mapping = put_mapping(w, f);
	text(w, f->file);
	file = put_text(w, SOURCES);
	buf_reset(&w->text);
	text_function(w->profile, f, &w->text);
	name = put_text(w, FUNCTIONS);
	/* Kinds are read since 2026. */
	protobuf_put(&w->interned, FRAMES, { 1, .n = id }, { 2, .n = name },
		     { 3, .n = mapping }, { 4, .n = f->address },
		     { 5, .n = file }, { 6, .n = f->line },
		     { 8, .text = text_kind_name(f) });
	return id;
}

static u64 put_stack(struct perfetto *w, u32 number,
		     const struct profile_stack *s)
{
	_cleanup_buf_ struct buf out = { 0 };
	u64 id = 0;

	if (!s->depth || !add(w, STACKS, &number, sizeof(number), &id))
		return id;
	protobuf_number(&out, 1, id);
	for (size_t i = 0; i < s->depth; i++)
		protobuf_number(&out, 2, put_frame(w, s->frame[i]));
	protobuf_bytes(&w->interned, STACKS, out.data, out.len);
	return id;
}

static void put_sample(struct perfetto *w, const struct profile_sample *s)
{
	struct profile_stack of = profile_stack(w->profile, s->stack);
	const struct profile_task *t = profile_task(w->profile, of.key->task);
	struct buf *out = &w->body;

	if (of.key->event != w->event)
		return;
	/* CPU 0 is written, too. */
	protobuf_varint(out, 1 << 3);
	protobuf_varint(out, s->cpu);
	protobuf_number(out, 2, t->pid);
	protobuf_number(out, 3, t->tid);
	protobuf_number(out, 4, put_stack(w, s->stack, &of));
	protobuf_number(out, 6, samples_value(w->profile, s));
	put_packet(w, SAMPLE, EVENTS + w->event, s->time, REFERS);
}

static void put_event(struct perfetto *w)
{
	const struct profile_event *e = &w->profile->event[w->event];
	size_t sample = protobuf_open(&w->body, 12);

	protobuf_put(&w->body, 1, { 1, .n = e->interval ? e->interval : 1 },
		     { 10, .text = text(w, e->name) });
	protobuf_close(&w->body, sample);
	put_packet(w, DEFAULTS, EVENTS + w->event, w->profile->start, ANEW);
	for (size_t i = 0; i < w->profile->samples; i++)
		put_sample(w, &w->profile->sample[i]);
}

static void put_head(struct perfetto *w)
{
	const struct profile *p = w->profile;
	const char *const what[] = { "host", "kernel", "options" };
	const u32 of[] = { p->host, p->kernel, p->options };
	char nothing[] = "";
	const struct buf none = { .data = nothing };

	protobuf_put(&w->body, 1, { 1, .n = REALTIME },
		     { 2, .n = p->start_real });
	protobuf_put(&w->body, 1, { 1, .n = MONOTONIC }, { 2, .n = p->start });
	protobuf_number(&w->body, 2, MONOTONIC); /* the trace's */
	put_packet(w, CLOCKS, MARKS, p->start, ANEW);
	for (int i = 0; i < 3; i++)
		protobuf_put(&w->body, 1, { 1, .text = what[i] },
			     { 3, .text = text(w, of[i]) });
	put_packet(w, ATTRIBUTES, MARKS, p->start, 0);
	for (u32 i = 0; i < intern_count(p->tasks); i++) {
		const struct profile_task *t = profile_task(p, i);
		u32 name = t->program ? t->program : t->comm;

		if (!t->pid)
			continue;
		/* Of one argument alone, Perfetto shows the first word. */
		protobuf_put(&w->body, 1, { 1, .n = t->pid },
			     { 3, .text = text(w, name) },
			     { 3, .message = &none });
		protobuf_put(&w->body, 2, { 1, .n = t->tid },
			     { 3, .n = t->pid },
			     { 2, .text = text(w, t->comm) });
	}
	put_packet(w, PROCESS_TREE, MARKS, p->start, 0);
}

/* Instants on a track. */
static void put_notes(struct perfetto *w, u32 track, const char *title,
		      const struct profile_notes *notes)
{
	if (!notes->n)
		return;
	protobuf_number(&w->body, 1, track);
	protobuf_text(&w->body, 2, title);
	put_packet(w, TRACK, MARKS, w->profile->start, 0);
	for (size_t i = 0; i < notes->n; i++) {
		const struct profile_note *n = &notes->at[i];

		protobuf_number(&w->body, 9, 3); /* an instant */
		protobuf_number(&w->body, 11, track);
		protobuf_text(&w->body, 23, text(w, n->text));
		if (track == LOSSES)
			protobuf_put(&w->body, 4, { 10, .text = "samples" },
				     { 3, .n = n->count });
		put_packet(w, TRACK_EVENT, MARKS, n->time, 0);
		if (track != LOSSES)
			continue;
		/* Perfetto also counts what is lost. */
		protobuf_number(&w->body, 17, n->count);
		put_packet(w, SAMPLE, EVENTS, n->time, REFERS);
	}
}

int perfetto_write(struct profile *p, FILE *file)
{
	struct perfetto w = { .profile = p,
			      .known = intern_new(),
			      .out.file = file };

	put_head(&w);
	for (; w.event < p->events; w.event++)
		put_event(&w);
	put_notes(&w, MARKS, "marks", &p->marks);
	put_notes(&w, LOSSES, "lost samples", &p->losses);
	intern_free(w.known);
	buf_release(&w.text);
	buf_release(&w.interned);
	buf_release(&w.body);
	return output_end(&w.out);
}
