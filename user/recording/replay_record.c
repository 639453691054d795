/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Most records are a row of numbers.  Each refers only to what stands before it, which is
 * checked here once, so nobody else has to.
 */
#include "user/recording/replay_record.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/recording/layout.h"
#include "user/recording/replay.h"
#include "walkers/walker.h"

/* Add an item to a list. */
#define ADD(list, ...)                                            \
	((list).at = xgrow((list).at, (list).n, &(list).capacity, \
			   sizeof(*(list).at)),                   \
	 (list).at[(list).n++] = (__VA_ARGS__))

static void name_walker(struct replay *r, const struct protobuf *p)
{
	size_t id = 0;

	while (id < WALKER_COUNT &&
	       !(p->bytes && strlen(walkers[id]->name) == p->number &&
		 !memcmp(walkers[id]->name, p->bytes, p->number)))
		id++;
	r->walker = xreallocarray(r->walker, r->walkers + 1, 1);
	r->walker[r->walkers++] = id < WALKER_COUNT ? id : 255;
}

static bool read_head(struct replay *r, struct protobuf p)
{
	while (protobuf_next(&p)) {
		u32 i = p.field - 1;

		if (i < 4 && p.bytes) {
			free(r->head[i]);
			r->head[i] = xstrndup((const char *)p.bytes, p.number);
		} else if (p.field == 5) {
			r->monotonic = p.number;
		} else if (p.field == 6) {
			r->realtime = p.number;
		} else if (p.field == 7 && r->walkers < 255) {
			name_walker(r, &p);
		}
	}
	return !p.broken;
}

static bool read_text(struct replay *r, struct protobuf p)
{
	ADD(r->text, r->texts.len);
	while (protobuf_next(&p))
		if (p.field == 1 && p.bytes)
			buf_add(&r->texts, p.bytes,
				strnlen((char *)p.bytes, p.number));
	buf_addc(&r->texts, '\0');
	return !p.broken;
}

/* The numbers of a record by their fields. */
static bool read_numbers(struct protobuf p, u64 *number)
{
	memset(number, 0, LAYOUT_NUMBERS * sizeof(*number));
	while (protobuf_next(&p))
		if (p.field < LAYOUT_NUMBERS && !p.bytes)
			number[p.field] = p.number;
	return !p.broken;
}

/* How many things there are of what a field is the id of. */
static u64 count_of(const struct replay *r, char field)
{
	switch (field) {
	case 'T':
		return r->text.n;
	case 'M':
		return r->module.n;
	case 'F':
		return r->function.n;
	case 'R':
		return r->frame.n;
	case 'S':
		return r->stack.n;
	default:
		return ~0ull;
	}
}

/* Take the numbers of a record.  False: it refers to what is not there. */
static bool take(const struct replay *r, const struct layout *l, const u64 *v,
		 void *record)
{
	for (size_t i = 0; l->fields[i]; i++)
		if (v[i + 1] > count_of(r, l->fields[i]))
			return false;
	layout_write(l, record, v);
	return true;
}

static u32 walker_of(const struct replay *r, u64 number)
{
	return number < r->walkers ? r->walker[number] : 255;
}

static bool add_function(struct replay *r, struct recording_function f)
{
	u32 walker = f.walker ? walker_of(r, f.walker - 1) : 255;

	f.walker = walker == 255 ? 0 : walker + 1;
	ADD(r->function, f);
	return true;
}

static bool add_frame(struct replay *r, struct frame f, const u64 *v)
{
	u32 walker = walker_of(r, v[2]);

	if (v[1] > FRAME_IS_MARKER ||
	    ((f.type == FRAME_IS_SCRIPT || f.called) && walker == 255))
		return false;
	f.walker = walker == 255 ? 0 : walker;
	ADD(r->frame, f);
	ADD(r->address, (struct recording_address){ 0 });
	return true;
}

static bool add_stack(struct replay *r, struct recording_stack s)
{
	u32 depth = s.outer ? 1 + r->depth.at[s.outer - 1] : 1;

	if (!s.frame || depth > REPLAY_DEPTH_MAX)
		return false;
	ADD(r->stack, s);
	ADD(r->depth, depth);
	return true;
}

static bool give_sample(struct replay *r, const struct replay_sink *sink,
			const u64 *v)
{
	struct recording_sample s = {
		.time = r->time + protobuf_unsign(v[1]),
		.task = v[2],
		.cpu = v[3] ? v[3] - 1 : 0,
		.event = v[4] ? v[4] : 1,
		.stack = v[5],
		.weight = v[6] ? v[6] : 1,
		.value = v[7],
	};

	if (!s.task || v[2] > r->task.n || s.event > r->event.n ||
	    v[4] > r->event.n || v[5] > r->stack.n)
		return false;
	if (!s.value)
		s.value = s.weight * r->event.at[s.event - 1].interval;
	r->time = s.time;
	r->samples++;
	sink->sample(sink->ctx, &s);
	return true;
}

static bool add_inlined(struct replay *r, struct protobuf p)
{
	struct recording_inlined in;
	u64 v[LAYOUT_NUMBERS];

	if (!read_numbers(p, v) || !take(r, &layout_inlined, v, &in))
		return false;
	ADD(r->inlined, in);
	return true;
}

static bool read_address(struct replay *r, struct protobuf p)
{
	struct recording_address a = { .first = r->inlined.n };
	u64 v[LAYOUT_NUMBERS];
	bool sound = read_numbers(p, v) &&
		     take(r, &layouts[RECORDING_ADDRESS], v, &a) && a.frame &&
		     a.function;

	while (sound && protobuf_next(&p))
		if (p.field == 6 && p.bytes)
			sound = add_inlined(r, protobuf_inner(&p));
	a.inlines = r->inlined.n - a.first;
	if (sound)
		r->address.at[a.frame - 1] = a;
	return sound;
}

static void forget(struct replay *r, const struct replay_sink *sink)
{
	if (sink->forget)
		sink->forget(sink->ctx);
	r->texts.len = r->text.n = r->module.n = r->function.n = 0;
	r->frame.n = r->stack.n = r->depth.n = r->task.n = r->event.n = 0;
	r->address.n = r->inlined.n = 0;
	r->time = 0;
}

union row {
	struct recording_module module;
	struct recording_function function;
	struct frame frame;
	struct recording_stack stack;
	struct recording_task task;
	struct recording_event event;
	struct recording_note note;
	struct recording_summary summary;
	struct recording_calls calls;
};

/* A record of numbers. */
static bool read_row(struct replay *r, const struct replay_sink *sink,
		     enum recording_kind kind, const u64 *v)
{
	union row row;

	memset(&row, 0, sizeof(row));
	if (!take(r, &layouts[kind], v, &row))
		return false;
	switch (kind) {
	case RECORDING_MODULE:
		ADD(r->module, row.module);
		break;
	case RECORDING_FUNCTION:
		return add_function(r, row.function);
	case RECORDING_FRAME:
		return add_frame(r, row.frame, v);
	case RECORDING_STACK:
		return add_stack(r, row.stack);
	case RECORDING_TASK:
		ADD(r->task, row.task);
		break;
	case RECORDING_EVENT:
		ADD(r->event, row.event);
		break;
	case RECORDING_FORGET:
		forget(r, sink);
		break;
	case RECORDING_SUMMARY:
		r->summary = row.summary;
		r->has_summary = true;
		break;
	case RECORDING_CALLS:
		if (sink->calls)
			sink->calls(sink->ctx, &row.calls);
		break;
	default:
		sink->note(sink->ctx, kind, &row.note);
	}
	return true;
}

static bool read_record(struct replay *r, const struct replay_sink *sink,
			struct protobuf p)
{
	u64 v[LAYOUT_NUMBERS];

	while (protobuf_next(&p)) {
		struct protobuf inner = protobuf_inner(&p);
		bool sound;

		if (p.field == RECORDING_HEAD)
			sound = read_head(r, inner);
		else if (p.field == RECORDING_TEXT)
			sound = read_text(r, inner);
		else if (p.field == RECORDING_ADDRESS)
			sound = read_address(r, inner);
		else if (p.field == RECORDING_SAMPLE)
			sound = read_numbers(inner, v) &&
				give_sample(r, sink, v);
		else if (p.field && p.field <= RECORDING_CALLS)
			sound = read_numbers(inner, v) &&
				read_row(r, sink, p.field, v);
		else /* of a newer version */
			sound = true;
		if (!sound)
			return false;
	}
	return !p.broken;
}

bool replay_block(struct replay *r, const struct replay_sink *sink,
		  const void *bytes, size_t len)
{
	struct protobuf p = protobuf_read(bytes, len);
	u64 size;

	while (p.at < p.end) {
		if (!protobuf_next_varint(&p, &size) ||
		    size > (u64)(p.end - p.at) ||
		    !read_record(r, sink, protobuf_read(p.at, size)))
			return false;
		p.at += size;
	}
	return true;
}
