/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Attaches the programs, and runs the one that walks threads on no CPU. */
#include "user/kernel/engine_part.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "user/lib/log.h"
#include "user/lib/mem.h"

int engine_attach(struct engine *e)
{
	int err = jpbpf_bpf__attach(e->skel);

	if (err) {
		errno = -err;
		log_err("cannot follow processes: %m (run 'jpbpf check', or add "
			"-v for the reason)");
		return err;
	}
	if (!bpf_program__autoload(e->skel->progs.on_area))
		return 0;
	e->skel->links.on_area = bpf_program__attach(e->skel->progs.on_area);
	if (!e->skel->links.on_area)
		log_warn("code that is mapped under way is seen late "
			 "(perf_event_mmap: %m)");
	return 0;
}

int engine_attach_event(struct engine *e, int perf_fd, u64 cookie)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = cookie);
	struct bpf_link *link = bpf_program__attach_perf_event_opts(
		e->skel->progs.on_sample, perf_fd, &opts);

	if (!link) {
		int err = -errno;

		close(perf_fd);
		return err;
	}
	e->event = xgrow(e->event, e->events, &e->event_capacity,
			 sizeof(*e->event));
	e->event[e->events++] = link;
	return 0;
}

int engine_sample_threads(struct engine *e, pid_t pid)
{
	union bpf_iter_link_info process = { .task.pid = pid };
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = &process,
		    .link_info_len = sizeof(process));
	struct bpf_link *link =
		bpf_program__attach_iter(e->skel->progs.on_thread, &opts);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -errno;
	int err = fd < 0 ? fd : 0;
	char byte;

	/* The programs run while this is read; they write nothing. */
	if (!err && read(fd, &byte, sizeof(byte)) < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
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

void engine_follow_calls(struct engine *e, bool on)
{
	__atomic_store_n(&e->skel->data->calls_on, on, __ATOMIC_RELAXED);
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
