/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/intake/record.h"

#include <stdlib.h>
#include <string.h>

u32 record_type(const void *record, size_t len)
{
	u32 type = 0;

	if (len >= sizeof(type))
		memcpy(&type, record, sizeof(type));
	return type;
}

u64 record_time(const void *record, size_t len)
{
	const struct record_mapped *m = record;
	const struct sample *s = record;
	const struct notice *n = record;

	switch (record_type(record, len)) {
	case RECORD_SAMPLE:
	case RECORD_DEFERRED:
	case RECORD_CALL:
		return len < sizeof(*s) ? 0 : s->time;
	case RECORD_NOTICE:
		return len < sizeof(*n) ? 0 : n->time;
	case RECORD_MAPPED:
		return m->event.time;
	default:
		return 0;
	}
}

static bool is_sample(const struct sample *s, size_t len)
{
	return len >= sizeof(*s) && s->kernel_words <= s->words &&
	       s->words <= (len - sizeof(*s)) / sizeof(u64);
}

static bool is_deferred(const struct sample *s, size_t len)
{
	const struct deferred *d;
	size_t head;

	if (!is_sample(s, len))
		return false;
	head = sizeof(*s) + s->words * sizeof(u64) + sizeof(*d);
	if (len < head)
		return false;
	d = deferred_of(s);
	return d->placed <= s->words &&
	       len - head ==
		       (size_t)deferred_pages(d->pages, DEFERRED_MASKS * 64) *
			       DEFERRED_PAGE;
}

static bool is_text(const struct text *t, size_t len)
{
	return len >= offsetof(struct text, text) && t->len < TEXT_MAX &&
	       len - offsetof(struct text, text) >= t->len;
}

static bool is_sound(const void *record, size_t len)
{
	switch (record_type(record, len)) {
	case RECORD_SAMPLE:
	case RECORD_CALL:
		return is_sample(record, len);
	case RECORD_DEFERRED:
		return is_deferred(record, len);
	case RECORD_TEXT:
		return is_text(record, len);
	case RECORD_NOTICE:
		return len >= sizeof(struct notice);
	case RECORD_MAPPED:
		return true;
	default:
		return false;
	}
}

static void give_mapped(struct record_mapped *m, const struct record_sink *sink)
{
	m->event.map.path = m->path;
	sink->mapped(sink->processes, &m->event);
}

bool record_give(void *record, size_t len, const struct record_sink *sink)
{
	bool is_good = is_sound(record, len);

	switch (is_good ? record_type(record, len) : 0) {
	case RECORD_DEFERRED:
		sink->deferred(sink->processes, record, len);
		return true;
	case RECORD_SAMPLE:
		sink->sample(sink->ctx, record);
		break;
	case RECORD_CALL:
		sink->call(sink->ctx, record);
		break;
	case RECORD_TEXT:
		sink->text(sink->texts, record);
		break;
	case RECORD_NOTICE:
		sink->notice(sink->processes, record);
		break;
	case RECORD_MAPPED:
		give_mapped(record, sink);
		break;
	}
	free(record);
	return is_good;
}
