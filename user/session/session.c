/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The phases of a run: open, attach, run, stop, write.
 *
 * The loop waits for whichever comes first: records, something due in the tracker, a
 * signal, the end of the command or of the duration.  Whatever ends the loop, the
 * collected samples are written.
 */
#include "user/session/stages.h"

#include <errno.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "user/lib/clock.h"
#include "user/lib/heap.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/profile/load.h"
#include "user/profile/profile.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/kernel/privilege.h"
#include "user/intake/reader.h"
#include "user/files/tables.h"
#include "user/processes/tracker.h"
#include "user/session/descriptors.h"
#include "user/session/signals.h"

#define BUILD_AT_ONCE	 2 /* tables, while sampling */
#define HELD_MS		 1 /* ms until held-back mappings are asked for again */
#define READER_PRIORITY	 (-20)
#define SESSION_PRIORITY (-10)

/* Wake the loop when this can be read; -1: there is none.  0 or -errno. */
static int watch(const struct session *s, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };

	if (fd < 0)
		return 0;
	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

/* Where notices or mapping records were lost, all processes are examined again.  That
 * samples are skipped is said once. */
static void check_losses(struct session *s)
{
	struct counters stats;
	u64 lost;

	if (engine_stats(s->engine, &stats))
		return;
	if (stats.skipped && !s->skips)
		log_warn("samples would cost more than %u %% of a CPU: fewer "
			 "are taken, and each counts for those left out "
			 "(--max-cost)",
			 s->config->engine.max_cost);
	s->skips |= stats.skipped > 0;
	lost = stats.status[HOST_NOTICE_LOST] + reader_maps_lost(s->reader);
	if (lost != s->lost_seen)
		tracker_recheck(s->tracker);
	s->lost_seen = lost;
}

static void work_of_a_second(struct session *s, u64 now)
{
	size_t live = tracker_sum(s->tracker).live;

	s->next_second = now + 1000000000ull;
	log_progress("%llu s, %llu samples, %zu process%s "
		     "(^C ends and writes)",
		     (now - s->started) / 1000000000u, s->recorder.samples,
		     live, live == 1 ? "" : "es");
	check_losses(s);
}

/* Set when sampling begins (--delay) and ends (-d). */
static void set_times(struct session *s, u64 now)
{
	s->begin = now + s->config->delay;
	if (s->config->duty[0])
		s->next_duty = now + s->config->duty[0];
	if (s->config->duration) {
		s->end = s->begin + s->config->duration;
		reader_end_at(s->reader, s->end);
	}
	if (s->begin > now)
		engine_sample_until(s->engine, now);
}

/* The earlier of two waits, ms; -1: none. */
static int earlier(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Until the next thing that happens at a time, or is due before. */
static int next_time(const struct session *s, int due, u64 now)
{
	const u64 time[] = {
		s->end,
		s->begin > now ? s->begin : 0,
		session_by(s->config) & PROFILE_TIMES ? s->next_turn : 0,
		log_has_progress() ? s->next_second : 0,
		s->next_duty,
	};

	for (size_t i = 0; i < sizeof(time) / sizeof(*time); i++) {
		u64 ms =
			time[i] <= now ? 0 : (time[i] - now + 999999) / 1000000;

		if (time[i])
			due = earlier(due, ms < INT_MAX ? (int)ms : INT_MAX);
	}
	return due;
}

/* What time has come for. */
static void keep_time(struct session *s, u64 before, u64 now)
{
	if (before < s->begin && now >= s->begin)
		engine_sample_until(s->engine, s->end ? s->end : ~0ull);
	if (s->next_duty && now >= s->next_duty)
		calls_duty(s, now);
	if (now >= s->next_second)
		work_of_a_second(s, now);
	if (now >= s->next_turn) {
		reel_turn(s, now);
		s->next_turn = now + REEL_NS;
	}
}

bool session_has_first(const struct session *s)
{
	return s->config->first &&
	       s->recorder.of[SOURCE_ERRORS] >= s->config->first;
}

static void loop(struct session *s)
{
	u64 now = now_ns(), before;
	struct epoll_event ev[8];
	int due = 0;
	bool is_all;

	set_times(s, now);
	while (!signals_stopped() && (!s->end || now < s->end)) {
		epoll_wait(s->epoll, ev, 8, next_time(s, due, now));
		is_all = reader_take(s->reader);
		due = tracker_work(s->tracker);
		if (!is_all)
			due = earlier(due, HELD_MS);
		/* Few tables at a time, so that records are read in between. */
		due = earlier(due, tables_build(s->tables, BUILD_AT_ONCE));
		control_take(s);
		before = now;
		now = now_ns();
		keep_time(s, before, now);
		if (heap_is_ending()) {
			log_err("no memory: the run ends, and what was sampled "
				"until now is written (see ulimit -v)");
			s->failed = true;
		}
		if (s->failed || chosen_ended(s) || session_has_first(s))
			break;
	}
	log_progress_end();
}

/* Start sampling and the command.  0; 1: the command cannot be run; or -errno. */
static int start_sampling(struct session *s)
{
	int err;

	if (s->config->delay)
		engine_sample_until(s->engine, now_ns());
	err = events_sample(s->engine, &s->config->engine);
	s->refused = err < 0;
	if (!err)
		err = reel_begin(s);
	if (err || !s->config->command)
		return err;
	err = watch(s, s->command.pidfd);
	if (err)
		return err;
	return command_start(&s->command, s->config->command[0]) ? 0 : 1;
}

/* From here on only reading is left to do; the command has begun. */
static void drop_privileges(const struct session *s)
{
	bool makes = reel_rotates(s) || s->control.fd >= 0;
	unsigned also = (s->config->command ? PRIVILEGE_COMMAND : 0) |
			(makes ? PRIVILEGE_FILES : 0);
	bool probes = s->config->engine.sources &
		      (1u << SOURCE_ERRORS | 1u << SOURCE_CALLS);
	unsigned phases = PRIVILEGE_RUN | also |
			  (s->config->dump || probes ? PRIVILEGE_START : 0) |
			  (probes ? PRIVILEGE_PROBES : 0);
	int err = s->config->again ? 0 : privilege_keep(phases);

	errno = -err;
	if (err)
		log_warn("privileges that are not needed could not be given "
			 "up: %m");
}

/* The reader must get a CPU before the rings are full, also during the first look at
 * all processes, which takes seconds on a busy host.  Only a privileged thread can get
 * such a priority; the reader inherits it from this thread. */
static int begin_reading(struct session *s)
{
	int own = getpriority(PRIO_PROCESS, 0), err;

	setpriority(PRIO_PROCESS, 0, READER_PRIORITY);
	err = reader_start(s->reader);
	setpriority(PRIO_PROCESS, 0, own);
	return err;
}

unsigned session_by(const struct session_config *c)
{
	unsigned all = PROFILE_BY_PID | PROFILE_BY_TID | PROFILE_TIMES;

	return c->record || !c->format
		       ? all
		       : format_find(c->format)->by | rules_needs(&c->show);
}

/* Open what is written to.  0 or -errno after log_err(). */
static int open_output(struct session *s)
{
	int err = 0;

	if (!s->config->record)
		err = outfile_open(&s->out, s->config->output);
	if (!err)
		err = reel_open(s);
	return err ? err : control_open(s);
}

int session_load(struct session *s)
{
	const struct load_config config = { .view = s->config->view,
					    .by = session_by(s->config) };
	_cleanup_free_ char *path = xasprintf("/proc/self/fd/%d", s->reel.fd);
	int err;

	s->profile->max_bytes =
		s->recorder.config.max_bytes - recorder_bytes(&s->recorder);
	err = load_recording(s->profile, path, &config);
	if (err)
		return err;
	s->recorder.status[HOST_STACKS] += s->profile->refused;
	rules_use(s->config->rules, &s->config->show, s->profile);
	return 0;
}

static int put_profile(struct session *s)
{
	if (s->trace && !s->config->format)
		return calls_put(s);
	if (!s->config->format)
		return dump_put(s);
	return format_find(s->config->format)->write(s->profile, s->out.out);
}

/* 0 or -errno after log_err(). */
static int write_output(struct session *s)
{
	int err = reel_end(s), loaded;

	if (s->config->record || (err && !s->reel.earlier))
		return err;
	/* It could not be opened again after a snapshot. */
	if (!s->out.out)
		return err ? err : -EIO;
	/* Each dump was written when it was taken. */
	if (s->config->watch && !s->config->format)
		return outfile_close(&s->out, 0);
	loaded = session_load(s);
	if (loaded || (err && !intern_count(s->profile->stacks)))
		return loaded ? loaded : err;
	loaded = outfile_close(&s->out, put_profile(s));
	return loaded ? loaded : err;
}

static int attach(struct session *s)
{
	int err = engine_attach(s->engine);

	s->refused = err != 0;
	return err;
}

/* Open everything and start.  0, or as start_sampling(). */
static int begin(struct session *s)
{
	int err = open_output(s) ?: stages_open(s);

	if (err)
		return err;
	err = watch(s, s->control.fd) ?: watch(s, reader_fd(s->reader))
		?: watch(s, signals_fd()) ?: attach(s) ?: begin_reading(s)
		?: chosen_add(s);
	if (err)
		return err;
	tables_build(s->tables, 0);
	return start_sampling(s);
}

static int record(struct session *s)
{
	int own = getpriority(PRIO_PROCESS, 0);
	int err = begin(s);

	if (!err) {
		/* What new code needs must be there before too many samples wait for
		 * it, also where the targets use every CPU. */
		setpriority(PRIO_PROCESS, 0, SESSION_PRIORITY);
		drop_privileges(s);
		if (s->config->dump)
			err = dump_run(s);
		else
			loop(s);
		setpriority(PRIO_PROCESS, 0, own);
	}
	reader_stop(s->reader);
	engine_stop(s->engine);
	if (err)
		return err;
	if (s->trace)
		engine_settle_calls(s->engine);
	reader_take(s->reader);
	check_losses(s);
	reader_count(s->reader, s->recorder.status);
	tables_hurry(s->tables);
	tracker_finish(s->tracker);
	if (s->trace)
		calls_end(s);
	err = write_output(s);
	if (!s->config->dump)
		summary_print(s);
	return err;
}

int session_run(const struct session_config *config)
{
	struct session s = {
		.config = config,
		.started = now_ns(),
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.arena_fd = -1,
		.command = COMMAND_NONE,
		.reel.fd = -1,
		.control.fd = -1,
	};
	u32 files = session_entries(config->max_memory);
	int err = signals_catch();

	heap_limit((size_t)config->max_memory << 20);
	s.max_files = descriptors_raise(files);
	if (s.max_files < files)
		log_warn("only %u files of targets can be open at a time (for "
			 "more: ulimit -n %u)",
			 s.max_files, descriptors_wanted(files));
	if (!err)
		err = record(&s);
	stages_close(&s);
	if (err < 0 || s.failed)
		return s.refused ? STATUS_REFUSED : STATUS_FAILED;
	/* ^C ends the command, too, and is no failure of it. */
	return signals_stopped() ? STATUS_DONE : command_status(&s.command);
}
