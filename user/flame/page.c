/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A flame graph in one file: page.html, the profile, and the *.js here, which show it.
 *
 * The profile is in a <script> of a type that browsers do not run, in base64, compressed
 * (zlib): nothing in it can be taken for HTML.  It is
 *
 *   columns   varints, for each event one column after the other:
 *               a node's parent: 0, the node before it; 1, that one's parent; and so on
 *               the node's name
 *               the number that ended in the node, for each side; the root's, too
 *               for each sample how many 200ths of the time since the one before, the
 *               node, the number
 *   head      JSON: what is known of the profile, names, and events, each with
 *             the place of its columns ("at")
 *   4 bytes   length of the columns, little-endian
 *
 * Nodes are in the order of user/view/tree.h; the first two columns leave out the root.
 * Names are interned, so that what reads the same is the same, also in two profiles:
 *
 *   ["text","kind","space","module's path","file",line]   a frame
 *   ["command"," ","program","",pid,tid]                  a task
 */
#include "user/flame/page.h"

#include <errno.h>
#include <string.h>

#include <zlib.h>

#include "user/lib/buf.h"
#include "user/lib/embed.h"
#include "user/lib/guard.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"
#include "user/view/side.h"
#include "user/view/tree.h"

/* With more samples the page does not show when they were taken. */
#define TIMED_SAMPLES 2000000
#define PARTS	      200 /* of the time */

#define FILE_HERE(name) EMBED_FILE("user/flame/" name)

EMBED(page_html, FILE_HERE("page.html"));
EMBED(page_js, FILE_HERE("data.js") FILE_HERE("view.js") FILE_HERE("table.js")
		       FILE_HERE("page.js"));

struct page {
	struct side side[TREE_SIDES];
	u32 sides;
	u64 start, end;
	struct intern *names;
	struct buf head, data;
};

/* The escaped texts of a frame go into JSON as they are. */
static void add_escaped(struct buf *out, const char *text)
{
	_cleanup_buf_ struct buf escaped = { 0 };

	escape_text(text, ESCAPE_TEXT, &escaped);
	json_text(out, buf_text(&escaped));
	buf_addc(out, ',');
}

static void name_frame(const struct profile *p, u32 id, unsigned how,
		       struct buf *out)
{
	const struct frame *f = profile_frame(p, id);
	const char *path = profile_module(p, f->module, PROFILE_PATH);
	_cleanup_buf_ struct buf text = { 0 };

	(void)how;
	/* An expression stands where the place would. */
	text_frame(p, f, TEXT_SPACE | (f->expression ? TEXT_PLACE : 0), &text);
	buf_addc(out, '[');
	json_text(out, buf_text(&text));
	buf_addf(out, ",\"%c\",", text_kind(f));
	add_escaped(out, profile_text(p, f->space));
	add_escaped(out,
		    *path ? path : profile_module(p, f->module, PROFILE_NAME));
	add_escaped(out, profile_text(p, f->file));
	buf_addf(out, "%u]", f->line);
}

static void name_task(const struct profile *p, u32 id, unsigned how,
		      struct buf *out)
{
	const struct profile_task *t = profile_task(p, id);
	_cleanup_buf_ struct buf text = { 0 };

	(void)how;
	text_name(profile_text(p, t->comm), &text);
	buf_addc(out, '[');
	json_text(out, buf_text(&text));
	buf_adds(out, ",\" \",");
	add_escaped(out, profile_text(p, t->program));
	buf_addf(out, "\"\",%u,%u]", t->pid, t->tid);
}

static void add_text(struct page *h, const char *key, const char *text)
{
	json_key(&h->head, key);
	json_text(&h->head, text);
}

/* When the samples begin and end; 0 and 0: not known. */
static void read_times(struct page *h)
{
	const struct profile *p = h->side[0].profile;
	u64 first, last;

	if (!p->samples)
		return;
	first = p->sample[0].time;
	last = p->sample[p->samples - 1].time;
	h->start = p->start && p->start < first ? p->start : first;
	h->end = p->end > last ? p->end : last;
}

/* [[time,count,"text"],…] */
static void add_notes(struct page *h, const char *key,
		      const struct profile_notes *notes)
{
	const struct profile *p = h->side[0].profile;

	json_key(&h->head, key);
	buf_addc(&h->head, '[');
	for (size_t i = 0; i < notes->n; i++) {
		const struct profile_note *n = &notes->at[i];

		json_next(&h->head);
		buf_addf(&h->head, "[%.0f,%llu,", (double)n->time - h->start,
			 n->count);
		json_text(&h->head, profile_text(p, n->text));
		buf_addc(&h->head, ']');
	}
	buf_addc(&h->head, ']');
}

static void add_profile(struct page *h)
{
	const struct profile *p = h->side[0].profile;

	read_times(h);
	buf_addf(&h->head,
		 "{\"sides\":%u,\"parts\":%d,\"start\":%llu,\"duration\":%llu",
		 h->sides, PARTS, p->start_real, h->end - h->start);
	add_text(h, "host", profile_text(p, p->host));
	add_text(h, "kernel", profile_text(p, p->kernel));
	add_text(h, "options", profile_text(p, p->options));
	add_notes(h, "marks", &p->marks);
	add_notes(h, "losses", &p->losses);
	buf_adds(&h->head, ",\"walkers\":[");
	for (u8 i = 0; *text_title(i) != '?'; i++) {
		json_next(&h->head);
		json_text(&h->head, text_title(i));
	}
	buf_adds(&h->head, "],\"names\":[");
	for (u32 i = 0; i < intern_count(h->names); i++) {
		json_next(&h->head);
		buf_adds(&h->head, intern_get(h->names, i, NULL));
	}
}

/* A stack's number is its value; where samples stand for a time, their number: smaller,
 * and the page knows the time. */
static bool is_time(const struct profile *p, u32 event)
{
	const struct profile_event *e = &p->event[event];

	return event >= p->events ||
	       (e->interval &&
		!strcmp(profile_text(p, e->unit), "nanoseconds"));
}

static void add_columns(struct page *h, const struct tree *t)
{
	for (size_t i = 1; i < t->n; i++)
		protobuf_varint(&h->data,
				t->node[i - 1].depth + 1 - t->node[i].depth);
	for (size_t i = 1; i < t->n; i++)
		protobuf_varint(&h->data, t->node[i].name);
	for (u32 side = 0; side < h->sides; side++)
		for (size_t i = 0; i < t->n; i++)
			protobuf_varint(&h->data, t->node[i].in[side]);
}

/* The node where each stack of the profile ends; stacks of other events: 0. */
static u32 *nodes_of(const struct tree *t, const struct profile *p)
{
	u32 *node = xcalloc(intern_count(p->stacks) + 1, sizeof(*node));

	for (size_t i = 0; i < t->stacks; i++)
		node[t->stack[i].id] = t->stack[i].node;
	return node;
}

/* The number of samples. */
static size_t add_times(struct page *h, const struct tree *t)
{
	const struct profile *p = h->side[0].profile;
	_cleanup_free_ u32 *node = nodes_of(t, p);
	u64 length = (h->end - h->start) / PARTS ?: 1, last = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *s = &p->sample[i];
		u64 part = (s->time - h->start) / length;

		if (part >= PARTS) /* the end itself */
			part = PARTS - 1;
		if (!node[s->stack])
			continue;
		protobuf_varint(&h->data, part - last);
		protobuf_varint(&h->data, node[s->stack]);
		protobuf_varint(&h->data,
				h->side[0].counts ? s->weight : s->value);
		last = part;
		n++;
	}
	return n;
}

/* Append the columns of the sides' event to data, and what the page has to know of them to
 * head.  A number that is not there is an event without samples. */
static void add_event(struct page *h)
{
	size_t at = h->data.len, times = 0;
	struct tree t = { 0 };

	for (u32 i = 0; i < h->sides; i++) {
		struct side *s = &h->side[i];

		s->counts = is_time(s->profile, s->event);
		s->samples = 0;
		side_add(s, &t, i);
	}
	tree_build(&t);
	add_columns(h, &t);
	if (h->sides == 1 && h->side[0].profile->samples <= TIMED_SAMPLES)
		times = add_times(h, &t);
	buf_addf(
		&h->head,
		",\"samples\":[%llu,%llu],\"nodes\":%zu,\"times\":%zu,\"at\":%zu}",
		h->side[0].samples, h->side[1].samples, t.n, times, at);
	tree_release(&t);
}

/* The events of one side, with the other's of the same name; of the second side only what
 * the first one has not. */
static void add_events(struct page *h, u32 side)
{
	const struct profile *p = h->side[side].profile,
			     *other = h->side[!side].profile;

	for (u32 i = 0; i < p->events || (!i && !side); i++) {
		const struct profile_event *e = &p->event[i];
		const char *name = profile_text(p, e->name);

		h->side[side].event = i;
		if (other)
			h->side[!side].event = side_event(other, name);
		if (side && h->side[0].event < other->events)
			continue;
		buf_addf(&h->head, "%s{\"interval\":%llu",
			 i || side ? "," : "],\"events\":[", e->interval);
		add_text(h, "name", name);
		add_text(h, "unit", profile_text(p, e->unit));
		add_event(h);
	}
}

/* Two bytes behind them are read, too. */
static void add_base64(const u8 *in, size_t len, struct buf *out)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3)
		for (int shift = 18; shift >= 0; shift -= 6)
			buf_addc(out, digit[(in[i] << 16 | in[i + 1] << 8 |
					     in[i + 2]) >>
						    shift &
					    63]);
	for (size_t over = (3 - len % 3) % 3; over; over--)
		out->data[out->len - over] = '=';
}

static void add_packed(const struct buf *bytes, struct buf *out)
{
	uLong len = compressBound(bytes->len);
	_cleanup_free_ u8 *packed = xcalloc(len + 2, 1);

	if (compress(packed, &len, (u8 *)bytes->data, bytes->len) != Z_OK)
		mem_exhausted();
	add_base64(packed, len, out);
}

static int put_page(struct page *h, FILE *out)
{
	_cleanup_buf_ struct buf text = { 0 };
	size_t columns = h->data.len;

	if (columns >> 32)
		return -EFBIG;
	buf_add(&h->data, h->head.data, h->head.len);
	for (int i = 0; i < 4; i++)
		buf_addc(&h->data, columns >> 8 * i);
	buf_adds(&text, page_html);
	buf_adds(&text,
		 "<script type=\"application/octet-stream\" id=\"data\">");
	add_packed(&h->data, &text);
	buf_addf(&text, "</script>\n<script>\n%s</script>\n", page_js);
	return format_put(&text, out);
}

int html_diff(struct profile *a, struct profile *b, FILE *out)
{
	struct page h = { .side = { { a }, { b } },
			  .sides = b ? 2 : 1,
			  .names = intern_new() };
	int err;

	for (u32 i = 0; i < h.sides; i++) {
		struct side *s = &h.side[i];
		const struct profile *p = s->profile;

		s->frames = side_names(h.names, p, intern_count(p->frames),
				       name_frame, 0);
		s->tasks = side_names(h.names, p, intern_count(p->tasks),
				      name_task, 0);
	}
	add_profile(&h);
	for (u32 i = 0; i < h.sides; i++)
		add_events(&h, i);
	buf_adds(&h.head, "]}");
	err = put_page(&h, out);
	for (u32 i = 0; i < h.sides; i++)
		side_release(&h.side[i]);
	intern_free(h.names);
	buf_release(&h.head);
	buf_release(&h.data);
	return err;
}

int html_write(struct profile *p, FILE *out)
{
	return html_diff(p, NULL, out);
}
