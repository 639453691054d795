/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A dummy perf event per CPU whose ring receives an MMAP2 record for every
 * executable mapping made anywhere on the host.  That happens at program start and
 * at dlopen(), so it is rare; the record only says whom to look at again.
 */
#include "user/session/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "user/lib/mem.h"

#define RING_PAGES 8

struct ring {
	int fd;
	void *base;
};

struct mapwatch {
	struct ring *ring;
	size_t n;
	size_t page;
};

static int open_ring(struct mapwatch *m, int cpu, struct ring *r)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1,
		.mmap2 = 1,
		.watermark = 1,
		.wakeup_watermark = 1,
	};

	r->fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return -errno;
	r->base = mmap(NULL, (RING_PAGES + 1) * m->page, PROT_READ | PROT_WRITE,
		       MAP_SHARED, r->fd, 0);
	if (r->base != MAP_FAILED)
		return 0;
	close(r->fd);
	return -errno;
}

struct mapwatch *mapwatch_new(void)
{
	int cpus = libbpf_num_possible_cpus(), err = 0;
	struct mapwatch *m = xcalloc(1, sizeof(*m));

	m->page = sysconf(_SC_PAGESIZE);
	m->ring = xcalloc(cpus, sizeof(*m->ring));
	for (int cpu = 0; cpu < cpus; cpu++) {
		err = open_ring(m, cpu, &m->ring[m->n]);
		if (!err)
			m->n++;
		else if (err != -ENODEV)
			break;
	}
	if (m->n && (!err || err == -ENODEV))
		return m;
	mapwatch_free(m);
	errno = -err;
	return NULL;
}

void mapwatch_free(struct mapwatch *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++) {
		munmap(m->ring[i].base, (RING_PAGES + 1) * m->page);
		close(m->ring[i].fd);
	}
	free(m->ring);
	free(m);
}

int mapwatch_watch(struct mapwatch *m, int epoll_fd)
{
	for (size_t i = 0; i < m->n; i++) {
		struct epoll_event ev = { .events = EPOLLIN };

		ev.data.fd = m->ring[i].fd;
		if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, m->ring[i].fd, &ev))
			return -errno;
	}
	return 0;
}

/* Copy out of the ring, which may wrap inside the bytes wanted. */
static void copy_out(const char *data, size_t size, u64 at, void *out,
		     size_t len)
{
	for (size_t i = 0; i < len; i++)
		((char *)out)[i] = data[(at + i) & (size - 1)];
}

static void read_ring(struct mapwatch *m, struct ring *r,
		      void (*fn)(void *ctx, pid_t pid), void *ctx, u64 *lost)
{
	struct perf_event_mmap_page *page = r->base;
	const char *data = (char *)r->base + m->page;
	size_t size = RING_PAGES * m->page;
	u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	u64 tail = page->data_tail;

	while (tail < head) {
		struct perf_event_header h;
		u64 body[2] = { 0 };

		copy_out(data, size, tail, &h, sizeof(h));
		if (h.size < sizeof(h))
			break;
		if (h.size >= sizeof(h) + sizeof(body))
			copy_out(data, size, tail + sizeof(h), body,
				 sizeof(body));
		if (h.type == PERF_RECORD_MMAP2)
			fn(ctx, (pid_t)body[0]);
		else if (h.type == PERF_RECORD_LOST)
			*lost += body[1];
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

void mapwatch_read(struct mapwatch *m, void (*fn)(void *ctx, pid_t pid),
		   void *ctx, u64 *lost)
{
	for (size_t i = 0; i < m->n; i++)
		read_ring(m, &m->ring[i], fn, ctx, lost);
}
