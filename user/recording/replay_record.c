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
#include "user/recording/replay.h"
#include "walkers/walker.h"

#define FIELDS 12 /* more than a record of numbers has */

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
	memset(number, 0, FIELDS * sizeof(*number));
	while (protobuf_next(&p))
		if (p.field < FIELDS && !p.bytes)
			number[p.field] = p.number;
	return !p.broken;
}

/* Whether id is one of n things, or none. */
static bool is_id(u64 id, size_t n)
{
	return id <= n;
}

static bool is_text(const struct replay *r, u64 id)
{
	return id <= r->text.n;
}

static bool add_module(struct replay *r, const u64 *v)
{
	if (!is_text(r, v[1]) || !is_text(r, v[2]) || !is_text(r, v[3]))
		return false;
	ADD(r->module, (struct recording_module){ v[1], v[2], v[3] });
	return true;
}

static u32 walker_of(const struct replay *r, u64 number)
{
	return number < r->walkers ? r->walker[number] : 255;
}

static bool add_function(struct replay *r, const u64 *v)
{
	u32 walker = v[5] ? walker_of(r, v[5] - 1) + 1 : 0;

	if (!is_id(v[1], r->module.n) || !is_text(r, v[3]) || !is_text(r, v[6]))
		return false;
	ADD(r->function,
	    (struct recording_function){ .module = v[1],
					 .start = v[2],
					 .name = v[3],
					 .role = v[4],
					 .walker = walker > 255 ? 0 : walker,
					 .script = v[6] });
	return true;
}

static bool add_frame(struct replay *r, const u64 *v)
{
	u32 walker = walker_of(r, v[2]);

	if (v[1] > FRAME_IS_MARKER || !is_id(v[4], r->module.n))
		return false;
	if ((v[1] == FRAME_IS_SCRIPT || v[11]) && walker == 255)
		return false;
	for (int i = 6; i <= 11; i++)
		if (i != 9 && !is_text(r, v[i]))
			return false;
	ADD(r->frame, (struct frame){ .type = v[1],
				      .walker = walker == 255 ? 0 : walker,
				      .flags = v[3],
				      .module = v[4],
				      .address = v[5],
				      .space = v[6],
				      .name = v[7],
				      .file = v[8],
				      .line = v[9],
				      .expression = v[10],
				      .called = v[11] });
	ADD(r->address, (struct recording_address){ 0 });
	return true;
}

static bool add_stack(struct replay *r, const u64 *v)
{
	u32 depth = 1;

	if (!is_id(v[1], r->stack.n) || !v[2] || !is_id(v[2], r->frame.n))
		return false;
	if (v[1])
		depth += r->depth.at[v[1] - 1];
	if (depth > REPLAY_DEPTH_MAX)
		return false;
	ADD(r->stack, (struct recording_stack){ v[1], v[2] });
	ADD(r->depth, depth);
	return true;
}

static bool add_task(struct replay *r, const u64 *v)
{
	if (!is_text(r, v[3]) || !is_text(r, v[4]) || !is_text(r, v[5]))
		return false;
	ADD(r->task, (struct recording_task){ v[1], v[2], v[3], v[4], v[5] });
	return true;
}

static bool add_event(struct replay *r, const u64 *v)
{
	if (!is_text(r, v[1]) || !is_text(r, v[2]))
		return false;
	ADD(r->event, (struct recording_event){ v[1], v[2], v[3] });
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

	if (!s.task || !is_id(v[2], r->task.n) || s.event > r->event.n ||
	    v[4] > r->event.n || !is_id(v[5], r->stack.n))
		return false;
	if (!s.value)
		s.value = s.weight * r->event.at[s.event - 1].interval;
	r->time = s.time;
	r->samples++;
	sink->sample(sink->ctx, &s);
	return true;
}

static bool give_note(struct replay *r, const struct replay_sink *sink,
		      enum recording_kind kind, const u64 *v)
{
	const struct recording_note n = { v[1], v[3], v[2] };

	if (!is_text(r, v[2]))
		return false;
	sink->note(sink->ctx, kind, &n);
	return true;
}

static bool add_inlined(struct replay *r, struct protobuf p)
{
	u64 v[FIELDS];

	if (!read_numbers(p, v) || !is_text(r, v[1]) || !is_text(r, v[2]))
		return false;
	ADD(r->inlined, (struct recording_inlined){ v[1], v[2], v[3] });
	return true;
}

static bool read_address(struct replay *r, struct protobuf p)
{
	size_t first = r->inlined.n;
	bool sound = true;
	u64 v[FIELDS];

	sound = read_numbers(p, v) && v[1] && is_id(v[1], r->frame.n) && v[2] &&
		is_id(v[2], r->function.n) && is_text(r, v[3]);
	while (sound && protobuf_next(&p))
		if (p.field == 6 && p.bytes)
			sound = add_inlined(r, protobuf_inner(&p));
	if (sound)
		r->address.at[v[1] - 1] = (struct recording_address){
			.frame = v[1],
			.function = v[2],
			.file = v[3],
			.line = v[4],
			.code = v[5],
			.first = first,
			.inlines = r->inlined.n - first,
		};
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

/* Records of numbers. */
static bool read_row(struct replay *r, const struct replay_sink *sink,
		     enum recording_kind kind, const u64 *v)
{
	switch (kind) {
	case RECORDING_MODULE:
		return add_module(r, v);
	case RECORDING_FUNCTION:
		return add_function(r, v);
	case RECORDING_FRAME:
		return add_frame(r, v);
	case RECORDING_STACK:
		return add_stack(r, v);
	case RECORDING_TASK:
		return add_task(r, v);
	case RECORDING_EVENT:
		return add_event(r, v);
	case RECORDING_SAMPLE:
		return give_sample(r, sink, v);
	case RECORDING_MARK:
	case RECORDING_LOSS:
		return give_note(r, sink, kind, v);
	case RECORDING_FORGET:
		forget(r, sink);
		return true;
	case RECORDING_SUMMARY:
		r->summary =
			(struct recording_summary){ v[1], v[2], v[3], v[4] };
		r->has_summary = true;
		return true;
	default: /* of a newer version */
		return true;
	}
}

static bool read_record(struct replay *r, const struct replay_sink *sink,
			struct protobuf p)
{
	u64 v[FIELDS];

	while (protobuf_next(&p)) {
		struct protobuf inner = protobuf_inner(&p);
		bool sound;

		if (p.field == RECORDING_HEAD)
			sound = read_head(r, inner);
		else if (p.field == RECORDING_TEXT)
			sound = read_text(r, inner);
		else if (p.field == RECORDING_ADDRESS)
			sound = read_address(r, inner);
		else
			sound = read_numbers(inner, v) &&
				read_row(r, sink, p.field, v);
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
