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
