/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Loads the skeleton and wraps its maps.
 *
 * Arrays with a part per walk slot get their size here, before loading.  libbpf's own
 * messages are shown with -v only: the verifier's log serves a developer, the sentence
 * that follows it serves the user.
 */
#include "user/kernel/engine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <jpbpf/call.h>
#include <jpbpf/config.h>
#include <jpbpf/types.h>

#include "helper.skel.h"

#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine_part.h"
#include "user/kernel/events.h"
#include "user/kernel/host.h"
#include "walkers/walker.h"

#define LOAD_BYTES ((size_t)64 << 20) /* about what loading needs */
#define MAX_WAIT   (2u << 20)	      /* bytes in the ring without a wake-up */
#define EACH_HZ	   10000u /* assumed for a source that samples each event */

/* The verifier's log comes as a warning.  libbpf has one print function per process. */
static int on_message(enum libbpf_print_level level, const char *fmt,
		      va_list ap)
{
	if (level == LIBBPF_WARN && log_get_level() >= LOG_VERBOSE)
		vfprintf(stderr, fmt, ap);
	return 0;
}

static void size_map(struct engine *e, const char *name, u32 entries)
{
	struct bpf_map *map =
		name ? bpf_object__find_map_by_name(e->skel->obj, name) : NULL;

	if (map)
		bpf_map__set_max_entries(map, entries);
}

/* Maps of calls take memory only where calls are followed. */
static void size_calls(struct engine *e, const struct engine_config *config)
{
	static const struct {
		const char *name;
		u32 entries;
	} map[] = {
		{ "call_places", ENGINE_MAX_PLACES },
		{ "call_functions", 65536 },
		{ "call_rows", 65536 },
		{ "call_buckets", 1u << CALL_BUCKET_LOG },
		{ "call_nodes", 262144 },
		{ "call_coroutines", 65536 },
		{ "call_watches", 16384 },
		{ "call_names", 4096 },
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(*map); i++)
		size_map(e, map[i].name,
			 config->sources >> SOURCE_CALLS & 1 ? map[i].entries
							     : 1);
}

/* Every plain array except the table of files has one part per walk slot.  The counters
 * have one more. */
static void size_maps(struct engine *e, const struct engine_config *config)
{
	struct bpf_map *map;

	size_map(e, "processes", config->max_processes);
	size_map(e, "fresh", config->max_processes);
	size_map(e, "files", config->max_files);
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		size_map(e, walkers[i]->process.map, config->max_processes);
		size_map(e, walkers[i]->file.map, config->max_files);
	}
	bpf_object__for_each_map(map, e->skel->obj)
	{
		if (bpf_map__type(map) != BPF_MAP_TYPE_ARRAY ||
		    bpf_map__is_internal(map) || map == e->skel->maps.files)
			continue;
		bpf_map__set_max_entries(map,
					 bpf_map__max_entries(map) * e->slots);
	}
	size_calls(e, config);
	size_map(e, "stats", e->slots + 1);
	size_map(e, "accounts", e->cpus * __builtin_popcount(config->sources));
}

/* While a program starts, its samples are deferred with their stacks; the ring holds
 * nine of R's.  The ring is sized to hold those of some milliseconds. */
static size_t size_ring(struct engine *e, const struct engine_config *config)
{
	unsigned frequency = sources_timed(config->sources) == config->sources
				     ? config->frequency
				     : EACH_HZ;
	size_t size = bpf_map__max_entries(e->skel->maps.samples);

	for (; frequency > 500; frequency /= 2)
		size *= 2;
	while (size > config->max_ring)
		size /= 2;
	bpf_map__set_max_entries(e->skel->maps.samples, size);
	return size;
}

static void configure(struct engine *e, const struct engine_config *config)
{
	size_t ring = size_ring(e, config) / 4;

	e->skel->rodata->config.user_only = config->user_only;
	e->skel->rodata->config.kernel_only = config->kernel_only;
	e->skel->rodata->config.by_thread = config->tids > 0;
	e->skel->rodata->config.wake_bytes = ring < MAX_WAIT ? ring : MAX_WAIT;
	e->skel->rodata->config.lines = config->lines;
	e->skel->rodata->config.walker_options = config->walker_options;
	e->skel->rodata->pids_namespace = host_pid_namespace();
	e->skel->rodata->watch_all = config->watch_all;
	e->skel->rodata->watch_ignored = config->watch_ignored;
	e->skel->rodata->direct_foreign = config->threads;
	bpf_program__set_autoload(e->skel->progs.on_error,
				  config->sources >> SOURCE_ERRORS & 1);
	bpf_program__set_autoattach(e->skel->progs.on_error, false);
	bpf_program__set_autoload(e->skel->progs.on_call,
				  config->sources >> SOURCE_CALLS & 1);
	bpf_program__set_autoattach(e->skel->progs.on_call, false);
	bpf_program__set_autoload(e->skel->progs.on_watch,
				  config->call_mode != CALL_MODE_ALL);
	bpf_program__set_autoattach(e->skel->progs.on_watch, false);
	e->multi = !host_without_multi();
	if (e->multi)
		bpf_program__set_expected_attach_type(e->skel->progs.on_call,
						      ENGINE_UPROBE_MULTI);
	e->skel->rodata->config.calls = config->sources >> SOURCE_CALLS & 1;
	e->skel->rodata->config.call_nodes = config->call_stacks;
	e->skel->rodata->config.call_watch = config->call_mode != CALL_MODE_ALL;
	e->skel->rodata->config.call_log = config->call_log;
	e->skel->rodata->config.call_args = config->call_args;
	e->skel->rodata->config.call_value = config->call_value;
	e->skel->rodata->config.call_min = config->call_min;
	e->skel->rodata->config.call_rate = config->call_rate;
	bpf_program__set_autoload(e->skel->progs.on_thread, config->threads);
	bpf_program__set_autoattach(e->skel->progs.on_thread, false);
	if (host_without_areas())
		bpf_program__set_autoload(e->skel->progs.on_area, false);
	bpf_program__set_autoattach(e->skel->progs.on_area, false);
}

static int put_threads(struct engine *e, const struct engine_config *config)
{
	int fd = bpf_map__fd(e->skel->maps.threads);

	for (size_t i = 0; i < config->tids; i++) {
		u32 tid = config->tid[i], one = 1;

		if (bpf_map_update_elem(fd, &tid, &one, BPF_ANY))
			return -errno;
	}
	return 0;
}

static int on_record(void *ctx, void *data, size_t len)
{
	struct engine *e = ctx;

	return e->fn(e->ctx, data, len);
}

static size_t files_bytes(const struct engine *e)
{
	return bpf_map__max_entries(e->skel->maps.files) *
	       sizeof(struct unwind_file);
}

static int map_files(struct engine *e)
{
	void *p = mmap(NULL, files_bytes(e), PROT_READ | PROT_WRITE, MAP_SHARED,
		       bpf_map__fd(e->skel->maps.files), 0);

	if (p == MAP_FAILED)
		return -errno;
	e->files = p;
	return 0;
}

static int load(struct engine *e, const struct engine_config *config)
{
	int err = bpf_map__reuse_fd(e->skel->maps.arena, config->arena_fd);

	if (!err)
		err = jpbpf_bpf__load(e->skel);
	if (!err)
		err = put_threads(e, config);
	if (!err)
		err = map_files(e);
	if (!err && (e->direct || config->threads) &&
	    !host_search_direct(bpf_program__fd(e->skel->progs.direct_find)) &&
	    config->threads)
		err = -EOPNOTSUPP;
	if (!err && e->skel->rodata->pids_namespace)
		err = host_search_pids(
			bpf_program__fd(e->skel->progs.pids_find));
	if (err)
		return err;
	e->ring = ring_buffer__new(bpf_map__fd(e->skel->maps.samples),
				   on_record, e, NULL);
	if (!e->ring)
		return -errno;
	e->charged = engine_map_bytes(e);
	heap_charge(e->charged);
	return 0;
}

/* Opens the programs that read memory directly, or those that do it by helpers.  Both
 * are built from the same sources, so one description serves.  0 or -errno. */
static int open_skeleton(struct engine *e)
{
	struct jpbpf_bpf *skel = xcalloc(1, sizeof(*skel));
	struct bpf_object_skeleton *s;
	int err = jpbpf_bpf__create_skeleton(skel);

	e->skel = skel;
	if (err)
		return err;
	s = skel->skeleton;
	if (!e->direct)
		s->data = helper_bpf__elf_bytes(&s->data_sz);
	return bpf_object__open_skeleton(s, NULL);
}

struct engine *engine_new(const struct engine_config *config)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	int err = 0;

	libbpf_set_print(on_message);
	e->cpus = libbpf_num_possible_cpus();
	e->direct = !config->helper_reads && !host_without_direct();
	if (config->threads && host_without_foreign())
		err = -EOPNOTSUPP;
	else
		err = e->cpus > 0 ? open_skeleton(e) : e->cpus;
	if (!err) {
		e->slots =
			sources_set(&e->skel->rodata->config, config, e->cpus);
		size_maps(e, config);
		configure(e, config);
		err = load(e, config);
	}
	if (!err)
		return e;
	errno = -err;
	/* libbpf gives other errors, too, when it finds no memory. */
	if (!heap_has(LOAD_BYTES))
		log_err("no memory to load the BPF programs (see ulimit -v)");
	else if (err == -EOPNOTSUPP && config->threads)
		log_err("threads that sleep cannot be shown here: %s (run "
			"'jpbpf check')",
			host_without_foreign()
				?: "the kernel's direct map was not found");
	else
		log_err("cannot load the BPF programs: %m (run 'jpbpf check' to see "
			"what this host lacks, or add -v for the kernel's log)");
	engine_free(e);
	return NULL;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	engine_stop(e);
	ring_buffer__free(e->ring);
	if (e->files)
		munmap(e->files, files_bytes(e));
	jpbpf_bpf__destroy(e->skel);
	heap_charge(-(long)e->charged);
	free(e->event);
	free(e);
}

void engine_sample_until(struct engine *e, u64 time)
{
	__atomic_store_n(&e->skel->data->sample_until, time, __ATOMIC_RELAXED);
}

void engine_stop(struct engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->events; i++)
		bpf_link__destroy(e->event[i]);
	e->events = 0;
}

int engine_poll_fd(const struct engine *e)
{
	return bpf_map__fd(e->skel->maps.samples);
}

void engine_consume(struct engine *e,
		    int (*fn)(void *ctx, const void *record, size_t len),
		    void *ctx)
{
	e->fn = fn;
	e->ctx = ctx;
	ring_buffer__consume(e->ring);
}

int engine_map(const struct engine *e, const char *name)
{
	int fd = bpf_object__find_map_fd_by_name(e->skel->obj, name);

	return fd < 0 ? -ENOENT : fd;
}

int engine_stats(const struct engine *e, struct counters *out)
{
	int fd = bpf_map__fd(e->skel->maps.stats);
	struct counters value;
	u64 *to = (u64 *)out;

	memset(out, 0, sizeof(*out));
	for (u32 entry = 0; entry <= (u32)e->slots; entry++) {
		if (bpf_map_lookup_elem(fd, &entry, &value))
			return -errno;
		for (size_t i = 0; i < sizeof(value) / sizeof(u64); i++)
			to[i] += ((const u64 *)&value)[i];
	}
	return 0;
}

size_t engine_map_bytes(const struct engine *e)
{
	struct bpf_map *map;
	size_t sum = 0;

	bpf_object__for_each_map(map, e->skel->obj)
	{
		size_t entries = bpf_map__max_entries(map);
		size_t size = (bpf_map__value_size(map) + 7) & ~7u;

		/* A map that grows as needed has few entries. */
		if (bpf_map__map_flags(map) & BPF_F_NO_PREALLOC)
			continue;
		if (bpf_map__type(map) == BPF_MAP_TYPE_RINGBUF)
			sum += entries;
		else if (bpf_map__type(map) == BPF_MAP_TYPE_HASH)
			sum += entries * (size + bpf_map__key_size(map) + 48);
		else
			sum += entries * size;
	}
	return sum;
}

void engine_tell_programs(const struct engine *e)
{
	struct bpf_program *p;

	bpf_object__for_each_program(p, e->skel->obj)
	{
		struct bpf_prog_info info = { 0 };
		u32 len = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(p), &info, &len))
			continue;
		log_asked("stats: program %s: %u instructions verified, "
			  "%llu runs, %llu ns",
			  bpf_program__name(p), info.verified_insns,
			  info.run_cnt, info.run_time_ns);
	}
}

/*
 * A walk may be reading the entry.  It reads the number of chunks first, so that number
 * is written last.  When the number becomes 0, the place of the chunks stays.
 */
void engine_put_file(struct engine *e, u32 file, const struct unwind_file *f)
{
	struct unwind_file *to = &e->files[file];

	if (f->chunks) {
		__atomic_store_n(&to->first, f->first, __ATOMIC_RELAXED);
		__atomic_store_n(&to->rules_first, f->rules_first,
				 __ATOMIC_RELAXED);
	}
	__atomic_store_n(&to->rules, f->chunks ? 0 : f->rules,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&to->chunks, f->chunks, __ATOMIC_RELEASE);
}
