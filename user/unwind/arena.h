/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arena of chunks that the kernel side reads (see jpbpf/unwind.h).
 *
 * Segments are BPF array maps, created as needed, mapped into our memory and
 * written in place; no system call per row.  A range that is given back may
 * still be read by a walk on another CPU: it is reused only after
 * ARENA_GRACE_NS, far longer than a walk.
 */
#ifndef JPBPF_USER_UNWIND_ARENA_H
#define JPBPF_USER_UNWIND_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/unwind.h>

#define ARENA_GRACE_NS 1000000000ull

struct arena; /* opaque */

/* The BPF map of segments, empty; the kernel side is to be loaded with it.  Made
 * apart from its other maps, because installing a segment waits for a grace period,
 * and that can be while the programs are verified.  fd, the caller's, or -errno. */
int arena_outer(void);
/* outer_fd: the BPF map of segments, ARENA_MAX_SEGMENTS entries; it stays the
 * caller's.  With outer_fd < 0 the segments are plain memory (for tests).
 * max_bytes bounds the whole arena. */
struct arena *arena_new(int outer_fd, size_t max_bytes);
void arena_free(struct arena *a);

/* Make sure that so many chunks can be had without a new segment (one system
 * call for all that are missing: installing a segment waits for an RCU grace
 * period). 0 or -errno. */
int arena_reserve(struct arena *a, u32 chunks);
/* A run of chunks, uninitialised; a run may span segments. 0 or -ENOSPC. */
int arena_alloc(struct arena *a, u32 chunks, u32 *first);
void arena_release(struct arena *a, u32 first, u32 chunks);
/* Wait until no walk can read what has been released, some milliseconds; then it can
 * be had again at once.  false: the kernel refuses, only time helps. */
bool arena_sync(struct arena *a);
u32 arena_limit(const struct arena *a); /* chunks, at most */
/* The memory of one chunk. */
void *arena_chunk(struct arena *a, u32 index);
size_t arena_bytes(const struct arena *a);
/* Of those, what is not free to be taken. */
size_t arena_used(const struct arena *a); /* memory held, in bytes */

#endif
