/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Makes each stage with its part of the configuration, and connects the reader's
 * records to the tracker and the recorder. */
#include "user/session/stages.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/intake/reader.h"
#include "user/intake/record.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/processes/deferred.h"
#include "user/processes/prefetch.h"
#include "user/processes/tracker.h"
#include "user/profile/profile.h"
#include "user/session/descriptors.h"
#include "user/session/signals.h"
#include "user/unwind/arena.h"

/* MiB of --max-memory: with less, loading the kernel side, which takes some 16 besides the
 * maps for a moment, has them for itself. */
#define LOAD_ALONE 128
/* Of --max-memory, at most */
#define RING_PART    8
#define ARENA_PART   3
#define PROFILE_PART 2

static enum track_mode track_mode(const struct session_config *c)
{
	if (c->all)
		return TRACK_ALL;
	if (c->pids || c->engine.tids || c->command)
		return TRACK_LISTED;
	return TRACK_INTERPRETERS;
}

/* Bytes */
static size_t memory(const struct session_config *c)
{
	return (size_t)c->max_memory << 20;
}

static void *load_engine(void *arg)
{
	struct session *s = arg;
	const struct session_config *c = s->config;
	struct engine_config config = c->engine;

	config.max_processes = session_entries(c->max_memory);
	config.max_files = s->max_files + 1;
	config.max_ring = memory(c) / RING_PART;
	config.lines = c->view.lines;
	config.walker_options = c->view.walker_options;
	/* A reader of the recording chooses what is shown. */
	if (c->record || c->view.branches)
		config.walker_options |= walker_options_of_views();
	config.call_stacks = c->format || c->record;
	if (c->show.redact)
		config.call_args = config.call_value = 0;
	if (c->trace_view >= VIEW_LOG)
		config.call_log =
			c->trace_view == VIEW_CHROME || config.call_min
				? CALL_LOG_ENDS
				: CALL_LOG_BOTH;
	config.watch_all = track_mode(c) != TRACK_LISTED;
	config.watch_ignored = c->children || c->command;
	config.arena_fd = s->arena_fd;
	return engine_new(&config);
}

static void new_recorder(struct session *s)
{
	const struct recorder_config config = {
		.tables = s->tables,
		.max_bytes = memory(s->config) / PROFILE_PART,
	};

	recorder_init(&s->recorder, &config);
	s->profile = profile_new();
}

static void take_late(void *session, const struct sample *head, u32 status,
		      const u64 *word, u32 words)
{
	struct session *s = session;

	if (head->source == SOURCE_ENTERS) {
		head = trace_entered(s->trace, head, word, words);
		if (!head) {
			s->unchosen++;
			return;
		}
		word = head->word;
		words = head->words;
	}
	recorder_take_late(&s->recorder, head, status, word, words);
}

static void count_late(void *session, u32 status)
{
	struct session *s = session;

	recorder_count(&s->recorder, status);
}

static void new_tracker(struct session *s)
{
	const struct session_config *c = s->config;
	const struct tracker_config config = {
		.engine = s->engine,
		.modules = s->modules,
		.arena = s->arena,
		.proc = "/proc",
		.mode = track_mode(c),
		.children = c->children || c->command,
		.errors = c->engine.sources >> SOURCE_ERRORS & 1,
		.warnings = c->warnings,
		.cxx = c->cxx,
		.calls = calls_sink(s),
		.is_chosen = c->only.comm || c->only.uids || c->only.cgroup
				     ? chosen_is
				     : NULL,
		.chosen_ctx = (void *)c,
		.sink = { take_late, count_late, s },
		.keep = { s->config->view.lines ? recorder_keep : NULL,
			  &s->recorder },
	};

	s->tracker = tracker_new(&config);
}

static void on_sample(void *ctx, const struct sample *sample)
{
	struct session *s = ctx;

	if (s->config->dump)
		dump_sample(s, sample);
	else if (sample->source == SOURCE_ERRORS && session_has_first(s))
		return;
	else if (sample->source == SOURCE_ENTERS &&
		 !(sample = trace_entered(s->trace, sample, sample->word,
					  sample->words)))
		s->unchosen++;
	else if (tracker_sampled(s->tracker, sample))
		recorder_take(&s->recorder, sample);
	else
		recorder_take_replaced(&s->recorder, sample);
}

static int new_reader(struct session *s)
{
	const struct record_sink sink = {
		.sample = on_sample,
		.call = calls_take,
		.deferred = tracker_deferred,
		.notice = tracker_notice,
		.mapped = tracker_mapped,
		.text = recorder_take_text,
		.ctx = s,
		.processes = s->tracker,
		.texts = &s->recorder,
	};

	s->mapwatch = mapwatch_new();
	if (!s->mapwatch)
		log_warn("new mappings are seen late (perf events: %m)");
	s->reader = reader_new(s->engine, s->mapwatch, &sink);
	if (!s->reader)
		log_err("no memory for samples that wait: %m");
	return s->reader ? 0 : -ENOMEM;
}

static void prefetch_programs(struct session *s)
{
	const struct session_config *c = s->config;

	prefetch_processes(s->modules, c->pid, c->pids);
	prefetch(s->modules, c->command ? c->command[0] : NULL,
		 track_mode(c) != TRACK_LISTED || c->command);
}

/* A part of the BPF maps is for each CPU.  They leave half of the limit. */
static void check_limit(const struct session *s)
{
	size_t least = 2 * engine_map_bytes(s->engine);

	if (memory(s->config) >= least)
		return;
	log_warn("the BPF maps for the CPUs of this host need more than half "
		 "of --max-memory %u: it is %zu now",
		 s->config->max_memory, (least >> 20) + 1);
	heap_limit(least);
}

/* Which texts the walkers look for. */
static void store_keys(const struct session *s)
{
	const char *asked[RULES_ASKED + 1] = { NULL };

	if (s->config->rules)
		rules_asked(s->config->rules, asked);
	walker_keys_store(s->engine, asked);
}

/* One thread loads the kernel side, while this one reads the files of programs to be
 * profiled, where there is memory for both. */
static struct engine *load(struct session *s)
{
	void *engine = NULL;
	pthread_t loader;

	if (s->config->max_memory < LOAD_ALONE ||
	    pthread_create(&loader, NULL, load_engine, s))
		return load_engine(s);
	prefetch_programs(s);
	pthread_join(loader, &engine);
	return engine;
}

int stages_open(struct session *s)
{
	struct modules_config modules = {
		.proc = "/proc",
		.lines = s->config->view.lines,
		.max = s->max_files,
		.name = recorder_name,
		.ctx = &s->recorder,
	};
	s->arena_fd = arena_outer();
	if (s->arena_fd < 0) {
		log_err("cannot create a BPF map: %s (run 'jpbpf check')",
			strerror(-s->arena_fd));
		s->refused = true;
		return s->arena_fd;
	}
	s->arena = arena_new(s->arena_fd, memory(s->config) / ARENA_PART);
	s->tables = modules.tables = tables_new(s->arena);
	s->modules = modules_new(&modules);
	new_recorder(s);
	s->engine = load(s);
	s->refused = !s->engine && heap_has(memory(s->config) / 4);
	if (!s->engine)
		return -EPERM;
	check_limit(s);
	modules_bind(s->modules, s->engine);
	store_keys(s);
	calls_begin(s);
	new_tracker(s);
	return new_reader(s);
}

void stages_close(struct session *s)
{
	command_release(&s->command);
	control_release(s);
	dump_release(s);
	reel_release(s);
	mapwatch_free(s->mapwatch);
	tracker_free(s->tracker);
	calls_release(s);
	modules_free(s->modules);
	tables_free(s->tables);
	arena_free(s->arena);
	reader_free(s->reader);
	engine_free(s->engine);
	recorder_release(&s->recorder);
	profile_free(s->profile);
	if (s->arena_fd >= 0)
		close(s->arena_fd);
	if (s->epoll >= 0)
		close(s->epoll);
	descriptors_restore();
	signals_restore();
}
