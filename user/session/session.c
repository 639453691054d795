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
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "user/cli/options.h"
#include "user/lib/log.h"
#include "user/output/format.h"
#include "user/session/command.h"
#include "user/session/engine.h"
#include "user/session/events.h"
#include "user/session/globals.h"
#include "user/session/modules.h"
#include "user/session/outfile.h"
#include "user/session/prefetch.h"
#include "user/session/recorder.h"
#include "user/session/summary.h"
#include "user/session/tracker.h"
#include "user/target/thread.h"
#include "user/unwind/arena.h"

#define ARENA_LIMIT   (512u << 20) /* bytes of unwind tables and mappings */
#define POLL_MS	      100
#define BUILD_AT_ONCE 2 /* tables, while sampling */

struct session {
	const struct options *o;
	struct engine *engine;
	struct arena *arena;
	int arena_fd;
	struct modules *modules;
	struct tracker *tracker;
	struct mapwatch *mapwatch;
	struct recorder recorder;
	struct command command;
	u64 started;	   /* ns */
	u64 next_progress; /* ns */
	u64 map_records_lost;
	bool refused; /* by the kernel: loading, attaching or sampling */
	int epoll;
	struct outfile out;
};

static volatile sig_atomic_t stop_signal;

static void on_signal(int signo)
{
	stop_signal = signo;
}

static void catch_signals(void)
{
	struct sigaction stop = { .sa_handler = on_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGHUP, &stop, NULL);
	/* A reader that goes away, or a file that may not grow, is an error of
	 * writing, not our end. */
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Files of targets are kept open: take as many descriptors as we may. */
static void raise_files_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
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
		.helper_reads = o->helper_reads,
		.by_nmi = strcmp(o->event, "cpu-clock") != 0,
		.watch_all = track_mode(o) != TRACK_LISTED,
		.arena_fd = s->arena_fd,
		.tid = o->tid,
		.tids = o->tids,
	};

	return engine_new(&config);
}

static void prefetch(struct session *s)
{
	for (size_t i = 0; i < s->o->pids; i++)
		prefetch_process(s->modules, "/proc", s->o->pid[i]);
	if (track_mode(s->o) == TRACK_INTERPRETERS)
		prefetch_interpreters(s->modules, "/proc");
}

/* Load the kernel side in one thread, read the targets' files in this one. */
static int open_engine(struct session *s)
{
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
	s->arena = arena_new(s->arena_fd, ARENA_LIMIT);
	s->modules = modules_new("/proc", s->arena, s->o->lines);
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
	s->tracker = tracker_new(s->engine, s->modules, s->arena, "/proc",
				 track_mode(s->o));
	if (s->o->lines)
		tracker_keep_texts(s->tracker, s->recorder.texts);
	return 0;
}

static void on_notice(void *ctx, const struct notice *n)
{
	struct session *s = ctx;

	tracker_notice(s->tracker, n);
}

static void on_mapped(void *ctx, pid_t pid)
{
	struct session *s = ctx;

	tracker_mapped(s->tracker, pid);
}

static int watch(struct session *s)
{
	struct epoll_event ev = { .events = EPOLLIN };

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	ev.data.fd = engine_poll_fd(s->engine);
	if (s->epoll < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, ev.data.fd, &ev))
		return -errno;
	s->mapwatch = mapwatch_new();
	if (s->mapwatch)
		return mapwatch_watch(s->mapwatch, s->epoll);
	log_warn("new mappings are seen late (perf events: %m)");
	return 0;
}

static int add_pid(struct session *s, pid_t pid, const char *what, pid_t shown)
{
	int err = tracker_add(s->tracker, pid);

	if (!err)
		return 0;
	errno = -err;
	if (err == -ESRCH || err == -ENOENT)
		log_err("there is no %s %d (it may have ended)", what, shown);
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

static int wait_ms(u64 now, u64 end, int due)
{
	int ms = POLL_MS;

	if (due >= 0 && due < ms)
		ms = due;
	if (end && end <= now)
		return 0;
	if (end && (end - now) / 1000000 < (u64)ms)
		ms = (end - now + 999999) / 1000000;
	return ms;
}

/* All that was asked for has ended. */
static bool targets_ended(struct session *s)
{
	int status;

	if (s->o->command)
		return command_ended(&s->command, &status);
	if (!s->o->pids && !s->o->tids)
		return false;
	return tracker_sum(s->tracker).live == 0;
}

static void loop(struct session *s)
{
	u64 now = now_ns(), end = 0;
	struct epoll_event ev[8];
	int due = 0;

	if (s->o->duration > 0)
		end = now + (u64)(s->o->duration * 1e9);
	while (!stop_signal && (!end || now < end)) {
		epoll_wait(s->epoll, ev, 8, wait_ms(now, end, due));
		drain(s);
		due = tracker_work(s->tracker);
		/* A few at a time: what happens meanwhile must be seen. */
		if (modules_build(s->modules, BUILD_AT_ONCE))
			due = 0;
		now = now_ns();
		progress(s, now);
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
	return command_start(&s->command, s->o->command[0]);
}

static int write_result(struct session *s)
{
	const struct recorder_view view = {
		.internals = s->o->internals,
		.lines = s->o->lines,
		.frequency = s->o->frequency,
		.lexical = s->o->lexical,
		.format = format_find(s->o->format),
	};
	int err = outfile_begin(&s->out);

	if (!err)
		err = recorder_write(&s->recorder, s->modules, &view,
				     s->out.stream);
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
	modules_build(s->modules, 0);
	err = start_sampling(s);
	if (err)
		return err;
	loop(s);
	engine_stop(s->engine);
	drain(s);
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

	catch_signals();
	raise_files_limit();
	recorder_init(&s.recorder);
	s.recorder.on_notice = on_notice;
	s.recorder.ctx = &s;
	err = record(&s);
	command_release(&s.command);
	mapwatch_free(s.mapwatch);
	tracker_free(s.tracker);
	modules_free(s.modules);
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
