/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The stores of user/lib/intern.h give the ids.  A sample says only what is not usual:
 * one event, of the first kind, with the value that its interval has.
 */
#include "user/recording/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/recording/layout.h"
#include "walkers/walker.h"

#define BLOCK	   (60u << 10) /* bytes after which a block is written */
#define BLOCK_HEAD 8

struct writer {
	int fd, err;
	/* By enum recording_kind, from RECORDING_TEXT to RECORDING_EVENT. */
	struct intern *store[RECORDING_EVENT + 1];
	struct buf block, record;
	u64 time; /* of the last sample */
	u64 written;
	u64 samples, saved; /* added; of them, in the file */
};

static void new_stores(struct writer *w)
{
	w->store[RECORDING_TEXT] = intern_new_texts();
	for (int i = RECORDING_MODULE; i <= RECORDING_EVENT; i++)
		w->store[i] = intern_new();
}

static void free_stores(struct writer *w)
{
	for (int i = RECORDING_TEXT; i <= RECORDING_EVENT; i++)
		intern_free(w->store[i]);
}

static void put(struct writer *w, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len && !w->err) {
		ssize_t n = write(w->fd, at, len);

		if (n < 0 && errno != EINTR)
			w->err = -errno;
		if (n < 0)
			continue;
		at += n;
		len -= n;
		w->written += n;
	}
}

static void set_u32(u8 *to, u32 value)
{
	for (int i = 0; i < 4; i++)
		to[i] = value >> 8 * i;
}

int writer_flush(struct writer *w)
{
	u8 *head = (u8 *)w->block.data;
	size_t len = w->block.len - BLOCK_HEAD;

	if (len) {
		set_u32(head, len);
		set_u32(head + 4, crc32(0, head + BLOCK_HEAD, len));
		put(w, w->block.data, w->block.len);
	}
	w->block.len = BLOCK_HEAD;
	if (!w->err)
		w->saved = w->samples;
	return w->err;
}

static size_t open_record(struct writer *w, enum recording_kind kind)
{
	buf_reset(&w->record);
	return protobuf_open(&w->record, kind);
}

static void close_record(struct writer *w, size_t opened)
{
	protobuf_close(&w->record, opened);
	protobuf_varint(&w->block, w->record.len);
	buf_add(&w->block, w->record.data, w->record.len);
	if (w->block.len > BLOCK)
		writer_flush(w);
}

static void put_head(struct writer *w, const struct recording_head *h)
{
	static const u8 version[4] = { RECORDING_MAJOR & 0xff,
				       RECORDING_MAJOR >> 8,
				       RECORDING_MINOR & 0xff,
				       RECORDING_MINOR >> 8 };
	struct buf *out = &w->record;
	size_t at;

	put(w, RECORDING_MAGIC, RECORDING_MAGIC_LEN);
	put(w, version, sizeof(version));
	at = open_record(w, RECORDING_HEAD);
	protobuf_text(out, 1, h->version);
	protobuf_text(out, 2, h->host);
	protobuf_text(out, 3, h->kernel);
	protobuf_text(out, 4, h->options);
	protobuf_number(out, 5, h->monotonic);
	protobuf_number(out, 6, h->realtime);
	for (int i = 0; i < WALKER_COUNT; i++)
		protobuf_text(out, 7, walkers[i]->name);
	close_record(w, at);
}

struct writer *writer_new(int fd, const struct recording_head *head)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->fd = fd;
	new_stores(w);
	buf_add(&w->block, "\0\0\0\0\0\0\0", BLOCK_HEAD);
	put_head(w, head);
	return w;
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	free_stores(w);
	buf_release(&w->block);
	buf_release(&w->record);
	free(w);
}

u32 writer_text(struct writer *w, const char *text)
{
	struct intern *texts = w->store[RECORDING_TEXT];
	size_t known = intern_count(texts), at;
	u32 id = intern_text(texts, text);

	if (id < known)
		return id;
	at = open_record(w, RECORDING_TEXT);
	protobuf_text(&w->record, 1, text);
	close_record(w, at);
	return id;
}

static void put_numbers(struct buf *out, const struct layout *l,
			const void *what)
{
	u64 number[LAYOUT_NUMBERS];

	layout_read(l, what, number);
	for (u32 i = 1; l->fields[i - 1]; i++)
		protobuf_number(out, i, number[i]);
}

void writer_put(struct writer *w, enum recording_kind kind, const void *what)
{
	size_t at = open_record(w, kind);

	put_numbers(&w->record, &layouts[kind], what);
	close_record(w, at);
}

u32 writer_id(struct writer *w, enum recording_kind kind, const void *what)
{
	const struct intern_key key = { what, layouts[kind].size, NULL, 0 };
	size_t known = intern_count(w->store[kind]);
	u32 id = intern_id(w->store[kind], &key, true);

	if (id == known)
		writer_put(w, kind, what);
	return id + 1;
}

void writer_sample(struct writer *w, const struct recording_sample *s)
{
	const struct recording_event *e =
		s->event ? intern_get(w->store[RECORDING_EVENT], s->event - 1,
				      NULL)
			 : NULL;
	bool usual = e && s->value == s->weight * e->interval;
	size_t at = open_record(w, RECORDING_SAMPLE);

	protobuf_signed(&w->record, 1, s->time - w->time);
	protobuf_number(&w->record, 2, s->task);
	protobuf_number(&w->record, 3, s->cpu + 1ull);
	protobuf_number(&w->record, 4, s->event > 1 ? s->event : 0);
	protobuf_number(&w->record, 5, s->stack);
	protobuf_number(&w->record, 6, s->weight == 1 ? 0 : s->weight);
	protobuf_number(&w->record, 7, usual ? 0 : s->value);
	w->samples++;
	close_record(w, at);
	w->time = s->time;
}

void writer_address(struct writer *w, const struct recording_address *a)
{
	struct buf *out = &w->record;
	size_t at = open_record(w, RECORDING_ADDRESS), inner;

	put_numbers(out, &layouts[RECORDING_ADDRESS], a);
	for (size_t i = 0; i < a->inlines; i++) {
		inner = protobuf_open(out, 6);
		put_numbers(out, &layout_inlined, &a->inlined[i]);
		protobuf_close(out, inner);
	}
	close_record(w, at);
}

void writer_forget(struct writer *w)
{
	writer_put(w, RECORDING_FORGET, NULL);
	free_stores(w);
	new_stores(w);
	w->time = 0;
}

size_t writer_bytes(const struct writer *w)
{
	size_t sum = 0;

	for (int i = RECORDING_TEXT; i <= RECORDING_EVENT; i++)
		sum += intern_bytes(w->store[i]);
	return sum;
}

u64 writer_written(const struct writer *w)
{
	return w->written;
}

u64 writer_samples(const struct writer *w)
{
	return w->saved;
}
