/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The kernel side's account of calls: its size, its programs, and what user space says. */
#include "user/kernel/engine_part.h"

#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "user/kernel/host.h"
#include "user/lib/log.h"

/* Maps of calls take memory only where calls are followed. */
void engine_size_calls(struct engine *e, const struct engine_config *config)
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
		bpf_map__set_max_entries(
			bpf_object__find_map_by_name(e->skel->obj, map[i].name),
			config->sources >> SOURCE_CALLS & 1 ? map[i].entries
							    : 1);
}

void engine_configure_calls(struct engine *e,
			    const struct engine_config *config)
{
	bpf_program__set_autoload(e->skel->progs.on_call,
				  config->sources >> SOURCE_CALLS & 1);
	bpf_program__set_autoattach(e->skel->progs.on_call, false);
	bpf_program__set_autoload(e->skel->progs.on_answer,
				  config->sources >> SOURCE_CALLS & 1);
	bpf_program__set_autoload(e->skel->progs.on_enter,
				  config->sources >> SOURCE_ENTERS & 1);
	bpf_program__set_autoattach(e->skel->progs.on_enter, false);
	bpf_program__set_autoload(e->skel->progs.on_watch,
				  config->call_mode != CALL_MODE_ALL);
	bpf_program__set_autoattach(e->skel->progs.on_watch, false);
	e->multi = !host_without_multi();
	/* on_call goes on in on_enter, which has to be of the same type. */
	if (e->multi) {
		bpf_program__set_expected_attach_type(e->skel->progs.on_call,
						      ENGINE_UPROBE_MULTI);
		bpf_program__set_expected_attach_type(e->skel->progs.on_enter,
						      ENGINE_UPROBE_MULTI);
	}
	e->skel->rodata->config.enters = config->sources >> SOURCE_ENTERS & 1;
	e->skel->rodata->config.calls = config->sources >> SOURCE_CALLS & 1;
	e->skel->rodata->config.call_nodes = config->call_stacks;
	e->skel->rodata->config.call_watch = config->call_mode != CALL_MODE_ALL;
	e->skel->rodata->config.call_log = config->call_log;
	e->skel->rodata->config.call_args = config->call_args;
	e->skel->rodata->config.call_value = config->call_value;
	e->skel->rodata->config.call_min = config->call_min;
	e->skel->rodata->config.call_rate = config->call_rate;
}

/* on_call goes on in on_enter, if that is there. */
int engine_link_calls(struct engine *e)
{
	int prog = bpf_program__fd(e->skel->progs.on_enter);
	u32 first = 0;

	if (prog < 0)
		return 0;
	return bpf_map_update_elem(bpf_map__fd(e->skel->maps.call_next), &first,
				   &prog, BPF_ANY)
		       ? -errno
		       : 0;
}

int engine_put_place(struct engine *e, const struct call_place *place)
{
	u32 index = e->places;

	if (index >= ENGINE_MAX_PLACES)
		return -ENOSPC;
	if (bpf_map_update_elem(bpf_map__fd(e->skel->maps.call_places), &index,
				place, BPF_ANY))
		return -errno;
	return e->places++;
}

void engine_answer(struct engine *e, const struct call_answer *answer)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = answer,
		    .ctx_size_in = sizeof(*answer));

	if (bpf_prog_test_run_opts(bpf_program__fd(e->skel->progs.on_answer),
				   &opts))
		log_debug("a function's calls are not decided: %m");
}

void engine_follow_calls(struct engine *e, u64 time)
{
	__atomic_store_n(&e->skel->data->calls_until, time, __ATOMIC_RELAXED);
}

/* The update of a map of maps ends after each program that runs (kernel/bpf/syscall.c, v5.17 to
 * 6.18: maybe_wait_bpf_programs()). */
void engine_settle_calls(const struct engine *e)
{
	int inner = bpf_map__fd(e->skel->maps.call_places);
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = inner);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "settle",
				sizeof(u32), sizeof(u32), 1, &opts);
	u32 first = 0;

	if (fd < 0 || bpf_map_update_elem(fd, &first, &inner, BPF_ANY))
		log_debug("calls that end now are not waited for: %m");
	if (fd >= 0)
		close(fd);
}

u64 engine_place_hits(const struct engine *e, u32 place)
{
	struct call_place value;

	return bpf_map_lookup_elem(bpf_map__fd(e->skel->maps.call_places),
				   &place, &value)
		       ? 0
		       : value.hits;
}

void engine_watch_place(struct engine *e, pid_t pid, u64 ip, const u32 *place)
{
	int fd = bpf_map__fd(e->skel->maps.call_watches);
	const struct call_at at = { ip, pid };

	if (place)
		bpf_map_update_elem(fd, &at, place, BPF_ANY);
	else
		bpf_map_delete_elem(fd, &at);
}

void engine_count_made(struct engine *e, u64 n)
{
	e->skel->bss->call_lost.made += n;
}

void engine_calls_lost(const struct engine *e, struct call_lost *lost)
{
	*lost = e->skel->bss->call_lost;
	lost->hits = engine_watch_lost(e);
}
