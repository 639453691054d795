/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile.proto of pprof, compressed by gzip.
 *
 * Each event has two types of values: the number of its samples, and its own unit.
 * Stacks are lists of locations, innermost first.  A location is a native frame with the
 * functions inlined into it, or any other frame.  Locations of a file with code belong to
 * its mapping; those of scripts belong to a mapping of their interpreter's name, so that
 * pprof can hide or focus it.  The first mapping is the program's.
 *
 * Ids of each kind are 1, 2, 3 and so on.  Function.system_name stays empty: pprof would
 * demangle it, which empties names in angle brackets.  Labels are texts, because pprof
 * drops the number 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

/* Fields of Profile that are lists of messages, and the strings. */
enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING };

/* How many bytes are compressed at a time. */
#define PIECE (1 << 20)

struct pprof {
	struct profile *profile;
	/* By field; locations are the frame ids of each. */
	struct intern *table[STRING + 1];
	struct buf out, text;
	z_stream z;
	struct output packed;
};

/* Compress what was written so far. */
static void pack(struct pprof *w, int flush)
{
	char room[1 << 15];

	w->z.next_in = (u8 *)w->out.data;
	w->z.avail_in = w->out.len;
	do {
		w->z.next_out = (u8 *)room;
		w->z.avail_out = sizeof(room);
		deflate(&w->z, flush);
		buf_add(&w->packed.text, room, sizeof(room) - w->z.avail_out);
		output_put(&w->packed);
	} while (!w->z.avail_out);
	buf_reset(&w->out);
}

static u32 string(struct pprof *w, const char *text)
{
	return intern_text(w->table[STRING], text);
}

/* A text of the target or of a file, as valid UTF-8 without control characters. */
static u32 foreign(struct pprof *w, const char *before, const char *text)
{
	buf_reset(&w->text);
	buf_adds(&w->text, before);
	escape_text(text, "\\", &w->text);
	return string(w, buf_text(&w->text));
}

static u32 text(struct pprof *w, u32 id)
{
	return foreign(w, "", profile_text(w->profile, id));
}

static u32 name_of(struct pprof *w, u32 event, const char *before)
{
	const struct profile *p = w->profile;
	const char *name = profile_text(p, p->event[event].name);

	return foreign(w, before, strcmp(name, "cpu-clock") ? name : "cpu");
}

static void put_types(struct pprof *w)
{
	const struct profile_event *e = w->profile->event;
	u32 name, unit = string(w, "count");

	for (u32 i = 0; i < w->profile->events; i++) {
		name = i ? name_of(w, i, "samples-of-") : string(w, "samples");
		protobuf_put(&w->out, SAMPLE_TYPE, { 1, .n = name },
			     { 2, .n = unit });
		name = name_of(w, i, "");
		protobuf_put(&w->out, SAMPLE_TYPE, { 1, .n = name },
			     { 2, .n = text(w, e[i].unit) });
	}
}

/* An entry's id, from 1 on.  Returns whether it is new. */
static bool add(struct intern *of, const void *key, size_t len, u32 *id)
{
	u32 known = intern_count(of);

	*id = intern_id(of, &(struct intern_key){ key, len, NULL, 0 }, true);
	return (*id)++ == known;
}

static u32 put_mapping(struct pprof *w, const char *name, const char *build_id)
{
	const u32 key[] = { foreign(w, "", name), foreign(w, "", build_id) };
	u32 id;

	/* Ones: pprof must not look for names, lines and inlines, which are all here. */
	if (add(w->table[MAPPING], key, sizeof(key), &id))
		protobuf_put(&w->out, MAPPING, { 1, .n = id },
			     { 5, .n = key[0] }, { 6, .n = key[1] },
			     { 7, .n = 1 }, { 8, .n = 1 }, { 9, .n = 1 },
			     { 10, .n = 1 });
	return id;
}

static u32 mapping_of(struct pprof *w, const struct frame *f)
{
	const struct profile *p = w->profile;
	const char *build_id = profile_module(p, f->module, PROFILE_BUILD_ID);
	const char *path = text_module(p, f->module);
	char script[16];

	snprintf(script, sizeof(script), "[%s]", text_title(f->walker));
	if (f->type == FRAME_IS_SCRIPT)
		path = script;
	else if (f->type == FRAME_IS_KERNEL && !f->module)
		path = "[kernel.kallsyms]";
	return *path ? put_mapping(w, path, build_id) : 0;
}

/* Of several programs, that with the most samples. */
static void put_program(struct pprof *w)
{
	struct profile *p = w->profile;
	_cleanup_free_ u64 *sum = xcalloc(intern_count(p->texts), sizeof(*sum));
	char name[256] = "";
	u32 most = 0, program;

	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack s = profile_stack(p, i);

		program = profile_task(p, s.key->task)->program;
		sum[program] += s.sum.weight;
		if (program && (!most || sum[program] > sum[most]))
			most = program;
	}
	if (sscanf(profile_text(p, most), "%255s", name) == 1)
		put_mapping(w, name, "");
}

/* An inlined function is the same one as elsewhere: pprof itself says that it was. */
static struct frame bare(const struct pprof *w, u32 frame)
{
	struct frame f = *profile_frame(w->profile, frame);

	if (f.type == FRAME_IS_INLINED)
		f.type = FRAME_IS_C;
	return f;
}

static u32 put_function(struct pprof *w, const struct frame *f)
{
	u32 key[2] = { 0, text(w, f->file) };
	u32 id;

	buf_reset(&w->text);
	text_function(w->profile, f, &w->text);
	key[0] = string(w, buf_text(&w->text));
	if (add(w->table[FUNCTION], key, sizeof(key), &id))
		protobuf_put(&w->out, FUNCTION, { 1, .n = id },
			     { 2, .n = key[0] }, { 4, .n = key[1] });
	return id;
}

/* frame: a native frame and those inlined into it, n of them, outermost first. */
static u32 put_location(struct pprof *w, const u32 *frame, size_t n)
{
	const struct frame *f = profile_frame(w->profile, *frame);
	_cleanup_buf_ struct buf out = { 0 };
	u32 id;

	if (!add(w->table[LOCATION], frame, n * sizeof(*frame), &id))
		return id;
	protobuf_number(&out, 1, id);
	protobuf_number(&out, 2, mapping_of(w, f));
	protobuf_number(&out, 3, f->address);
	while (n-- > 0) {
		struct frame in = bare(w, frame[n]);

		protobuf_put(&out, 4, { 1, .n = put_function(w, &in) },
			     { 2, .n = in.line });
	}
	protobuf_bytes(&w->out, LOCATION, out.data, out.len);
	return id;
}

/* The locations of a stack, innermost first, packed. */
static void put_locations(struct pprof *w, const struct profile_stack *s,
			  struct buf *out)
{
	size_t at = protobuf_open(out, 1);

	for (size_t end = s->depth, k; end > 0; end = k) {
		k = end - 1;
		while (k && profile_frame(w->profile, s->frame[k])->type ==
				    FRAME_IS_INLINED)
			k--;
		protobuf_varint(out, put_location(w, s->frame + k, end - k));
	}
	protobuf_close(out, at);
}

static void put_label(struct pprof *w, struct buf *out, const char *key,
		      u32 value)
{
	protobuf_put(out, 3, { 1, .n = string(w, key) }, { 2, .n = value });
}

static void put_id(struct pprof *w, struct buf *out, const char *key, u32 id)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", id);
	if (id)
		put_label(w, out, key, string(w, number));
}

static void put_labels(struct pprof *w, const struct profile_stack *s,
		       struct buf *out)
{
	const struct profile_task *t = profile_task(w->profile, s->key->task);

	put_id(w, out, "pid", t->pid);
	put_id(w, out, "tid", t->tid);
	put_label(w, out, "comm", text(w, t->comm));
	if (s->depth) {
		struct frame f = bare(w, s->frame[s->depth - 1]);

		put_label(w, out, "kind", string(w, text_kind_name(&f)));
	}
}

static void put_sample(struct pprof *w, u32 id, struct buf *out)
{
	struct profile_stack s = profile_stack(w->profile, id);
	u32 event = s.key->event;
	u64 value = profile_value(w->profile, event, &s.sum);
	size_t at;

	buf_reset(out);
	put_locations(w, &s, out);
	at = protobuf_open(out, 2);
	for (u32 i = 0; i < w->profile->events; i++) {
		protobuf_varint(out, i == event ? s.sum.weight : 0);
		protobuf_varint(out, i == event ? value : 0);
	}
	protobuf_close(out, at);
	put_labels(w, &s, out);
	protobuf_bytes(&w->out, SAMPLE, out->data, out->len);
}

static void put_head(struct pprof *w)
{
	const struct profile *p = w->profile;
	const char *const what[] = { "host: ", "kernel: ", "options: " };
	const u32 of[] = { p->host, p->kernel, p->options };
	u32 name = p->events ? name_of(w, 0, "") : 0, comment;

	protobuf_number(&w->out, 9, p->start_real);
	protobuf_number(&w->out, 10, p->end > p->start ? p->end - p->start : 0);
	if (name && p->event->interval) {
		protobuf_put(&w->out, 11, { 1, .n = name },
			     { 2, .n = text(w, p->event->unit) });
		protobuf_number(&w->out, 12, p->event->interval);
	}
	for (int i = 0; i < 3; i++) {
		comment = foreign(w, what[i], profile_text(p, of[i]));
		protobuf_number(&w->out, 13, of[i] ? comment : 0);
	}
	/* Which values readers show first. */
	protobuf_number(&w->out, 14, name);
}

static void put_all(struct pprof *w)
{
	_cleanup_buf_ struct buf sample = { 0 };
	const void *bytes;
	size_t len;

	put_types(w);
	put_program(w);
	for (u32 i = 0; i < intern_count(w->profile->stacks); i++) {
		put_sample(w, i, &sample);
		if (w->out.len > PIECE)
			pack(w, Z_NO_FLUSH);
	}
	put_head(w);
	/* They are known last.  The first is the empty one. */
	for (u32 i = 0; i < intern_count(w->table[STRING]); i++) {
		bytes = intern_get(w->table[STRING], i, &len);
		protobuf_bytes(&w->out, STRING, bytes, len);
	}
	pack(w, Z_FINISH);
}

int pprof_write(struct profile *p, FILE *file)
{
	struct pprof w = { .profile = p, .packed.file = file };

	/* 16: with gzip's head. */
	if (deflateInit2(&w.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			 MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY))
		return -ENOMEM;
	for (int i = MAPPING; i <= STRING; i++)
		w.table[i] = i < STRING ? intern_new() : intern_new_texts();
	put_all(&w);
	deflateEnd(&w.z);
	for (int i = MAPPING; i <= STRING; i++)
		intern_free(w.table[i]);
	buf_release(&w.out);
	buf_release(&w.text);
	return output_end(&w.packed);
}
