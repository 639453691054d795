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
#include <time.h>
#include <unistd.h>

#include "user/cli/options.h"
#include "user/lib/log.h"
#include "user/output/format.h"
#include "user/session/backlog.h"
#include "user/session/command.h"
#include "user/session/descriptors.h"
#include "user/session/engine.h"
#include "user/session/events.h"
#include "user/session/globals.h"
#include "user/session/modules.h"
#include "user/session/outfile.h"
#include "user/session/prefetch.h"
#include "user/session/privilege.h"
#include "user/session/recorder.h"
#include "user/session/summary.h"
#include "user/session/tables.h"
#include "user/session/tracker.h"
#include "user/session/wake.h"
#include "user/target/process.h"
#include "user/target/thread.h"
#include "user/unwind/arena.h"

#define BUILD_AT_ONCE 2 /* tables, while sampling */

struct session {
	const struct options *o;
	struct engine *engine;
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
	u64 map_records_lost;
	u64 lost_seen;	/* of these and of notices, when it was last looked */
	u64 next_check; /* ns */
	bool refused;	/* by the kernel: loading, attaching or sampling */
	int epoll;
	struct outfile out;
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static enum track_mode track_mode(const struct options *o)
{
	if (o->all)
		return TRACK_ALL;
	if (o->pids || o->tids || o->command)
		return TRACK_LISTED;
	return TRACK_INTERPRETERS;
}

static void *load_engine(void *arg)
{
	struct session *s = arg;
	const struct options *o = s->o;
	const struct engine_config config = {
		.user_only = o->user_only,
		.kernel_only = o->kernel_only,
		.lines = o->lines,
		.lexical = o->lexical,
		.promises = o->promises,
		.expr = o->expr,
		.helper_reads = o->helper_reads,
		.by_nmi = strcmp(o->event, "cpu-clock") != 0,
		.watch_all = track_mode(o) != TRACK_LISTED,
		.max_processes = o->max_processes,
		.max_files = s->max_files + 1,
		.arena_fd = s->arena_fd,
		.tid = o->tid,
		.tids = o->tids,
	};

	return engine_new(&config);
}

static void on_notice(void *ctx, const struct notice *n)
{
	tracker_notice(((struct session *)ctx)->tracker, n);
}

static void on_kept(void *ctx, const struct sample *sample, size_t len)
{
	tracker_kept(((struct session *)ctx)->tracker, sample, len);
}

static void new_recorder(struct session *s)
{
	const struct options *o = s->o;
	const struct recorder_config config = {
		.modules = s->modules,
		.tables = s->tables,
		.frequency = o->frequency,
		.internals = o->internals,
		.lines = o->lines,
		.expr = o->expr,
		.inlines = o->inlines,
		.lexical = o->lexical,
		.format = format_find(o->format),
		.max_bytes = (size_t)o->max_profile << 20,
		.on_notice = on_notice,
		.on_kept = on_kept,
		.ctx = s,
	};

	recorder_init(&s->recorder, &config);
}

static void prefetch(struct session *s)
{
	for (size_t i = 0; i < s->o->pids; i++)
		prefetch_process(s->modules, "/proc", s->o->pid[i]);
	if (s->o->command)
		prefetch_command(s->modules, s->o->command[0]);
	if (track_mode(s->o) == TRACK_INTERPRETERS)
		prefetch_interpreters(s->modules, "/proc");
}

static void new_tracker(struct session *s)
{
	const struct backlog_sink sink = { recorder_take_late, recorder_count,
					   &s->recorder };
	const struct tracker_config config = {
		.engine = s->engine,
		.modules = s->modules,
		.arena = s->arena,
		.proc = "/proc",
		.mode = track_mode(s->o),
		.sink = &sink,
		.texts = s->o->lines ? s->recorder.texts : NULL,
		.name = recorder_name,
	};

	s->tracker = tracker_new(&config);
}

/* Load the kernel side in one thread, read the targets' files in this one. */
static int open_engine(struct session *s)
{
	struct modules_config modules = { "/proc", NULL, s->o->lines,
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
	s->arena = arena_new(s->arena_fd, (size_t)s->o->max_tables << 20);
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
	engine_on_record(s->engine, recorder_take, &s->recorder);
	modules_bind(s->modules, s->engine);
	globals_store(s->engine);
	new_tracker(s);
	return 0;
}

static void on_mapped(void *ctx, const struct mapwatch_event *e)
{
	tracker_mapped(((struct session *)ctx)->tracker, e);
}

static int watch(struct session *s)
{
	struct epoll_event ev = { .events = EPOLLIN };

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	ev.data.fd = engine_poll_fd(s->engine);
	if (s->epoll < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, ev.data.fd, &ev))
		return -errno;
	if (wake_watch(s->epoll))
		return -errno;
	s->mapwatch = mapwatch_new();
	if (s->mapwatch)
		return mapwatch_watch(s->mapwatch, s->epoll);
	log_warn("new mappings are seen late (perf events: %m)");
	return 0;
}

static int add_pid(struct session *s, pid_t pid, const char *what, pid_t shown)
{
	int err;

	if (process_is_32bit("/proc", pid)) {
		log_err("%s %d runs 32-bit code, which is not supported", what,
			shown);
		s->refused = true;
		return -ENOTSUP;
	}
	err = tracker_add(s->tracker, pid);
	if (!err)
		return 0;
	errno = -err;
	if (err == -ESRCH || err == -ENOENT)
		log_err("there is no %s %d (it may have ended)", what, shown);
	else if (err == -E2BIG || err == -ENOSPC)
		log_err("no room for %s %d (see --max-%s)", what, shown,
			err == -E2BIG ? "processes" : "tables");
	else
		log_err("cannot examine %s %d: %m", what, shown);
	return err;
}

static int add_targets(struct session *s)
{
	const struct options *o = s->o;
	size_t added = 0;
	int err = 0;

	for (size_t i = 0; i < o->pids; i++)
		if (!add_pid(s, o->pid[i], "process", o->pid[i]))
			added++;
	for (size_t i = 0; i < o->tids; i++) {
		pid_t pid = thread_process("/proc", o->tid[i]);

		if (!add_pid(s, pid > 0 ? pid : o->tid[i], "thread", o->tid[i]))
			added++;
	}
	if (o->command) {
		err = command_prepare(&s->command, o->command);
		if (!err)
			err = tracker_expect(s->tracker, s->command.pid);
		added += !err;
	}
	tracker_scan(s->tracker);
	return added || (!o->pids && !o->tids && !o->command) ? 0 : -ESRCH;
}

/* A listed process without an interpreter is profiled, and said so. */
static void tell_native(struct session *s)
{
	struct tracker_sum sum = tracker_sum(s->tracker);

	if (s->o->pids + s->o->tids && sum.native_only)
		log_info("%zu of the given processes %s neither Tcl nor R: "
			 "native stacks only",
			 sum.native_only, sum.native_only == 1 ? "is" : "are");
}

static void drain(struct session *s)
{
	engine_consume(s->engine);
	if (s->mapwatch)
		mapwatch_read(s->mapwatch, on_mapped, s, &s->map_records_lost);
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
	struct engine_stats stats;
	u64 lost;

	if (now < s->next_check)
		return;
	s->next_check = now + 1000000000ull;
	if (engine_stats(s->engine, &stats))
		return;
	lost = stats.status[HOST_NOTICE_LOST] + s->map_records_lost;
	if (lost != s->lost_seen)
		tracker_recheck(s->tracker);
	s->lost_seen = lost;
}

/* The earlier of a wait and a time; the wait is -1 when nothing is due. */
static int until(int ms, u64 now, u64 time)
{
	u64 left = time <= now ? 0 : (time - now + 999999) / 1000000;

	if (left > INT_MAX)
		left = INT_MAX;
	return ms < 0 || left < (u64)ms ? (int)left : ms;
}

/* All that was asked for has ended. */
static bool targets_ended(struct session *s)
{
	struct tracker_sum sum;
	int status;

	if (s->o->command)
		return command_ended(&s->command, &status);
	if (!s->o->pids && !s->o->tids)
		return false;
	sum = tracker_sum(s->tracker);
	return !sum.live && !sum.refused;
}

static void loop(struct session *s)
{
	u64 now = now_ns(), end = 0;
	struct epoll_event ev[8];
	int due = 0, build;

	if (s->o->duration > 0)
		end = now + (u64)(s->o->duration * 1e9);
	while (!wake_stopped() && (!end || now < end)) {
		if (end)
			due = until(due, now, end);
		if (log_has_progress())
			due = until(due, now, s->next_progress);
		epoll_wait(s->epoll, ev, 8, due);
		drain(s);
		due = tracker_work(s->tracker);
		/* A few at a time: what happens meanwhile must be seen. */
		build = tables_build(s->tables, BUILD_AT_ONCE);
		if (build >= 0 && (due < 0 || build < due))
			due = build;
		now = now_ns();
		progress(s, now);
		check_losses(s, now);
		if (targets_ended(s))
			break;
	}
	log_progress_end();
}

static int start_sampling(struct session *s)
{
	const struct events_config config = {
		.event = s->o->event,
		.frequency = s->o->frequency,
		.cpu = s->o->cpu,
		.cpus = s->o->cpus,
	};
	int err = events_sample(s->engine, &config);

	s->refused = err < 0;
	if (err < 0)
		return err;
	if (!s->o->command)
		return 0;
	err = wake_watch_child(s->epoll, s->command.pid);
	if (err)
		return err;
	return command_start(&s->command, s->o->command[0]);
}

/* All that is left to do is to read; the command has long begun. */
static void drop_privileges(const struct session *s)
{
	int err = privilege_keep(PRIVILEGE_RUN |
				 (s->o->command ? PRIVILEGE_COMMAND : 0));

	errno = -err;
	if (err)
		log_warn("privileges that are not needed could not be given "
			 "up: %m");
}

static int write_result(struct session *s)
{
	int err = outfile_begin(&s->out);

	if (!err)
		err = recorder_write(&s->recorder, s->out.stream);
	return outfile_end(&s->out, err);
}

static void summarize(struct session *s)
{
	struct tracker_sum sum = tracker_sum(s->tracker);
	const struct summary_input in = {
		.engine = s->engine,
		.recorder = &s->recorder,
		.modules = s->modules,
		.arena = s->arena,
		.tracker = &sum,
		.started = s->started,
		.map_records_lost = s->map_records_lost,
		.full = s->o->stats,
	};

	summary_print(&in);
}

static int record(struct session *s)
{
	int err = outfile_open(&s->out, s->o->output);

	if (!err)
		err = open_engine(s);
	if (!err)
		err = watch(s);
	if (!err) {
		err = engine_attach(s->engine);
		s->refused = err != 0;
	}
	if (!err)
		err = add_targets(s);
	if (err)
		return err;
	tell_native(s);
	tables_build(s->tables, 0);
	err = start_sampling(s);
	if (err)
		return err;
	drop_privileges(s);
	loop(s);
	engine_stop(s->engine);
	drain(s);
	tables_hurry(s->tables);
	tracker_finish(s->tracker);
	err = write_result(s);
	summarize(s);
	return err;
}

int session_run(const struct options *o)
{
	struct session s = {
		.o = o,
		.started = now_ns(),
		.epoll = -1,
		.arena_fd = -1,
		.command = { .gate = -1, .failed = -1 },
	};
	int err;

	err = wake_on_signals();
	s.max_files = descriptors_raise(o->max_files);
	if (!err)
		err = record(&s);
	wake_release();
	command_release(&s.command);
	mapwatch_free(s.mapwatch);
	tracker_free(s.tracker);
	modules_free(s.modules);
	tables_free(s.tables);
	arena_free(s.arena);
	engine_free(s.engine);
	recorder_release(&s.recorder);
	if (s.arena_fd >= 0)
		close(s.arena_fd);
	if (s.epoll >= 0)
		close(s.epoll);
	if (!err)
		return STATUS_DONE;
	return s.refused ? STATUS_REFUSED : STATUS_FAILED;
}
