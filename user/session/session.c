/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The phases of a run: open, attach, run, stop, write.
 *
 * The loop waits for whichever comes first: records in the ring, executable
 * mappings, something due in the tracker, a signal, the end of the duration.
 * Whatever ends it, what was collected is written.
 */
#include "user/session/session.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/output/format.h"
#include "user/processes/deferred.h"
#include "user/session/chosen.h"
#include "user/session/command.h"
#include "user/session/descriptors.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/kernel/sources.h"
#include "user/kernel/walker_maps.h"
#include "user/files/modules.h"
#include "user/session/outfile.h"
#include "user/processes/prefetch.h"
#include "user/kernel/privilege.h"
#include "user/intake/reader.h"
#include "user/intake/record.h"
#include "user/profile/recorder.h"
#include "user/session/summary.h"
#include "user/files/tables.h"
#include "user/processes/tracker.h"
#include "user/session/signals.h"
#include "user/unwind/arena.h"

#define BUILD_AT_ONCE	2 /* tables, while sampling */
#define HELD_MS		1 /* until a mapping that has to wait is told */
#define READER_PRIORITY (-20)

struct session {
	const struct session_config *config;
	struct engine *engine;
	struct reader *reader;
	struct arena *arena;
	int arena_fd;
	struct tables *tables;
	struct modules *modules;
	struct tracker *tracker;
	struct mapwatch *mapwatch;
	struct recorder recorder;
	struct command command;
	u64 started;	   /* ns */
	u64 next_progress; /* ns */
	u32 max_files;
	u64 lost_seen;	/* of these and of notices, when it was last looked */
	u64 next_check; /* ns */
	bool refused;	/* by the kernel: loading, attaching or sampling */
	int epoll;
	struct outfile out;
};

static enum track_mode track_mode(const struct session_config *c)
{
	if (c->all)
		return TRACK_ALL;
	if (c->pids || c->tids || c->command)
		return TRACK_LISTED;
	return TRACK_INTERPRETERS;
}

static void *load_engine(void *arg)
{
	struct session *s = arg;
	const struct session_config *c = s->config;
	const struct engine_config config = {
		.user_only = c->user_only,
		.kernel_only = c->kernel_only,
		.lines = c->lines,
		.walker_options = c->walker_options,
		.helper_reads = c->helper_reads,
		.source = c->source,
		.watch_all = track_mode(c) != TRACK_LISTED,
		.watch_ignored = c->children || c->command,
		.frequency = c->frequency,
		.max_processes = c->max_processes,
		.max_files = s->max_files + 1,
		.arena_fd = s->arena_fd,
		.tid = c->tid,
		.tids = c->tids,
	};

	return engine_new(&config);
}

static void new_recorder(struct session *s)
{
	const struct session_config *c = s->config;
	const struct recorder_config config = {
		.modules = s->modules,
		.tables = s->tables,
		.frequency = c->frequency,
		.view = { .internals = c->internals,
			  .lines = c->lines,
			  .inlines = c->inlines,
			  .walker_options = c->walker_options,
			  .addresses = c->addresses },
		.event = c->source->name,
		.unit = c->source->unit,
		.by = format_find(c->format)->by,
		.max_bytes = (size_t)c->max_profile << 20,
	};

	recorder_init(&s->recorder, &config);
}

static void new_tracker(struct session *s)
{
	const struct deferred_sink sink = { recorder_take_late, recorder_count,
					    &s->recorder };
	const struct session_config *c = s->config;
	const struct tracker_config config = {
		.engine = s->engine,
		.modules = s->modules,
		.arena = s->arena,
		.proc = "/proc",
		.mode = track_mode(c),
		.children = c->children || c->command,
		.is_chosen = c->only.comm || c->only.uids || c->only.cgroup
				     ? chosen_is
				     : NULL,
		.chosen_ctx = (void *)c,
		.sink = &sink,
		.keep = { s->config->lines ? recorder_keep : NULL,
			  &s->recorder },
		.name = recorder_name,
	};

	s->tracker = tracker_new(&config);
}

static void on_sample(void *ctx, const struct sample *sample)
{
	struct session *s = ctx;

	tracker_sampled(s->tracker, sample);
	if (tracker_is_replaced(s->tracker, sample))
		recorder_take_replaced(&s->recorder, sample);
	else
		recorder_take(&s->recorder, sample);
}

static void on_deferred(void *ctx, const struct sample *sample, size_t len)
{
	tracker_deferred(((struct session *)ctx)->tracker, sample, len);
}

static void on_text(void *ctx, const struct text *text)
{
	recorder_take_text(&((struct session *)ctx)->recorder, text);
}

static void on_notice(void *ctx, const struct notice *n)
{
	tracker_notice(((struct session *)ctx)->tracker, n);
}

static void on_mapped(void *ctx, const struct mapwatch_event *e)
{
	tracker_mapped(((struct session *)ctx)->tracker, e);
}

static int new_reader(struct session *s)
{
	const struct record_sink sink = { on_sample, on_deferred, on_text,
					  on_notice, on_mapped,	  s };

	s->mapwatch = mapwatch_new();
	if (!s->mapwatch)
		log_warn("new mappings are seen late (perf events: %m)");
	s->reader = reader_new(s->engine, s->mapwatch, &sink);
	if (!s->reader)
		log_err("no memory for samples that wait: %m");
	return s->reader ? 0 : -ENOMEM;
}

static void prefetch(struct session *s)
{
	const struct session_config *c = s->config;
	const struct prefetch_config config = {
		.proc = "/proc",
		.pid = c->pid,
		.pids = c->pids,
		.command = c->command ? c->command[0] : NULL,
		.running = track_mode(c) == TRACK_INTERPRETERS,
		.beginning = track_mode(c) != TRACK_LISTED || c->command,
		.max_tables = c->max_tables,
	};

	prefetch_all(s->modules, &config);
}

/* Load the kernel side in one thread, read the targets' files in this one. */
static int open_engine(struct session *s)
{
	struct modules_config modules = { "/proc", NULL, s->config->lines,
					  s->max_files };
	void *engine = NULL;
	pthread_t loader;
	int err;

	s->arena_fd = arena_outer();
	if (s->arena_fd < 0) {
		log_err("cannot create a BPF map: %s (run 'jpbpf check')",
			strerror(-s->arena_fd));
		s->refused = true;
		return s->arena_fd;
	}
	s->arena = arena_new(s->arena_fd, (size_t)s->config->max_tables << 20);
	s->tables = modules.tables = tables_new(s->arena);
	s->modules = modules_new(&modules);
	new_recorder(s);
	err = pthread_create(&loader, NULL, load_engine, s);
	if (err) {
		engine = load_engine(s);
	} else {
		prefetch(s);
		pthread_join(loader, &engine);
	}
	s->engine = engine;
	s->refused = !engine;
	if (!s->engine)
		return -EPERM;
	if (new_reader(s))
		return -ENOMEM;
	modules_bind(s->modules, s->engine);
	walker_keys_store(s->engine);
	new_tracker(s);
	return 0;
}

static int watch(struct session *s)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int err;

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = reader_watch(s->reader, s->epoll);
	if (!err && epoll_ctl(s->epoll, EPOLL_CTL_ADD, signals_fd(), &ev))
		err = -errno;
	return err;
}

static void progress(struct session *s, u64 now)
{
	struct tracker_sum sum;

	if (now < s->next_progress)
		return;
	s->next_progress = now + 1000000000ull;
	sum = tracker_sum(s->tracker);
	log_progress("%llu s, %llu samples, %zu process%s "
		     "(^C ends and writes)",
		     (now - s->started) / 1000000000u, s->recorder.samples,
		     sum.live, sum.live == 1 ? "" : "es");
}

/* Where something was not told, processes have to be asked. */
static void check_losses(struct session *s, u64 now)
{
	struct counters stats;
	u64 lost;

	if (now < s->next_check)
		return;
	s->next_check = now + 1000000000ull;
	if (engine_stats(s->engine, &stats))
		return;
	lost = stats.status[HOST_NOTICE_LOST] + reader_maps_lost(s->reader);
	if (lost != s->lost_seen)
		tracker_recheck(s->tracker);
	s->lost_seen = lost;
}

/* The earlier of a wait (ms; -1: nothing is due) and a time (ns), as such a wait. */
static int wait_until(int ms, u64 now, u64 time)
{
	u64 left = time <= now ? 0 : (time - now + 999999) / 1000000;

	if (left > INT_MAX)
		left = INT_MAX;
	return ms < 0 || left < (u64)ms ? (int)left : ms;
}

static void loop(struct session *s)
{
	u64 now = now_ns(), end = 0;
	struct epoll_event ev[8];
	int due = 0, build;
	bool is_all;

	if (s->config->duration > 0)
		end = now + (u64)(s->config->duration * 1e9);
	while (!signals_stopped() && (!end || now < end)) {
		if (end)
			due = wait_until(due, now, end);
		if (log_has_progress())
			due = wait_until(due, now, s->next_progress);
		epoll_wait(s->epoll, ev, 8, due);
		is_all = reader_take(s->reader);
		due = tracker_work(s->tracker);
		if (!is_all && (due < 0 || due > HELD_MS))
			due = HELD_MS;
		/* A few at a time: what happens meanwhile must be seen. */
		build = tables_build(s->tables, BUILD_AT_ONCE);
		if (build >= 0 && (due < 0 || build < due))
			due = build;
		now = now_ns();
		progress(s, now);
		check_losses(s, now);
		if (chosen_ended(s->config, s->tracker, &s->command))
			break;
	}
	log_progress_end();
}

/* 1: but the command cannot be run. */
static int start_sampling(struct session *s)
{
	const struct events_config config = {
		.source = s->config->source,
		.frequency = s->config->frequency,
		.cpu = s->config->cpu,
		.cpus = s->config->cpus,
	};
	int err = events_sample(s->engine, &config);

	s->refused = err < 0;
	if (err < 0)
		return err;
	if (!s->config->command)
		return 0;
	err = command_watch(&s->command, s->epoll);
	if (err)
		return err;
	return command_start(&s->command, s->config->command[0]) ? 0 : 1;
}

/* All that is left to do is to read; the command has long begun. */
static void drop_privileges(const struct session *s)
{
	unsigned command = s->config->command ? PRIVILEGE_COMMAND : 0;
	int err =
		s->config->again ? 0 : privilege_keep(PRIVILEGE_RUN | command);

	errno = -err;
	if (err)
		log_warn("privileges that are not needed could not be given "
			 "up: %m");
}

/* The reader has to be on a CPU before the rings are full, also while processes are looked
 * at for the first time: on a busy host that takes seconds.  Only privileges let a thread
 * have such a priority, but it has it from who starts it. */
static int begin_reading(struct session *s)
{
	int own = getpriority(PRIO_PROCESS, 0), err;

	setpriority(PRIO_PROCESS, 0, READER_PRIORITY);
	err = reader_start(s->reader);
	setpriority(PRIO_PROCESS, 0, own);
	return err;
}

static int write_result(struct session *s)
{
	int err = outfile_begin(&s->out);

	recorder_name(&s->recorder);
	if (!err)
		err = format_find(s->config->format)
			      ->write(s->recorder.profile, s->out.stream);
	if (!err && fflush(s->out.stream))
		err = -errno;
	return outfile_end(&s->out, err);
}

static void summarize(struct session *s)
{
	struct tracker_sum sum = tracker_sum(s->tracker);
	const struct summary_input in = {
		.source = s->config->source,
		.engine = s->engine,
		.recorder = &s->recorder,
		.modules = s->modules,
		.arena = s->arena,
		.tracker = &sum,
		.started = s->started,
		.map_records_lost = reader_maps_lost(s->reader),
		.full = s->config->stats,
	};

	summary_print(&in);
}

static int record(struct session *s)
{
	int err = outfile_open(&s->out, s->config->output);

	if (!err)
		err = open_engine(s);
	if (!err)
		err = watch(s);
	if (!err) {
		err = engine_attach(s->engine);
		s->refused = err != 0;
	}
	if (!err)
		err = begin_reading(s);
	if (!err)
		err = chosen_add(s->config, s->tracker, &s->command,
				 &s->refused);
	if (!err) {
		chosen_tell_native(s->config, s->tracker);
		tables_build(s->tables, 0);
		err = start_sampling(s);
	}
	if (!err) {
		drop_privileges(s);
		loop(s);
		engine_stop(s->engine);
	}
	reader_stop(s->reader);
	if (err)
		return err;
	reader_take(s->reader);
	check_losses(s, ~0ull);
	reader_count(s->reader, s->recorder.status);
	tables_hurry(s->tables);
	tracker_finish(s->tracker);
	err = write_result(s);
	summarize(s);
	return err;
}

static void close_all(struct session *s)
{
	command_release(&s->command);
	mapwatch_free(s->mapwatch);
	tracker_free(s->tracker);
	modules_free(s->modules);
	tables_free(s->tables);
	arena_free(s->arena);
	reader_free(s->reader);
	engine_free(s->engine);
	recorder_release(&s->recorder);
	if (s->arena_fd >= 0)
		close(s->arena_fd);
	if (s->epoll >= 0)
		close(s->epoll);
	descriptors_restore();
	signals_restore();
}

int session_run(const struct session_config *config)
{
	struct session s = {
		.config = config,
		.started = now_ns(),
		.epoll = -1,
		.arena_fd = -1,
		.command = COMMAND_NONE,
	};
	int err = signals_catch();

	s.max_files = descriptors_raise(config->max_files);
	if (s.max_files < config->max_files)
		log_warn("only %u files of targets can be open at a time (for "
			 "more: ulimit -n %u)",
			 s.max_files, descriptors_wanted(config->max_files));
	if (!err)
		err = record(&s);
	close_all(&s);
	if (err < 0)
		return s.refused ? STATUS_REFUSED : STATUS_FAILED;
	/* ^C ends the command, too, and is no failure of it. */
	return signals_stopped() ? STATUS_DONE : command_status(&s.command);
}
