/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Segments are only ever added. The free list holds runs of chunks, sorted by chunk
 * number, no two of them adjacent. An allocation takes the first run that is large
 * enough. A released run waits in a queue, oldest first, and joins the free list
 * after its grace period.
 *
 * A segment is installed in the outer map and mapped into our memory. Its own file
 * descriptor is closed after that.
 */
#include "user/unwind/arena.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define SEGMENT_BYTES ((size_t)ARENA_SEGMENT_CHUNKS * ARENA_CHUNK)

#define MAX_BATCH 64u /* segments per batch: each needs a file descriptor */

struct run {
	u32 first, chunks;
};

struct waiting {
	struct run run;
	u64 since_ns;
};

struct arena {
	int outer_fd; /* owned by the caller; -1: plain memory */
	u32 max_segments;
	u32 segments;
	struct arena_chunk *segment[ARENA_MAX_SEGMENTS];
	struct run *free;
	size_t frees, free_capacity;
	struct waiting *waiting;
	size_t waitings, waiting_capacity;
};

struct arena *arena_new(int outer_fd, size_t max_bytes)
{
	struct arena *a = xcalloc(1, sizeof(*a));
	size_t segments = max_bytes / SEGMENT_BYTES;

	a->outer_fd = outer_fd;
	a->max_segments =
		segments < ARENA_MAX_SEGMENTS ? segments : ARENA_MAX_SEGMENTS;
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (u32 i = 0; i < a->segments; i++)
		munmap(a->segment[i], SEGMENT_BYTES);
	free(a->free);
	free(a->waiting);
	free(a);
}

/* Index of the first free run that ends after this chunk. */
static size_t find_free(const struct arena *a, u32 chunk)
{
	size_t low = 0, high = a->frees;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->free[middle].first + a->free[middle].chunks <= chunk)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void remove_free(struct arena *a, size_t i)
{
	a->frees--;
	memmove(&a->free[i], &a->free[i + 1],
		(a->frees - i) * sizeof(*a->free));
}

static void insert_free(struct arena *a, size_t i, struct run run)
{
	a->free = xgrow(a->free, a->frees, &a->free_capacity, sizeof(*a->free));
	memmove(&a->free[i + 1], &a->free[i],
		(a->frees - i) * sizeof(*a->free));
	a->free[i] = run;
	a->frees++;
}

/* Puts a run into the free list and joins it with its neighbours. */
static void add_free(struct arena *a, struct run run)
{
	size_t i = find_free(a, run.first);
	struct run *prev = i ? &a->free[i - 1] : NULL;
	struct run *next = i < a->frees ? &a->free[i] : NULL;
	bool after_prev = prev && prev->first + prev->chunks == run.first;
	bool before_next = next && run.first + run.chunks == next->first;

	if (next && next->first < run.first + run.chunks) {
		log_err("chunks %u+%u of the arena were released twice",
			run.first, run.chunks);
	} else if (after_prev) {
		prev->chunks += run.chunks;
		if (before_next) {
			prev->chunks += next->chunks;
			remove_free(a, i);
		}
	} else if (before_next) {
		next->first = run.first;
		next->chunks += run.chunks;
	} else {
		insert_free(a, i, run);
	}
}

/* Frees the runs that have waited long enough. */
static void end_waits(struct arena *a)
{
	u64 now = a->waitings ? now_ns() : 0;
	size_t n = 0;

	for (; n < a->waitings; n++) {
		if (now - a->waiting[n].since_ns < ARENA_GRACE_NS)
			break;
		add_free(a, a->waiting[n].run);
	}
	if (!n)
		return;
	a->waitings -= n;
	memmove(a->waiting, a->waiting + n, a->waitings * sizeof(*a->waiting));
}

static void *map_segment(int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	void *p =
		mmap(NULL, SEGMENT_BYTES, PROT_READ | PROT_WRITE, flags, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int create_segment(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "arena", sizeof(u32),
			      ARENA_CHUNK, ARENA_SEGMENT_CHUNKS, &opts);
}

int arena_outer(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	int inner = create_segment(), fd;

	if (inner < 0)
		return inner;
	opts.inner_map_fd = inner;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "arena", sizeof(u32),
			    sizeof(u32), ARENA_MAX_SEGMENTS, &opts);
	close(inner);
	return fd;
}

/*
 * Installs all segments in one call, so that the kernel waits for readers once
 * (batches for maps of maps need Linux 5.19); else one by one.
 */
static int install_segments(int outer_fd, const int *fd, u32 first, u32 n)
{
	u32 key[MAX_BATCH], count = n;
	int err = 0;

	for (u32 i = 0; i < n; i++)
		key[i] = first + i;
	if (n > 1 && !bpf_map_update_batch(outer_fd, key, fd, &count, NULL))
		return 0;
	for (u32 i = 0; i < n && !err; i++)
		err = bpf_map_update_elem(outer_fd, &key[i], &fd[i], BPF_ANY);
	return err;
}

/* Creates and maps n segments after the last one; returns how many were made. */
static u32 make_segments(struct arena *a, u32 n, int *fd, int *err)
{
	u32 i;

	*err = 0;
	for (i = 0; i < n; i++) {
		fd[i] = a->outer_fd < 0 ? -1 : create_segment();
		if (fd[i] < 0 && a->outer_fd >= 0) {
			*err = fd[i];
			break;
		}
		a->segment[a->segments + i] = map_segment(fd[i]);
		if (!a->segment[a->segments + i]) {
			*err = -errno;
			if (fd[i] >= 0)
				close(fd[i]);
			break;
		}
	}
	return i;
}

/* n is at most MAX_BATCH. */
static int add_segments(struct arena *a, u32 n)
{
	int fd[MAX_BATCH], err;
	struct run run = { a->segments << ARENA_SEGMENT_SHIFT,
			   n << ARENA_SEGMENT_SHIFT };
	u32 made;

	made = make_segments(a, n, fd, &err);
	if (!err && a->outer_fd >= 0)
		err = install_segments(a->outer_fd, fd, a->segments, n);
	for (u32 i = 0; i < made; i++) {
		if (a->outer_fd >= 0)
			close(fd[i]);
		if (err)
			munmap(a->segment[a->segments + i], SEGMENT_BYTES);
	}
	if (err)
		return err;
	a->segments += n;
	add_free(a, run);
	return 0;
}

/* Index of the first free run of that size; a->frees if there is none. */
static size_t first_fit(const struct arena *a, u32 chunks)
{
	size_t i = 0;

	while (i < a->frees && a->free[i].chunks < chunks)
		i++;
	return i;
}

int arena_reserve(struct arena *a, u32 chunks)
{
	u32 end = a->segments << ARENA_SEGMENT_SHIFT;
	const struct run *last;
	u32 missing = chunks, n;
	int err = 0;

	end_waits(a);
	if (!chunks || first_fit(a, chunks) < a->frees)
		return 0;
	last = a->frees ? &a->free[a->frees - 1] : NULL;
	if (last && last->first + last->chunks == end)
		missing -= last->chunks;
	n = (missing - 1) / ARENA_SEGMENT_CHUNKS + 1;
	if (n > a->max_segments - a->segments)
		return -ENOSPC;
	for (u32 batch; n && !err; n -= batch) {
		batch = n < MAX_BATCH ? n : MAX_BATCH;
		err = add_segments(a, batch);
	}
	return err;
}

int arena_alloc(struct arena *a, u32 chunks, u32 *first)
{
	struct run *run;
	size_t i;
	int err;

	if (!chunks)
		return -EINVAL;
	err = arena_reserve(a, chunks);
	if (err)
		return err;
	i = first_fit(a, chunks);
	run = &a->free[i];
	*first = run->first;
	run->first += chunks;
	run->chunks -= chunks;
	if (!run->chunks)
		remove_free(a, i);
	return 0;
}

void arena_release(struct arena *a, u32 first, u32 chunks)
{
	u32 end = a->segments << ARENA_SEGMENT_SHIFT;

	if (!chunks)
		return;
	if (first >= end || chunks > end - first) {
		log_err("chunks %u+%u are not in the arena", first, chunks);
		return;
	}
	a->waiting = xgrow(a->waiting, a->waitings, &a->waiting_capacity,
			   sizeof(*a->waiting));
	a->waiting[a->waitings++] =
		(struct waiting){ { first, chunks }, now_ns() };
}

/* MEMBARRIER_CMD_GLOBAL is synchronize_rcu() (kernel/sched/membarrier.c). The
 * programs that read the arena are RCU readers. */
bool arena_sync(struct arena *a)
{
	if (!a->waitings)
		return true;
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return false;
	for (size_t i = 0; i < a->waitings; i++)
		add_free(a, a->waiting[i].run);
	a->waitings = 0;
	return true;
}

u32 arena_limit(const struct arena *a)
{
	return a->max_segments << ARENA_SEGMENT_SHIFT;
}

void *arena_chunk(struct arena *a, u32 index)
{
	return &a->segment[index >> ARENA_SEGMENT_SHIFT]
			  [index & (ARENA_SEGMENT_CHUNKS - 1)];
}

size_t arena_used(const struct arena *a)
{
	size_t bytes = arena_bytes(a);

	for (size_t i = 0; i < a->frees; i++)
		bytes -= (size_t)a->free[i].chunks * ARENA_CHUNK;
	return bytes;
}

size_t arena_bytes(const struct arena *a)
{
	return a->segments * SEGMENT_BYTES;
}
