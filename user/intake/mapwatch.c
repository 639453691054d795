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
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "user/lib/mem.h"

#define RING_PAGES 32	/* about a thousand records, or 100 program starts */
#define MAX_RECORD 8192 /* bytes: a path of PATH_MAX and the fixed part */

struct mapwatch {
	struct perf_buffer *rings;
	/* Arguments of the running mapwatch_read(). */
	void (*fn)(void *ctx, const struct mapwatch_event *e);
	void *ctx;
	u64 *lost;
	size_t bytes; /* read from the present ring */
};

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

static u64 record_time(const struct perf_event_header *h)
{
	return *(const u64 *)((const char *)h + h->size - sizeof(u64));
}

static void take_mapping(struct mapwatch *w, struct mmap2_record *m)
{
	const struct mapwatch_event e = {
		.time = record_time(&m->header),
		.pid = m->pid,
		.map = {
			.start = m->addr,
			.end = m->addr + m->len,
			.offset = m->pgoff,
			.dev = makedev(m->major, m->minor),
			.ino = m->ino,
			.path = m->path,
		},
	};

	/* Mappings of kernel memory are reported too, with pid -1. */
	if (m->pid != (u32)-1 && m->prot & PROT_EXEC &&
	    !(m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		w->fn(w->ctx, &e);
}

static void take_comm(struct mapwatch *w, const struct comm_record *c)
{
	const struct mapwatch_event e = {
		.time = record_time(&c->header),
		.pid = c->pid,
		.exec = true,
	};

	if (c->header.misc & PERF_RECORD_MISC_COMM_EXEC)
		w->fn(w->ctx, &e);
}

static enum bpf_perf_event_ret on_record(void *ctx, int cpu,
					 struct perf_event_header *h)
{
	struct mapwatch *w = ctx;

	(void)cpu;
	w->bytes += h->size;
	if (h->type == PERF_RECORD_MMAP2)
		take_mapping(w, (struct mmap2_record *)h);
	else if (h->type == PERF_RECORD_COMM)
		take_comm(w, (struct comm_record *)h);
	else if (h->type == PERF_RECORD_LOST)
		*w->lost += ((const struct lost_record *)h)->lost;
	return LIBBPF_PERF_EVENT_CONT;
}

/* The events, whose rings libbpf reads, are kept in a map for no program. */
static struct perf_buffer *open_rings(struct mapwatch *w)
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
	int map = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "mapwatch",
				 sizeof(int), sizeof(int),
				 libbpf_num_possible_cpus(), NULL);
	struct perf_buffer *rings = NULL;
	int err;

	if (map < 0)
		return NULL;
	rings = perf_buffer__new_raw(map, RING_PAGES, &attr, on_record, w,
				     NULL);
	err = errno;
	close(map);
	errno = err;
	return rings;
}

struct mapwatch *mapwatch_new(void)
{
	struct mapwatch *w = xcalloc(1, sizeof(*w));

	w->rings = open_rings(w);
	if (w->rings)
		return w;
	free(w);
	return NULL;
}

void mapwatch_free(struct mapwatch *w)
{
	if (w)
		perf_buffer__free(w->rings);
	free(w);
}

int mapwatch_fd(const struct mapwatch *w)
{
	return perf_buffer__epoll_fd(w->rings);
}

bool mapwatch_read(struct mapwatch *w,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx, u64 *lost)
{
	size_t size = RING_PAGES * (size_t)sysconf(_SC_PAGESIZE);
	bool is_full = false;

	w->fn = fn;
	w->ctx = ctx;
	w->lost = lost;
	for (size_t i = 0; i < perf_buffer__buffer_cnt(w->rings); i++) {
		w->bytes = 0;
		perf_buffer__consume_buffer(w->rings, i);
		is_full |= w->bytes > size - MAX_RECORD;
	}
	return is_full;
}
