/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Segments are only ever added. A bitmap says which chunks are used. An allocation
 * takes the first run of free chunks that is large enough. A released run waits in a
 * queue, oldest first, and is free after its grace period.
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
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define SEGMENT_BYTES ((size_t)ARENA_SEGMENT_CHUNKS * ARENA_CHUNK)

#define BITS 64u /* chunks per word of the bitmap */

#define MAX_BATCH 64u /* segments per batch: each needs a file descriptor */

struct waiting {
	u32 first, chunks;
	u64 since_ns;
};

struct arena {
	int outer_fd; /* owned by the caller; -1: plain memory */
	u32 max_segments;
	u32 segments;
	struct arena_chunk *segment[ARENA_MAX_SEGMENTS];
	u64 *used; /* bit per chunk, waiting ones included */
	u32 chunks_used;
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
	a->used = xcalloc(a->max_segments + 1,
			  ARENA_SEGMENT_CHUNKS / BITS * sizeof(*a->used));
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (u32 i = 0; i < a->segments; i++)
		munmap(a->segment[i], SEGMENT_BYTES);
	heap_charge(-(long)arena_bytes(a));
	free(a->used);
	free(a->waiting);
	free(a);
}

static u32 end_of(const struct arena *a)
{
	return a->segments << ARENA_SEGMENT_SHIFT;
}

/* The first free run of that size; if there is none, the run that the last segment
 * ends with. */
static u32 find_free(const struct arena *a, u32 chunks)
{
	u32 i = 0, run = 0;

	while (i < end_of(a) && run < chunks) {
		u64 word = a->used[i / BITS];
		u32 step = i % BITS || (word && ~word) ? 1 : BITS;

		run = word >> i % BITS & 1 ? 0 : run + step;
		i += step;
	}
	return i - run;
}

static void set_used(struct arena *a, u32 first, u32 chunks, bool used)
{
	u32 changed = 0;

	for (u32 i = first; i < first + chunks; i++) {
		u64 *word = &a->used[i / BITS], bit = 1ull << i % BITS;

		changed += !(*word & bit) == used;
		*word = used ? *word | bit : *word & ~bit;
	}
	a->chunks_used += used ? changed : -changed;
	if (changed != chunks)
		log_err("chunks %u+%u of the arena were released twice", first,
			chunks);
}

/* Frees the n runs that wait longest. */
static void free_waiting(struct arena *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		set_used(a, a->waiting[i].first, a->waiting[i].chunks, false);
	a->waitings -= n;
	if (n)
		memmove(a->waiting, a->waiting + n,
			a->waitings * sizeof(*a->waiting));
}

/* Frees the runs that have waited long enough. */
static void end_waits(struct arena *a)
{
	u64 now = a->waitings ? now_ns() : 0;
	size_t n = 0;

	while (n < a->waitings &&
	       now - a->waiting[n].since_ns >= ARENA_GRACE_NS)
		n++;
	free_waiting(a, n);
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

/* Creates and maps segment number i. */
static int make_segment(struct arena *a, u32 i, int *fd)
{
	bool is_map = a->outer_fd >= 0;
	int err;
	void *p;

	*fd = is_map ? create_segment() : -1;
	if (is_map && *fd < 0)
		return *fd;
	p = mmap(NULL, SEGMENT_BYTES, PROT_READ | PROT_WRITE,
		 is_map ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, *fd, 0);
	if (p != MAP_FAILED) {
		a->segment[i] = p;
		return 0;
	}
	err = -errno;
	if (is_map)
		close(*fd);
	return err;
}

/* n is at most MAX_BATCH. */
static int add_segments(struct arena *a, u32 n)
{
	u32 key[MAX_BATCH], made = 0, count = n;
	int fd[MAX_BATCH], err = 0;

	if (!heap_fits(HEAP_TABLES, n * SEGMENT_BYTES))
		return -ENOSPC;
	while (made < n && !err) {
		key[made] = a->segments + made;
		err = make_segment(a, key[made], &fd[made]);
		made += !err;
	}
	/* In one call, so that the kernel waits for readers once. */
	if (!err && a->outer_fd >= 0)
		err = bpf_map_update_batch(a->outer_fd, key, fd, &count, NULL);
	for (u32 i = 0; i < made; i++) {
		if (a->outer_fd >= 0)
			close(fd[i]);
		if (err)
			munmap(a->segment[a->segments + i], SEGMENT_BYTES);
	}
	if (err)
		return err == -ENOMEM ? -ENOSPC : err;
	a->segments += n;
	heap_charge(n * SEGMENT_BYTES);
	return 0;
}

int arena_reserve(struct arena *a, u32 chunks)
{
	u64 end, missing;
	int err = 0;

	end_waits(a);
	end = (u64)find_free(a, chunks) + chunks;
	if (end <= end_of(a))
		return 0;
	missing = (end - end_of(a) - 1) / ARENA_SEGMENT_CHUNKS + 1;
	if (missing > a->max_segments - a->segments)
		return -ENOSPC;
	for (u32 batch; missing && !err; missing -= batch) {
		batch = missing < MAX_BATCH ? missing : MAX_BATCH;
		err = add_segments(a, batch);
	}
	return err;
}

int arena_alloc(struct arena *a, u32 chunks, u32 *first)
{
	int err = chunks ? arena_reserve(a, chunks) : -EINVAL;

	if (err)
		return err;
	*first = find_free(a, chunks);
	set_used(a, *first, chunks, true);
	return 0;
}

void arena_release(struct arena *a, u32 first, u32 chunks)
{
	u32 end = end_of(a);

	if (!chunks)
		return;
	if (first >= end || chunks > end - first) {
		log_err("chunks %u+%u are not in the arena", first, chunks);
		return;
	}
	a->waiting = xgrow(a->waiting, a->waitings, &a->waiting_capacity,
			   sizeof(*a->waiting));
	a->waiting[a->waitings++] = (struct waiting){ first, chunks, now_ns() };
}

/* MEMBARRIER_CMD_GLOBAL is synchronize_rcu() (kernel/sched/membarrier.c). The
 * programs that read the arena are RCU readers. */
bool arena_sync(struct arena *a)
{
	if (!a->waitings)
		return true;
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return false;
	free_waiting(a, a->waitings);
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
	return (size_t)a->chunks_used * ARENA_CHUNK;
}

size_t arena_bytes(const struct arena *a)
{
	return a->segments * SEGMENT_BYTES;
}
