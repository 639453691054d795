/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Hardware watchpoints.  A thread has four, and its process pays for nothing but hits.
 *
 * Each thread gets its own events.  A thread that it makes later inherits them, a process
 * does not (inherit_thread, from Linux 5.13 on).  A thread that appears while events are
 * opened has inherited them if no others fit beside them.
 */
#include "user/kernel/engine_part.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/thread.h"

#define MAX_LOOKS \
	16 /* at the threads of a process, which can make others meanwhile */

struct engine_watch {
	int *fd;
	size_t fds, fd_capacity;
	pid_t *tid; /* that have events */
	size_t tids, tid_capacity;
	u64 word[CALL_WATCHES];
	size_t n;
	u32 size;
	struct engine_watch *next; /* of the engine's */
};

static int open_event(pid_t tid, u64 word, u32 size)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = word,
		.bp_len = size,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = 1,
		.inherit_thread = 1,
		.remove_on_exec = 1,
		.disabled = 1,
	};

	return syscall(SYS_perf_event_open, &attr, tid, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/* Whether the thread has no room for two sets of events. */
static bool has_inherited(const struct engine_watch *w, pid_t tid)
{
	int fd[CALL_WATCHES + 1], n = 0, most = CALL_WATCHES + 1 - (int)w->n;

	while (n < most && (fd[n] = open_event(tid, w->word[0], w->size)) >= 0)
		n++;
	for (int i = 0; i < n; i++)
		close(fd[i]);
	return n < most;
}

/* 0 or -errno. */
static int watch_thread(struct engine *e, struct engine_watch *w, pid_t tid)
{
	int program = bpf_program__fd(e->skel->progs.on_watch);

	for (size_t i = 0; i < w->n; i++) {
		int fd = open_event(tid, w->word[i], w->size);

		if (fd < 0)
			return errno == ESRCH ? 0 : -errno;
		w->fd = xgrow(w->fd, w->fds, &w->fd_capacity, sizeof(*w->fd));
		w->fd[w->fds++] = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) ||
		    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			return -errno;
	}
	return 0;
}

static bool is_watched(const struct engine_watch *w, pid_t tid)
{
	for (size_t i = 0; i < w->tids; i++)
		if (w->tid[i] == tid)
			return true;
	return false;
}

/* The threads that have no events yet.  Their number or -errno. */
static ssize_t watch_threads(struct engine *e, struct engine_watch *w,
			     const char *proc, pid_t pid, bool first)
{
	_cleanup_free_ pid_t *tid = NULL;
	ssize_t n = thread_list(proc, pid, &tid), found = 0;

	for (ssize_t i = 0; i < n; i++) {
		int err = 0;

		if (is_watched(w, tid[i]))
			continue;
		found++;
		w->tid = xgrow(w->tid, w->tids, &w->tid_capacity,
			       sizeof(*w->tid));
		w->tid[w->tids++] = tid[i];
		if (first || !has_inherited(w, tid[i]))
			err = watch_thread(e, w, tid[i]);
		if (err)
			return err;
	}
	return n < 0 ? n : found;
}

struct engine_watch *engine_attach_watch(struct engine *e, const char *proc,
					 pid_t pid, const u64 *word, size_t n,
					 u32 size)
{
	struct engine_watch *w = xcalloc(1, sizeof(*w));
	ssize_t found;

	for (w->size = size; w->n < n && w->n < CALL_WATCHES; w->n++)
		w->word[w->n] = word[w->n];
	found = watch_threads(e, w, proc, pid, true);
	for (int i = 0; i < MAX_LOOKS && found > 0; i++)
		found = watch_threads(e, w, proc, pid, false);
	if (!found && w->fds) {
		w->next = e->watches;
		e->watches = w;
		return w;
	}
	engine_detach_watch(e, w);
	errno = found > 0 ? EAGAIN : found ? -found : ESRCH;
	return NULL;
}

static u64 count_hits(const struct engine_watch *w)
{
	u64 hits = 0, n;

	for (size_t i = 0; i < w->fds; i++)
		if (read(w->fd[i], &n, sizeof(n)) == sizeof(n))
			hits += n;
	return hits;
}

void engine_detach_watch(struct engine *e, struct engine_watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->fds; i++)
		ioctl(w->fd[i], PERF_EVENT_IOC_DISABLE, 0);
	e->watch_hits += count_hits(w);
	for (size_t i = 0; i < w->fds; i++)
		close(w->fd[i]);
	for (struct engine_watch **at = &e->watches; *at; at = &(*at)->next) {
		if (*at == w) {
			*at = w->next;
			break;
		}
	}
	free(w->fd);
	free(w->tid);
	free(w);
}

u64 engine_watch_lost(const struct engine *e)
{
	u64 hits = e->watch_hits, ran;

	for (const struct engine_watch *w = e->watches; w; w = w->next)
		hits += count_hits(w);
	ran = __atomic_load_n(&e->skel->bss->call_hits, __ATOMIC_RELAXED);
	return hits > ran ? hits - ran : 0;
}
