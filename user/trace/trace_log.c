/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Calls one by one.
 *
 *   SECONDS  THREAD  > name arguments       begins; indented by the calls around it
 *   SECONDS  THREAD  < name error 12.3 us = value
 *
 * Chrome's trace events are complete ones ("X"), a lane for each thread and each coroutine.
 */
#include "user/lib/json.h"
#include "user/output/escape.h"
#include "user/report/counts.h"
#include "user/trace/trace_part.h"

#include <jpbpf/frame.h>

#define LANE_OF_COROUTINE 0x40000000u /* beyond all thread ids */

static const char *name_of(const struct trace *t, const struct function *f)
{
	return f->pattern->id ?: intern_get(t->names, f->name, NULL);
}

static void put_line(struct trace *t, const struct function *f,
		     const struct sample *s, struct buf *out)
{
	struct buf detail = { 0 };
	bool begins = s->status == CALL_BEGINS;
	bool known = trace_detail(t, f->language, s, &detail);

	buf_addf(out, "%12.6f %7u %*s%c ", (s->time - t->first) / 1e9, s->tid,
		 2 * (int)(s->process < 64 ? s->process : 64), "",
		 begins ? '>' : '<');
	escape_text(name_of(t, f), "\\", out);
	if (!begins)
		buf_addf(out, " %s %.3f us", counts_left(s->status),
			 (s->time - s->weight) / 1e3);
	if (known && detail.len)
		buf_addf(out, "%s%s", begins ? " " : " = ", buf_text(&detail));
	buf_addc(out, '\n');
	buf_release(&detail);
}

static void put_head(const struct sample *s, u32 lane, const char *name,
		     const char *phase, struct buf *out)
{
	buf_adds(out, ",\n{");
	json_key(out, "name");
	json_text(out, name);
	json_key(out, "ph");
	json_text(out, phase);
	json_number(out, "pid", s->pid);
	json_number(out, "tid", lane);
}

/* The lane of the record; a coroutine's gets its name when it is new. */
static u32 lane_of(struct trace *t, const struct sample *s, struct buf *out)
{
	u64 at = s->words && frame_kind(s->word[0]) == FRAME_KEY
			 ? s->word[0] & FRAME_VALUE58_MASK
			 : 0;
	const u64 words[] = { s->pid, at };
	const struct intern_key key = { words, sizeof(words), NULL, 0 };
	u32 known = intern_count(t->lanes), id;

	if (!at)
		return s->tid;
	id = intern_id(t->lanes, &key, true);
	if (id == known) {
		put_head(s, LANE_OF_COROUTINE + id, "thread_name", "M", out);
		buf_addf(out, ",\"args\":{\"name\":\"coroutine %u\"}}", id + 1);
	}
	return LANE_OF_COROUTINE + id;
}

static void put_event(struct trace *t, const struct function *f,
		      const struct sample *s, struct buf *out)
{
	struct buf detail = { 0 };
	u32 lane = lane_of(t, s, out);

	put_head(s, lane, name_of(t, f), "X", out);
	buf_addf(out, ",\"ts\":%.3f,\"dur\":%.3f", s->weight / 1e3,
		 (s->time - s->weight) / 1e3);
	json_key(out, "cat");
	json_text(out, pattern_language(f->language));
	buf_adds(out, ",\"args\":{");
	json_key(out, "left");
	json_text(out, counts_left(s->status));
	if (trace_detail(t, f->language, s, &detail)) {
		json_key(out, "value");
		json_text(out, buf_text(&detail));
	}
	buf_adds(out, "}}");
	buf_release(&detail);
}

void trace_tell(struct trace *t, const struct sample *s)
{
	const struct function *f = trace_function(t, s->value);
	struct buf out = { 0 };

	if (!t->out || !f || f->pid != (pid_t)s->pid)
		return;
	if (!t->first)
		t->first = s->status == CALL_BEGINS ? s->time : s->weight;
	if (t->as == TRACE_LOG)
		put_line(t, f, s, &out);
	else
		put_event(t, f, s, &out);
	fwrite(buf_text(&out), 1, out.len, t->out);
	buf_release(&out);
}

void trace_write_to(struct trace *t, enum trace_log as, FILE *out)
{
	t->out = out;
	t->as = as;
	if (as == TRACE_CHROME)
		fputs("[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,"
		      "\"tid\":0,\"args\":{\"name\":\"jpbpf trace\"}}",
		      out);
}

void trace_write_end(struct trace *t)
{
	if (t->out && t->as == TRACE_CHROME)
		fputs("]\n", t->out);
}
