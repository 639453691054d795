/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Every sample taken is either kept or counted under a reason; the first lines prove
 * it.  Reasons that did not occur are not printed.  With -q only what --stats asks for
 * is printed.
 */
#include "user/session/stages.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jpbpf/sample.h>

#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/intake/reader.h"
#include "user/files/modules.h"
#include "user/profile/profile.h"
#include "user/profile/unnamed.h"
#include "user/files/tables.h"
#include "user/processes/tracker.h"
#include "user/symbolize/status.h"
#include "user/unwind/arena.h"
#include "walkers/walker.h"

#define MIB(bytes) (((bytes) + (1 << 20) - 1) >> 20)

static u64 sum_of(const struct counters *s, enum status_class class)
{
	u64 sum = 0;

	for (size_t i = 0; i < WALK_STATUS_COUNT; i++)
		if (status_list[i].class == class)
			sum += s->status[i];
	return sum;
}

static void print_reasons(const struct counters *s, enum status_class class,
			  const char *heading)
{
	if (heading && sum_of(s, class))
		log_info("%s", heading);
	for (size_t i = 0; i < WALK_STATUS_COUNT; i++)
		if (status_list[i].class == class && s->status[i])
			log_info("  %10llu  %s", s->status[i],
				 status_list[i].text);
}

/* The value (ns) below which half of the walks stay. */
static u64 median(const struct cost *c)
{
	u64 seen = 0;

	for (u32 b = 0; b < COST_BUCKETS; b++) {
		seen += c->histogram[b];
		if (seen * 2 >= c->samples && seen)
			return (cost_floor(b) + cost_floor(b + 1)) / 2;
	}
	return 0;
}

static void print_processes(const struct tracker_sum *t)
{
	char text[256];
	size_t at = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		at += snprintf(text + at, sizeof(text) - at, ", %zu %s",
			       t->with[i], walkers[i]->title);
	log_info("processes: %zu%s, %zu native only", t->seen, text,
		 t->native_only);
}

/* Print each program in one line of the terminal. */
static void print_programs(const struct tracker_sum *t, u64 weight)
{
	struct winsize w = { 0 };

	ioctl(STDERR_FILENO, TIOCGWINSZ, &w);
	for (size_t i = 0; i < t->programs && i < TRACKER_TOP; i++)
		log_info("%6.1f %% %7d  %.*s",
			 100.0 * t->top[i].samples / weight, t->top[i].pid,
			 (w.ws_col < 40 ? 80 : w.ws_col) - 25,
			 t->top[i].command);
	if (t->programs > TRACKER_TOP)
		log_info("  and %zu more", t->programs - TRACKER_TOP);
}

/* Of stacks and names. */
static size_t bytes_of(const struct session *in)
{
	return recorder_bytes(&in->recorder) + profile_bytes(in->profile);
}

static void print_full(const struct session *in,
		       const struct tracker_sum *tracker,
		       const struct counters *s)
{
	struct modules_sum m = modules_sum(in->modules);
	struct tables_sum t = tables_sum(in->tables);
	struct rusage self;

	getrusage(RUSAGE_SELF, &self);
	log_asked("stats: first sample after %.1f ms",
		  in->recorder.first_sample
			  ? (in->recorder.first_sample - in->started) / 1e6
			  : 0.0);
	log_asked("stats: agent resident %ld KiB, maps %zu KiB, tables %zu KiB",
		  self.ru_maxrss, engine_map_bytes(in->engine) / 1024,
		  arena_bytes(in->arena) / 1024);
	log_asked("stats: %zu processes known, %zu in the kernel's table, %zu "
		  "samples wait (at most %zu KiB)",
		  tracker->processes, engine_processes(in->engine),
		  tracker->deferred, tracker->most_bytes / 1024);
	log_asked("stats: %llu looks at what a process maps, %zu KiB of tables "
		  "in use",
		  tracker->looks, arena_used(in->arena) / 1024);
	log_asked("stats: %zu files, %zu tables, %zu rows in %.1f ms",
		  m.modules, t.tables, t.rows, t.build_ns / 1e6);
	log_asked("stats: %zu files closed, profile %zu KiB", m.retired,
		  bytes_of(in) / 1024);
	log_asked("stats: %zu tables dropped, %zu built again, %zu refused",
		  t.dropped, t.rebuilt, t.refused);
	log_asked("stats: %llu bytes in %llu records, %llu of them walked late",
		  in->recorder.record_bytes, in->recorder.samples,
		  in->recorder.kept);
	log_asked(
		"stats: %llu native and %llu interpreter frames, %llu rule misses",
		s->cost.native_frames, s->cost.walker_frames, s->rule_misses);
	log_asked("stats: %llu ns in %llu walks", s->cost.ns, s->cost.samples);
	engine_tell_programs(in->engine);
	for (u32 b = 0; b < COST_BUCKETS; b++)
		if (s->cost.histogram[b])
			log_asked("stats: walk %llu ns: %llu", cost_floor(b),
				  s->cost.histogram[b]);
	for (size_t i = 0; i < WALK_STATUS_COUNT; i++)
		log_asked("stats: %s %llu", status_list[i].id, s->status[i]);
}

static void print_memory(const struct session *in, size_t waited)
{
	log_info(
		"memory: at most %zu of %u MiB: BPF maps %zu, unwind tables %zu, "
		"stacks and names %zu, samples that waited up to %zu, the "
		"rest files, processes and what was being read",
		MIB(heap_most()), in->config->max_memory,
		MIB(engine_map_bytes(in->engine)), MIB(arena_bytes(in->arena)),
		MIB(bytes_of(in)), MIB(waited));
}

static bool has_several(const struct session *in)
{
	return __builtin_popcount(in->config->engine.sources) > 1;
}

/* Why there is nothing of an event. */
static void print_missing(const struct session *in, const struct counters *s)
{
	bool several = has_several(in);

	if (!s->taken && s->status[HOST_PROCESSES] + s->status[HOST_NO_ROOM]) {
		log_info(
			"no samples: there was no room for processes that ran");
		return;
	}
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		if (in->config->engine.sources >> i & 1 && i != SOURCE_CALLS &&
		    (several ? !in->recorder.of[i] : !s->taken))
			log_info("no samples%s%s: %s", several ? " of " : "",
				 several ? sources[i].name : "",
				 sources[i].none);
}

static void print_samples(const struct session *in, const struct counters *s,
			  u64 taken, u64 lost)
{
	u64 kept = in->recorder.samples - in->recorder.of[SOURCE_CALLS];
	u64 walks = sum_of(s, STATUS_CLASS_ROOT) + sum_of(s, STATUS_CLASS_CUT);
	u64 root = sum_of(s, STATUS_CLASS_ROOT);

	log_info("samples: %llu taken, %llu kept, %llu lost", taken, kept,
		 lost);
	print_reasons(s, STATUS_CLASS_LOST, NULL);
	for (size_t i = 0; i < SOURCE_COUNT && has_several(in); i++)
		if (in->recorder.of[i])
			log_info("kept of %s: %llu", sources[i].name,
				 in->recorder.of[i]);
	if (in->recorder.weight != in->recorder.samples && !in->trace)
		log_info("the kept stand for %llu (%llu were not taken, for "
			 "--max-cost %u)",
			 in->recorder.weight, s->skipped,
			 in->config->engine.max_cost);
	if (taken != kept + lost)
		log_warn("%lld samples are unaccounted for",
			 (s64)(taken - kept - lost));
	if (!walks)
		return;
	log_info("stacks that reached the root: %llu of %llu (%.2f %%)", root,
		 walks, 100.0 * root / walks);
	print_reasons(s, STATUS_CLASS_CUT, NULL);
}

void summary_print(const struct session *in)
{
	const struct tracker_sum tracker = tracker_sum(in->tracker);
	struct modules_sum files = modules_sum(in->modules);
	u64 maps_lost = reader_maps_lost(in->reader);
	size_t read = reader_most(in->reader);
	struct counters s;
	u64 lost;

	if (engine_stats(in->engine, &s)) {
		log_warn("the counters cannot be read: %m");
		return;
	}
	for (size_t i = 0; i < WALK_STATUS_COUNT; i++)
		s.status[i] += in->recorder.status[i];
	s.status[HOST_FILES] += files.refused;
	s.status[HOST_ROOTS] += files.without_root;
	lost = sum_of(&s, STATUS_CLASS_LOST);
	if (in->trace)
		calls_summary(in);
	/* Samples of processes that turned out not to be wanted do not count. */
	if (!calls_only(in))
		print_samples(in, &s,
			      s.taken - tracker.discarded - in->unchosen, lost);
	print_reasons(
		&s, STATUS_CLASS_MISSING,
		"places where frames may be missing, marked in the stacks:");
	print_reasons(&s, STATUS_CLASS_WALKER,
		      "interpreter frames not named or finished, by reason:");
	print_reasons(&s, STATUS_CLASS_NATIVE,
		      "native frames found without unwind information:");
	unnamed_print(in->profile);
	print_reasons(&s, STATUS_CLASS_HOST, "also lost:");
	print_processes(&tracker);
	if (has_several(in))
		log_info("programs, by samples of all events:");
	if (!calls_only(in))
		print_programs(&tracker, in->recorder.weight);
	if (maps_lost)
		log_warn("%llu notices of new mappings were lost: at most %llu "
			 "samples in code that was new are cut for it (address "
			 "in no known mapping), and code that a program put "
			 "over other code may be shown as the old for a second",
			 maps_lost, s.status[CUT_NO_MAPPING]);
	if (!tracker.seen)
		log_info("no process to profile was seen");
	else if (!calls_only(in))
		print_missing(in, &s);
	if (s.cost.samples)
		log_info("cost: %.2f us a sample in the kernel (median "
			 "%.2f us)",
			 s.cost.ns / 1e3 / s.cost.samples,
			 median(&s.cost) / 1e3);
	/* A sample that waits for a table has waited in the queue before. */
	print_memory(in, tracker.most_bytes > read ? tracker.most_bytes : read);
	if (in->config->stats)
		print_full(in, &tracker, &s);
}
