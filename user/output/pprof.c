/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile.proto of pprof, compressed by gzip.
 *
 * Each event has two values, the number of its samples and its own unit; one whose
 * samples are the events themselves has one.  Stacks are lists of locations, innermost
 * first.  A location is a native frame with the functions inlined into it, or any other
 * frame.  Locations of a file with code belong to its mapping; those of scripts belong to
 * a mapping of their interpreter's name, so that pprof can hide or focus it.
 *
 * Ids of each kind are 1, 2, 3 and so on.  Function.system_name stays empty: pprof would
 * demangle it, which empties names in angle brackets.  Labels are texts, because pprof
 * drops the number 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

/* The fields of Profile that are lists, and of its parts. */
enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING };

struct function {
	u32 name, file;
};

struct pprof {
	struct profile *profile;
	struct intern *strings, *mappings, *functions;
	struct intern *locations; /* the frame ids of each */
	struct buf out, text;
	struct {
		int count, value; /* indexes of the sample types; -1: none */
	} types[PROFILE_EVENTS];
	int n_types;
};

static u32 string(struct pprof *w, const char *text)
{
	return intern_text(w->strings, text);
}

/* A text of the target, as every output shows it. */
static u32 foreign(struct pprof *w, const char *text)
{
	buf_reset(&w->text);
	escape_text(text, ESCAPE_TEXT, &w->text);
	return string(w, buf_text(&w->text));
}

static int put_type(struct pprof *w, const char *before, const char *type,
		    const char *unit)
{
	size_t at = protobuf_open(&w->out, SAMPLE_TYPE);

	buf_reset(&w->text);
	buf_addf(&w->text, "%s%s", before, type);
	protobuf_number(&w->out, 1, string(w, w->text.data));
	protobuf_number(&w->out, 2, string(w, unit));
	protobuf_close(&w->out, at);
	return w->n_types++;
}

static void put_types(struct pprof *w)
{
	struct profile *p = w->profile;

	for (u32 i = 0; i < p->events; i++) {
		const char *name = profile_text(p, p->event[i].name);
		const char *own = strcmp(name, "cpu-clock") ? name : "cpu";
		bool each = !p->event[i].interval;

		w->types[i].count = w->types[i].value = -1;
		w->types[i].count =
			each ? put_type(w, "", own, "count")
			     : put_type(w, i ? own : "",
					i ? "-samples" : "samples", "count");
		if (!each)
			w->types[i].value = put_type(
				w, "", own, profile_text(p, p->event[i].unit));
	}
}

/* The id of an entry, from 1 on.  Sets *is_new. */
static u32 entry(struct intern *of, const void *key, size_t len, bool *is_new)
{
	u32 known = intern_count(of);
	u32 id = intern_id(of, &(struct intern_key){ key, len, NULL, 0 }, true);

	*is_new = id == known;
	return id + 1;
}

static u32 put_mapping(struct pprof *w, const char *name, const char *build_id)
{
	u64 key = (u64)foreign(w, name) << 32 | string(w, build_id);
	bool is_new;
	u32 id = entry(w->mappings, &key, sizeof(key), &is_new);
	size_t at;

	if (!is_new)
		return id;
	at = protobuf_open(&w->out, MAPPING);
	protobuf_number(&w->out, 1, id);
	protobuf_number(&w->out, 5, key >> 32);
	protobuf_number(&w->out, 6, (u32)key);
	/* pprof must not look for names: they are all here. */
	for (u32 has = 7; has <= 10; has++)
		protobuf_number(&w->out, has, 1);
	protobuf_close(&w->out, at);
	return id;
}

static u32 mapping_of(struct pprof *w, const struct frame *f)
{
	const struct profile *p = w->profile;
	const char *path = profile_module(p, f->module, PROFILE_PATH);
	char script[16];

	if (f->type == FRAME_IS_KERNEL)
		return put_mapping(w, "[kernel.kallsyms]", "");
	if (f->type == FRAME_IS_SCRIPT) {
		snprintf(script, sizeof(script), "[%s]", text_title(f->walker));
		return put_mapping(w, script, "");
	}
	if (!f->module)
		return 0;
	return put_mapping(
		w, *path ? path : profile_module(p, f->module, PROFILE_NAME),
		profile_module(p, f->module, PROFILE_BUILD_ID));
}

static u32 put_function(struct pprof *w, const struct frame *f)
{
	const struct profile *p = w->profile;
	struct function key = { .file = foreign(w, profile_text(p, f->file)) };
	bool is_new;
	size_t at;
	u32 id;

	buf_reset(&w->text);
	text_function(p, f, &w->text);
	key.name = string(w, buf_text(&w->text));
	id = entry(w->functions, &key, sizeof(key), &is_new);
	if (!is_new)
		return id;
	at = protobuf_open(&w->out, FUNCTION);
	protobuf_number(&w->out, 1, id);
	protobuf_number(&w->out, 2, key.name);
	protobuf_number(&w->out, 4, key.file);
	protobuf_close(&w->out, at);
	return id;
}

/* frame: a native frame and those inlined into it, n of them, outermost first. */
static u32 put_location(struct pprof *w, const u32 *frame, size_t n)
{
	const struct frame *f = profile_frame(w->profile, *frame);
	_cleanup_buf_ struct buf lines = { 0 };
	bool is_new;
	u32 id = entry(w->locations, frame, n * sizeof(*frame), &is_new),
	    mapping;
	size_t at;

	if (!is_new)
		return id;
	for (size_t i = n; i-- > 0;) {
		const struct frame *in = profile_frame(w->profile, frame[i]);
		u32 function = put_function(w, in);

		at = protobuf_open(&lines, 4);
		protobuf_number(&lines, 1, function);
		protobuf_number(&lines, 2, in->line);
		protobuf_close(&lines, at);
	}
	mapping = mapping_of(w, f);
	at = protobuf_open(&w->out, LOCATION);
	protobuf_number(&w->out, 1, id);
	protobuf_number(&w->out, 2, mapping);
	protobuf_number(&w->out, 3, f->address);
	buf_add(&w->out, lines.data, lines.len);
	protobuf_close(&w->out, at);
	return id;
}

static void put_label(struct buf *out, u32 key, u32 text)
{
	size_t at = protobuf_open(out, 3);

	protobuf_number(out, 1, key);
	protobuf_number(out, 2, text);
	protobuf_close(out, at);
}

static void put_number_label(struct pprof *w, struct buf *out, const char *key,
			     u32 number)
{
	if (!number)
		return;
	buf_reset(&w->text);
	buf_addf(&w->text, "%u", number);
	put_label(out, string(w, key), string(w, w->text.data));
}

static void put_labels(struct pprof *w, const struct profile_stack *s,
		       struct buf *out)
{
	const struct profile *p = w->profile;
	const struct profile_task *t = profile_task(p, s->key->task);

	put_number_label(w, out, "pid", t->pid);
	put_number_label(w, out, "tid", t->tid);
	put_label(out, string(w, "comm"), foreign(w, profile_text(p, t->comm)));
	if (s->depth)
		put_label(out, string(w, "kind"),
			  string(w, text_kind_name(profile_frame(
					    p, s->frame[s->depth - 1]))));
}

static bool is_inlined(const struct pprof *w, u32 frame)
{
	return profile_frame(w->profile, frame)->type == FRAME_IS_INLINED;
}

/* The locations of a stack, innermost first, packed. */
static void put_locations(struct pprof *w, const struct profile_stack *s,
			  struct buf *out)
{
	size_t at = protobuf_open(out, 1);

	for (size_t end = s->depth, k; end > 0; end = k) {
		k = end - 1;
		while (k && is_inlined(w, s->frame[k]))
			k--;
		protobuf_varint(out, put_location(w, s->frame + k, end - k));
	}
	protobuf_close(out, at);
}

static void put_sample(struct pprof *w, u32 id)
{
	struct profile_stack s = profile_stack(w->profile, id);
	_cleanup_buf_ struct buf out = { 0 };
	u32 event = s.key->event;
	size_t at;

	put_locations(w, &s, &out);
	at = protobuf_open(&out, 2);
	for (int i = 0; i < w->n_types; i++)
		protobuf_varint(
			&out, i == w->types[event].count ? s.sum.weight
			      : i == w->types[event].value
				      ? profile_value(w->profile, event, &s.sum)
				      : 0);
	protobuf_close(&out, at);
	put_labels(w, &s, &out);
	protobuf_bytes(&w->out, SAMPLE, out.data, out.len);
}

static void put_comment(struct pprof *w, const char *what, u32 text)
{
	const char *value = profile_text(w->profile, text);
	char *line;

	if (!*value)
		return;
	line = xasprintf("%s: %s", what, value);
	protobuf_number(&w->out, 13, foreign(w, line));
	free(line);
}

static void put_head(struct pprof *w)
{
	const struct profile *p = w->profile;
	u64 interval = p->events ? p->event[0].interval : 0;
	size_t at;

	protobuf_number(&w->out, 9, p->start_real);
	protobuf_number(&w->out, 10, p->end > p->start ? p->end - p->start : 0);
	if (interval) {
		at = protobuf_open(&w->out, 11);
		protobuf_number(&w->out, 1, string(w, "cpu"));
		protobuf_number(&w->out, 2, string(w, "nanoseconds"));
		protobuf_close(&w->out, at);
		protobuf_number(&w->out, 12, interval);
		protobuf_number(&w->out, 14, string(w, "cpu"));
	}
	put_comment(w, "host", p->host);
	put_comment(w, "kernel", p->kernel);
	put_comment(w, "options", p->options);
}

/* The strings are known last.  The empty one is written too, which protobuf_text() would
 * leave out. */
static void put_strings(struct pprof *w)
{
	for (u32 i = 0; i < intern_count(w->strings); i++) {
		size_t len;
		const char *text = intern_get(w->strings, i, &len);
		size_t at = protobuf_open(&w->out, STRING);

		buf_add(&w->out, text, len);
		protobuf_close(&w->out, at);
	}
}

/* Compress all at once.  0 or -errno. */
static int put_gzip(const struct buf *bytes, FILE *out)
{
	z_stream z = { .next_in = (u8 *)bytes->data, .avail_in = bytes->len };
	_cleanup_buf_ struct buf packed = { 0 };
	u8 room[1 << 16];
	int state;

	/* 16: with gzip's head. */
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	do {
		z.next_out = room;
		z.avail_out = sizeof(room);
		state = deflate(&z, Z_FINISH);
		buf_add(&packed, room, sizeof(room) - z.avail_out);
	} while (state == Z_OK);
	deflateEnd(&z);
	return format_put(&packed, out);
}

int pprof_write(struct profile *p, FILE *out)
{
	struct pprof w = {
		.profile = p,
		.strings = intern_new_texts(),
		.mappings = intern_new(),
		.functions = intern_new(),
		.locations = intern_new(),
	};
	int err;

	put_types(&w);
	for (u32 i = 0; i < intern_count(p->stacks); i++)
		put_sample(&w, i);
	put_head(&w);
	put_strings(&w);
	err = put_gzip(&w.out, out);
	intern_free(w.strings);
	intern_free(w.mappings);
	intern_free(w.functions);
	intern_free(w.locations);
	buf_release(&w.out);
	buf_release(&w.text);
	return err;
}
