/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Segments are only ever added. Bitmaps say which chunks are used. An allocation
 * takes the first run of free chunks that is large enough. When there is none, it waits
 * until no walk can read the released runs any more, and frees them.
 *
 * A segment is installed in the outer map and mapped into our memory. Its own file
 * descriptor is closed after that, except the first one's.
 */
#include "user/unwind/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define SEGMENT_BYTES ((size_t)ARENA_SEGMENT_CHUNKS * ARENA_CHUNK)

#define BITS	      64u /* chunks per word of a bitmap */
#define SEGMENT_WORDS (ARENA_SEGMENT_CHUNKS / BITS)

#define MAX_BATCH 64u /* segments per batch: each needs a file descriptor */

struct arena {
	int outer_fd; /* owned by the caller; -1: plain memory */
	u32 max_segments;
	u32 segments;
	struct arena_chunk *segment[ARENA_MAX_SEGMENTS];
	int first_fd; /* of the first segment; -1: none */
	/* Bits per chunk; those that are released are still used. */
	u64 *used, *released;
	u32 n_used, n_released;
};

struct arena *arena_new(int outer_fd, size_t max_bytes)
{
	struct arena *a = xcalloc(1, sizeof(*a));
	size_t segments = max_bytes / SEGMENT_BYTES;

	a->outer_fd = outer_fd;
	a->first_fd = -1;
	a->max_segments =
		segments < ARENA_MAX_SEGMENTS ? segments : ARENA_MAX_SEGMENTS;
	a->used = xcalloc(a->max_segments + 1, SEGMENT_WORDS * sizeof(u64));
	a->released = xcalloc(a->max_segments + 1, SEGMENT_WORDS * sizeof(u64));
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (u32 i = 0; i < a->segments; i++)
		munmap(a->segment[i], SEGMENT_BYTES);
	heap_charge(-(long)arena_bytes(a));
	if (a->first_fd >= 0)
		close(a->first_fd);
	free(a->used);
	free(a->released);
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

/* Waits until no walk can read released chunks, and frees them.  The kernel ends an
 * update of the outer map when no program runs that may use what was there before
 * (maybe_wait_bpf_programs() in kernel/bpf/syscall.c). */
static void free_released(struct arena *a)
{
	const u32 first = 0;

	if (a->first_fd >= 0 &&
	    bpf_map_update_elem(a->outer_fd, &first, &a->first_fd, BPF_ANY))
		return;
	for (u32 i = 0; i < a->segments * SEGMENT_WORDS; i++) {
		a->used[i] &= ~a->released[i];
		a->released[i] = 0;
	}
	a->n_used -= a->n_released;
	a->n_released = 0;
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

/* Installs all segments in one call, so that the kernel waits for readers once. */
static int install_segments(int outer_fd, const int *fd, u32 first, u32 n)
{
	u32 key[MAX_BATCH], count = n;

	for (u32 i = 0; i < n; i++)
		key[i] = first + i;
	return bpf_map_update_batch(outer_fd, key, fd, &count, NULL);
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
	int fd[MAX_BATCH], err = 0;
	u32 made = 0;

	if (!heap_fits(HEAP_TABLES, n * SEGMENT_BYTES))
		return -ENOSPC;
	while (made < n && !err) {
		err = make_segment(a, a->segments + made, &fd[made]);
		made += !err;
	}
	if (!err && a->outer_fd >= 0)
		err = install_segments(a->outer_fd, fd, a->segments, n);
	for (u32 i = 0; i < made; i++) {
		if (!err && !a->segments && !i)
			a->first_fd = fd[0];
		else if (a->outer_fd >= 0)
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

/* Where the first free run of that size ends, or will end when there is room. */
static u64 end_of_free(const struct arena *a, u32 chunks)
{
	return (u64)find_free(a, chunks) + chunks;
}

int arena_reserve(struct arena *a, u32 chunks)
{
	u64 end = end_of_free(a, chunks), missing;
	int err = 0;

	if (end > end_of(a) && a->n_released) {
		free_released(a);
		end = end_of_free(a, chunks);
	}
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
	for (u32 i = *first; i < *first + chunks; i++)
		a->used[i / BITS] |= 1ull << i % BITS;
	a->n_used += chunks;
	return 0;
}

/* Whether all these chunks are in use. */
static bool are_used(const struct arena *a, u32 first, u32 chunks)
{
	bool are = first <= end_of(a) && chunks <= end_of(a) - first;

	for (u32 i = first; are && i < first + chunks; i++)
		are = (a->used[i / BITS] & ~a->released[i / BITS]) >> i % BITS &
		      1;
	return are;
}

void arena_release(struct arena *a, u32 first, u32 chunks)
{
	if (!are_used(a, first, chunks)) {
		log_err("chunks %u+%u of the arena are not in use", first,
			chunks);
		return;
	}
	for (u32 i = first; i < first + chunks; i++)
		a->released[i / BITS] |= 1ull << i % BITS;
	a->n_released += chunks;
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
	return (size_t)a->n_used * ARENA_CHUNK;
}

size_t arena_bytes(const struct arena *a)
{
	return a->segments * SEGMENT_BYTES;
}
