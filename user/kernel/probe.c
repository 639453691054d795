/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Uprobes.  From Linux 6.13 on many places of a file are attached as one (uprobe_multi): the
 * kernel waits for its readers once, where it would wait 0.1 s for each place.  (Before
 * 6.10, one for a process saw only one of the process's threads.)
 */
#include "user/kernel/engine_part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "user/lib/mem.h"

struct engine_probe {
	int fd; /* of all places; -1: each has a link */
	struct bpf_link **link;
	size_t n;
};

/* union bpf_attr for BPF_LINK_CREATE (include/uapi/linux/bpf.h, v6.13). */
struct link_create {
	u32 prog, target, type, flags;
	u64 path, offsets, counters, cookies;
	u32 n, multi_flags, pid, spare;
};

static int attach_multi(int prog, pid_t pid, const char *path,
			const u64 *offset, const u64 *cookie, size_t n)
{
	struct link_create create = {
		.prog = prog,
		.type = ENGINE_UPROBE_MULTI,
		.path = (u64)path,
		.offsets = (u64)offset,
		.cookies = (u64)cookie,
		.n = n,
		.pid = pid,
	};

	return syscall(SYS_bpf, BPF_LINK_CREATE, &create, sizeof(create));
}

static bool attach_each(struct engine_probe *p, struct bpf_program *prog,
			pid_t pid, const char *path, const u64 *offset,
			const u64 *cookie, size_t n)
{
	p->link = xcalloc(n, sizeof(*p->link));
	for (; p->n < n; p->n++) {
		LIBBPF_OPTS(bpf_uprobe_opts, opts, .bpf_cookie = cookie[p->n]);

		p->link[p->n] = bpf_program__attach_uprobe_opts(
			prog, pid, path, offset[p->n], &opts);
		if (!p->link[p->n])
			return false;
	}
	return true;
}

struct engine_probe *engine_attach_probe(struct engine *e, bool calls,
					 pid_t pid, int fd, const u64 *offset,
					 const u64 *cookie, size_t n)
{
	struct bpf_program *prog =
		calls ? e->skel->progs.on_call : e->skel->progs.on_error;
	struct engine_probe *p = xcalloc(1, sizeof(*p));
	char path[32];
	int err;

	p->fd = -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (calls && e->multi)
		p->fd = attach_multi(bpf_program__fd(prog), pid, path, offset,
				     cookie, n);
	if (p->fd >= 0 || (!(calls && e->multi) &&
			   attach_each(p, prog, pid, path, offset, cookie, n)))
		return p;
	err = errno;
	engine_detach_probe(p);
	errno = err;
	return NULL;
}

void engine_detach_probe(struct engine_probe *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++)
		bpf_link__destroy(p->link[i]);
	if (p->fd >= 0)
		close(p->fd);
	free(p->link);
	free(p);
}
