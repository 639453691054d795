/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A flame graph in one file: page.html, the profile, and the *.js here, which show it.
 *
 * The profile is in a <script> of a type that browsers do not run, in base64, compressed
 * (raw deflate): nothing in it can be taken for HTML.  It is
 *
 *   4 bytes   length of the head, little-endian
 *   head      JSON: what is known of the profile, texts, names (names.h), and events,
 *             each with the place of its columns ("at") in what follows
 *   columns   varints, for each event one column after the other:
 *               a node's parent: 0, the node before it; 1, that one's parent; and so on
 *               the node's name
 *               the number that ended in the node, for each side; the root's, too
 *               for each part of the time how many pairs follow: node, number
 *
 * Nodes are in the order of user/view/tree.h; the first two columns leave out the root.
 */
#include "user/flame/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "user/lib/guard.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/flame/names.h"
#include "user/flame/tree.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

/* The bytes of files, one after the other, and a NUL. */
#define FILES(name, bytes)                                              \
	extern const char name[] __attribute__((visibility("hidden"))); \
	__asm__(".pushsection .rodata\n" #name ":\n" bytes              \
		".byte 0\n.popsection")
#define BYTES(file) ".incbin \"user/flame/" file "\"\n"

FILES(page_html, BYTES("page.html"));
FILES(page_js, BYTES("data.js") BYTES("view.js") BYTES("page.js"));

static void add_text(struct page *h, const char *key, const char *text)
{
	buf_addf(&h->head, ",\"%s\":", key);
	json_text(&h->head, text);
}

static void add_notes(struct page *h, const char *key,
		      const struct profile_notes *notes, u64 start)
{
	const struct profile *p = h->side[0].profile;

	buf_addf(&h->head, ",\"%s\":[", key);
	for (size_t i = 0; i < notes->n; i++) {
		const struct profile_note *n = &notes->at[i];

		buf_addf(&h->head, "%s[%.0f,%llu,", i ? "," : "",
			 (double)n->time - start, n->count);
		json_text(&h->head, profile_text(p, n->text));
		buf_addc(&h->head, ']');
	}
	buf_addc(&h->head, ']');
}

/* What the walkers call their kinds of frames. */
static void add_kinds(struct page *h)
{
	buf_adds(&h->head, ",\"walkers\":[");
	for (u8 i = 0; *text_title(i) != '?'; i++) {
		buf_adds(&h->head, i ? "," : "");
		json_text(&h->head, text_title(i));
	}
	buf_addc(&h->head, ']');
}

static void add_profile(struct page *h)
{
	const struct profile *p = h->side[0].profile;
	u64 start, end;

	tree_times(p, &start, &end);
	buf_addf(&h->head,
		 "{\"sides\":%u,\"start\":%llu,\"duration\":%llu,"
		 "\"coarse\":%s",
		 h->sides, p->start_real, end - start,
		 p->samples > TREE_SAMPLES ? "true" : "false");
	add_text(h, "host", profile_text(p, p->host));
	add_text(h, "kernel", profile_text(p, p->kernel));
	add_text(h, "options", profile_text(p, p->options));
	add_notes(h, "marks", &p->marks, start);
	add_notes(h, "losses", &p->losses, start);
	add_kinds(h);
	buf_adds(&h->head, ",\"names\":[");
	for (u32 i = 0; i < intern_count(h->names); i++) {
		buf_adds(&h->head, i ? "," : "");
		buf_adds(&h->head, intern_get(h->names, i, NULL));
	}
	buf_addc(&h->head, ']');
}

/* The event of the profile that has that name; their number: there is none. */
static u32 event_named(const struct profile *p, const char *name)
{
	u32 i = 0;

	while (i < p->events &&
	       strcmp(profile_text(p, p->event[i].name), name) != 0)
		i++;
	return i;
}

/* Those of A, with B's of the same name; then those that only B has. */
static void add_events(struct page *h)
{
	const struct profile *a = h->side[0].profile, *b = h->side[1].profile;
	u32 event[TREE_SIDES] = { 0 }, i = 0;

	buf_adds(&h->head, ",\"events\":[");
	do {
		event[0] = i;
		if (b)
			event[1] = event_named(
				b, profile_text(a, a->event[i].name));
		if (i)
			buf_addc(&h->head, ',');
		tree_pack(h, event);
	} while (++i < a->events);
	for (i = 0; b && i < b->events; i++) {
		event[0] = event_named(a, profile_text(b, b->event[i].name));
		event[1] = i;
		if (event[0] < a->events)
			continue;
		buf_addc(&h->head, ',');
		tree_pack(h, event);
	}
	buf_adds(&h->head, "]}");
}

static void encode(const u8 *in, size_t len, struct buf *out)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		u32 bits = in[i] << 16 | (i + 1 < len ? in[i + 1] << 8 : 0) |
			   (i + 2 < len ? in[i + 2] : 0);

		buf_addc(out, digit[bits >> 18]);
		buf_addc(out, digit[bits >> 12 & 63]);
		buf_addc(out, i + 1 < len ? digit[bits >> 6 & 63] : '=');
		buf_addc(out, i + 2 < len ? digit[bits & 63] : '=');
	}
}

struct pack {
	z_stream z;
	FILE *out;
	struct buf text;
	u8 chunk[3 << 14]; /* what is compressed; encoded when it is full */
};

static int put_chunk(struct pack *p)
{
	buf_reset(&p->text);
	encode(p->chunk, sizeof(p->chunk) - p->z.avail_out, &p->text);
	p->z.next_out = p->chunk;
	p->z.avail_out = sizeof(p->chunk);
	return format_put(&p->text, p->out);
}

/* Compress and write.  finish: nothing follows. */
static int pack(struct pack *p, const void *bytes, size_t len, bool finish)
{
	static const size_t most = 1 << 30;
	size_t left = len;
	int status = Z_OK, err = 0;

	p->z.next_in = (u8 *)bytes;
	while (!err &&
	       (p->z.avail_in || left || (finish && status != Z_STREAM_END))) {
		size_t n = left < most ? left : most;

		if (!p->z.avail_in) {
			p->z.avail_in = n;
			left -= n;
		}
		status =
			deflate(&p->z, finish && !left ? Z_FINISH : Z_NO_FLUSH);
		if (!p->z.avail_out || status == Z_STREAM_END)
			err = put_chunk(p);
	}
	return err;
}

static int put_data(struct page *h, FILE *out)
{
	_cleanup_free_ struct pack *p = xcalloc(1, sizeof(*p));
	const u8 len[] = { h->head.len, h->head.len >> 8, h->head.len >> 16,
			   h->head.len >> 24 };
	int err;

	if (deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS,
			 8, Z_DEFAULT_STRATEGY) != Z_OK)
		mem_exhausted();
	p->out = out;
	p->z.next_out = p->chunk;
	p->z.avail_out = sizeof(p->chunk);
	err = pack(p, len, sizeof(len), false);
	if (!err)
		err = pack(p, h->head.data, h->head.len, false);
	if (!err)
		err = pack(p, h->data.data, h->data.len, true);
	deflateEnd(&p->z);
	buf_release(&p->text);
	return err;
}

static int put(const char *text, FILE *out)
{
	return fputs(text, out) < 0 ? -(errno ? errno : EIO) : 0;
}

static int put_page(struct page *h, FILE *out)
{
	int err = put(page_html, out);

	if (!err)
		err = put("<script type=\"application/octet-stream\" "
			  "id=\"data\">",
			  out);
	if (!err)
		err = put_data(h, out);
	if (!err)
		err = put("</script>\n<script>\n", out);
	if (!err)
		err = put(page_js, out);
	return err ? err : put("</script>\n", out);
}

static int write_page(struct page *h, FILE *out)
{
	int err;

	h->names = intern_new();
	for (u32 i = 0; i < h->sides; i++) {
		struct page_side *s = &h->side[i];

		s->frames = names_frames(h->names, s->profile);
		s->tasks = names_tasks(h->names, s->profile);
	}
	add_profile(h);
	add_events(h);
	err = ferror(out) ? -EIO : put_page(h, out);
	for (u32 i = 0; i < h->sides; i++) {
		free(h->side[i].frames);
		free(h->side[i].tasks);
	}
	intern_free(h->names);
	buf_release(&h->head);
	buf_release(&h->data);
	return err;
}

int html_write(struct profile *p, FILE *out)
{
	struct page h = { .side = { { .profile = p } }, .sides = 1 };

	return write_page(&h, out);
}

int html_diff(struct profile *a, struct profile *b, FILE *out)
{
	struct page h = { .side = { { .profile = a }, { .profile = b } },
			  .sides = 2 };

	return write_page(&h, out);
}
