/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arena of chunks that the kernel side reads (see jpbpf/unwind.h).
 *
 * Segments are BPF array maps, created as needed, mapped into our memory and
 * written in place, with no system call per row. A walk on another CPU may still
 * read a released range, so a range is reused only after ARENA_GRACE_NS, far longer
 * than a walk.
 */
#ifndef JPBPF_USER_UNWIND_ARENA_H
#define JPBPF_USER_UNWIND_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

#define ARENA_GRACE_NS 1000000000ull

struct arena;

/* Creates the empty BPF map of segments; the kernel side is loaded with it. It is
 * made apart from the other maps, because installing a segment waits for a grace
 * period and can do so while the programs are verified. A file descriptor, which
 * the caller closes, or -errno. */
int arena_outer(void);
/* outer_fd is the BPF map of segments, with ARENA_MAX_SEGMENTS entries; the caller
 * keeps it. With outer_fd < 0 the segments are plain memory (for tests). max_bytes
 * bounds the whole arena. */
struct arena *arena_new(int outer_fd, size_t max_bytes);
void arena_free(struct arena *a);

/* Makes sure that so many chunks can be allocated without a new segment. Missing
 * segments are installed together, because installing waits for an RCU grace
 * period. 0 or -errno. */
int arena_reserve(struct arena *a, u32 chunks);
/* Allocates a run of uninitialised chunks, which may span segments. 0 or -errno
 * (-ENOSPC: max_bytes is reached). */
int arena_alloc(struct arena *a, u32 chunks, u32 *first);
void arena_release(struct arena *a, u32 first, u32 chunks);
/* Waits some milliseconds until no walk can read released chunks, and frees them at
 * once. false if the kernel refuses; the chunks then become free with time. */
bool arena_sync(struct arena *a);
u32 arena_limit(const struct arena *a); /* largest number of chunks */
/* The memory of one chunk. */
void *arena_chunk(struct arena *a, u32 index);
size_t arena_bytes(const struct arena *a);
/* The bytes of arena_bytes() that are not free, including released chunks that
 * wait. */
size_t arena_used(const struct arena *a);

#endif
