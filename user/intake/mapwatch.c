/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A dummy perf event per CPU.  Its ring receives an MMAP2 record for every executable
 * mapping made anywhere on the host, and a COMM record for every exec.  Both are rare:
 * they come at program start and at dlopen().  The records tell what a process had
 * mapped and when, even if the process has ended meanwhile.
 */
#include "user/kernel/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "user/lib/mem.h"

#define RING_PAGES 32	/* about a thousand records, or 100 program starts */
#define MAX_RECORD 8192 /* bytes: a path of PATH_MAX and the fixed part */

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
		.sample_type = PERF_SAMPLE_TIME,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
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
		struct epoll_event ev = { .events = EPOLLIN | EPOLLET };

		ev.data.fd = m->ring[i].fd;
		if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, m->ring[i].fd, &ev))
			return -errno;
	}
	return 0;
}

/* Copy out of the ring.  The wanted bytes may wrap around its end. */
static void copy_out(const char *data, size_t size, u64 at, void *out,
		     size_t len)
{
	for (size_t i = 0; i < len; i++)
		((char *)out)[i] = data[(at + i) & (size - 1)];
}

/* Layouts of include/uapi/linux/perf_event.h.  The last eight bytes of each record are
 * its time. */
struct mmap2_record {
	struct perf_event_header header;
	u32 pid, tid;
	u64 addr, len, pgoff;
	u32 major, minor;
	u64 ino, generation;
	u32 prot, flags;
	char path[];
};

struct comm_record {
	struct perf_event_header header;
	u32 pid, tid;
	char comm[];
};

struct lost_record {
	struct perf_event_header header;
	u64 id, lost;
};

/* A whole record and its receiver. */
struct record {
	void (*fn)(void *ctx, const struct mapwatch_event *e);
	void *ctx;
	u64 *lost;
	_Alignas(8) char record[MAX_RECORD];
	size_t len;
};

static u64 record_time(const struct record *r)
{
	u64 time;

	memcpy(&time, r->record + r->len - sizeof(time), sizeof(time));
	return time;
}

static void take_mapping(struct record *r)
{
	struct mmap2_record *m = (struct mmap2_record *)r->record;
	struct mapwatch_event e = { .time = record_time(r), .pid = m->pid };

	if (r->len < sizeof(*m) + sizeof(u64))
		return;
	/* Mappings of kernel memory are reported too, with pid -1. */
	if (m->pid == (u32)-1 || !(m->prot & PROT_EXEC) ||
	    m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return;
	r->record[r->len - sizeof(u64)] = '\0';
	e.map = (struct map){
		.start = m->addr,
		.end = m->addr + m->len,
		.offset = m->pgoff,
		.dev = makedev(m->major, m->minor),
		.ino = m->ino,
		.readable = m->prot & PROT_READ,
		.writable = m->prot & PROT_WRITE,
		.executable = true,
		.path = m->path,
	};
	r->fn(r->ctx, &e);
}

static void take_comm(struct record *r)
{
	const struct comm_record *c = (struct comm_record *)r->record;
	struct mapwatch_event e = { .time = record_time(r), .exec = true };

	if (!(c->header.misc & PERF_RECORD_MISC_COMM_EXEC) ||
	    r->len < sizeof(*c) + sizeof(u64))
		return;
	e.pid = c->pid;
	r->fn(r->ctx, &e);
}

static void take_record(struct record *r)
{
	const struct perf_event_header *h = (void *)r->record;

	if (h->type == PERF_RECORD_MMAP2)
		take_mapping(r);
	else if (h->type == PERF_RECORD_COMM)
		take_comm(r);
	else if (h->type == PERF_RECORD_LOST &&
		 r->len >= sizeof(struct lost_record))
		*r->lost += ((const struct lost_record *)h)->lost;
}

static bool read_ring(struct mapwatch *m, struct ring *ring, struct record *r)
{
	struct perf_event_mmap_page *page = ring->base;
	const char *data = (char *)ring->base + m->page;
	size_t size = RING_PAGES * m->page;
	u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	u64 tail = page->data_tail;
	bool is_full = head - tail > size - MAX_RECORD;

	while (tail < head) {
		struct perf_event_header h;

		copy_out(data, size, tail, &h, sizeof(h));
		if (h.size < sizeof(h) + sizeof(u64) || h.size > head - tail)
			break;
		r->len = h.size;
		if (h.size <= MAX_RECORD) {
			copy_out(data, size, tail, r->record, h.size);
			take_record(r);
		}
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return is_full;
}

bool mapwatch_read(struct mapwatch *m,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx, u64 *lost)
{
	struct record r = { .fn = fn, .ctx = ctx, .lost = lost };
	bool is_full = false;

	for (size_t i = 0; i < m->n; i++)
		is_full |= read_ring(m, &m->ring[i], &r);
	return is_full;
}
