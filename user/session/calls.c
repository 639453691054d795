/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Connects the trace of calls with a session. */
#include <errno.h>
#include <sys/stat.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/profile/tape.h"
#include "user/session/stages.h"
#include "walkers/walker.h"

/* Without any other, there is nothing to see if no function is chosen. */
#define CALL_SOURCES (1u << SOURCE_CALLS | 1u << SOURCE_ENTERS)

void calls_begin(struct session *s)
{
	enum trace_view view = s->config->trace_view;
	struct stat st;

	if (!(s->config->engine.sources >> SOURCE_CALLS & 1))
		return;
	s->trace = trace_new(&s->config->calls, s->engine, s->recorder.texts);
	if (s->config->engine.call_mode)
		trace_watch_names(s->trace);
	if (view < VIEW_LOG)
		return;
	/* What is written can be the target's values.  A device stays as it is. */
	if (s->config->output && !fstat(fileno(s->out.out), &st) &&
	    S_ISREG(st.st_mode))
		fchmod(fileno(s->out.out), 0600);
	trace_write_to(s->trace, view == VIEW_LOG ? TRACE_LOG : TRACE_CHROME,
		       s->out.out);
}

struct calls_sink calls_sink(struct session *s)
{
	struct calls_sink sink = { .ctx = s->trace,
				   .mode = s->config->engine.call_mode,
				   .chosen = trace_watched };

	for (u32 i = 0; i < WALKER_COUNT; i++)
		if (s->trace && patterns_have(&s->config->calls, i))
			sink.walkers |= 1u << i;
	if (s->trace && patterns_have(&s->config->calls, CALL_NATIVE))
		sink.native = trace_places;
	return sink;
}

void calls_take(void *session, const struct sample *sample)
{
	struct session *s = session;

	if (s->trace)
		trace_take(s->trace, sample);
}

static void take_stack(void *recorder, const struct sample *sample)
{
	recorder_take(recorder, sample);
}

/* A pattern that chooses nothing is a mistake, unless there are samples, too. */
static void check_choice(struct session *s)
{
	_cleanup_buf_ struct buf names = { 0 };

	if (s->config->wait || trace_chooses(s->trace))
		return;
	trace_nearest(s->trace, &names);
	log_warn("no function was called that the patterns choose%s%s (names "
		 "are those of profiles: jpbpf report --flat function)",
		 names.len ? "; there were: " : "", buf_text(&names));
	s->failed |= !(s->config->engine.sources & ~CALL_SOURCES);
}

static void record_table(struct session *s)
{
	_cleanup_free_ struct call_counts *c = trace_counts(&s->calls);

	for (size_t i = 0; i < s->calls.n && s->recorder.tape; i++)
		tape_calls(s->recorder.tape, &c[i]);
}

void calls_end(struct session *s)
{
	trace_table_release(&s->calls);
	trace_read(s->trace, &s->calls);
	if ((s->config->format && !s->config->stacks) || s->config->record)
		trace_samples(s->trace, take_stack, &s->recorder);
	/* Calls are followed meanwhile, so what was counted has been read. */
	price_measure(s->engine, s->config->engine.call_mode, &s->calls.price);
	if (s->config->net)
		trace_make_net(&s->calls);
	if (s->config->record)
		record_table(s);
	check_choice(s);
}

int calls_put(struct session *s)
{
	switch (s->config->trace_view) {
	case VIEW_TABLE:
		trace_put_table(&s->calls, s->out.out);
		break;
	case VIEW_JSON:
		trace_put_json(&s->calls, s->out.out);
		break;
	case VIEW_LIST:
		trace_put_list(s->trace, &s->calls.price, s->out.out);
		break;
	default:
		trace_write_end(s->trace);
	}
	return fflush(s->out.out) ? -errno : ferror(s->out.out) ? -EIO : 0;
}

void calls_duty(struct session *s, u64 now)
{
	s->off_duty = !s->off_duty;
	engine_follow_calls(s->engine, s->off_duty ? now : s->end ?: ~0ull);
	s->next_duty = now + s->config->duty[s->off_duty];
}

void calls_snapshot(struct session *s)
{
	trace_table_release(&s->calls);
	trace_read(s->trace, &s->calls);
	if (s->config->trace_view > VIEW_JSON || calls_put(s))
		return;
	/* A file always has the newest. */
	if (!s->config->output)
		return;
	if (outfile_close(&s->out, 0) ||
	    outfile_open(&s->out, s->config->output)) {
		s->out.out = NULL;
		s->failed = true;
	}
}

bool calls_only(const struct session *s)
{
	return s->config->engine.sources == 1u << SOURCE_CALLS;
}

static void print_lost(u64 n, const char *why)
{
	if (n)
		log_info("  %10llu  %s", n, why);
}

void calls_summary(const struct session *s)
{
	const struct call_lost *lost = &s->calls.lost;
	const struct trace_price *price = &s->calls.price;
	u64 calls = 0, open = 0;

	for (size_t i = 0; i < s->calls.n; i++) {
		calls += s->calls.function[i].calls;
		open += s->calls.function[i].open;
	}
	log_info("calls: %llu of %zu function%s, %llu of them open at the end",
		 calls, s->calls.n, s->calls.n == 1 ? "" : "s", open);
	if (s->config->trace_view == VIEW_LIST)
		return;
	if (!s->calls.n && trace_chooses(s->trace))
		log_info("no chosen function was called");
	if (price->chosen)
		log_info(
			"price of a call: %.2f us if the function is chosen, "
			"%.2f to %.2f us if it is native, %.2f us if it is not "
			"chosen (two empty probes: %.2f us)",
			price->chosen / 1e3, price->native / 1e3,
			price->stepped / 1e3, price->other / 1e3,
			price->nothing / 1e3);
	if (price->watched)
		log_info("price of a call of a watched function: %.2f us, of "
			 "another one: nothing",
			 price->watched / 1e3);
	print_lost(lost->functions,
		   "calls not counted: their function could not be named yet");
	print_lost(lost->limited, "calls not counted: beyond --max-rate");
	print_lost(lost->open, "calls not counted: too many are open");
	print_lost(lost->stacks,
		   "calls whose stack is not shown: there are too many stacks");
	print_lost(lost->records,
		   "calls not told one by one: there was no room "
		   "(fewer functions, or --min)");
	print_lost(lost->made, "functions of chosen names were made while "
			       "others were watched: their first calls may be "
			       "missing");
	print_lost(lost->hits, "hits of watchpoints not seen: calls may be "
			       "missing");
	print_lost(s->calls.unseen, "calls counted as left by a jump: how they "
				    "were left was not seen");
}

void calls_release(struct session *s)
{
	trace_table_release(&s->calls);
	trace_free(s->trace);
}
