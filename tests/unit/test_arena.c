/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arena against a map of who owns which chunk.  Time stands still until the
 * test moves it.
 */
#include "user/unwind/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define MIB  ((size_t)1 << 20)
#define RUNS 200

static u64 fake_ns = 5000000000;

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC)
		return syscall(SYS_clock_gettime, id, t);
	t->tv_sec = fake_ns / 1000000000;
	t->tv_nsec = fake_ns % 1000000000;
	return 0;
}

/* A run that a test holds; every chunk of it is stamped with its owner. */
struct held {
	u32 first, chunks, stamp;
};

static void stamp_run(struct arena *a, const struct held *h)
{
	for (u32 i = 0; i < h->chunks; i++)
		memset(arena_chunk(a, h->first + i), (int)h->stamp,
		       ARENA_CHUNK);
}

static void check_run(struct arena *a, const struct held *h)
{
	u8 want[ARENA_CHUNK];

	memset(want, (int)h->stamp, sizeof(want));
	for (u32 i = 0; i < h->chunks; i++)
		assert_memory_equal(arena_chunk(a, h->first + i), want,
				    sizeof(want));
}

static void take(struct arena *a, struct held *h, u32 chunks, u32 stamp)
{
	*h = (struct held){ .chunks = chunks, .stamp = stamp & 0xff };
	assert_int_equal(arena_alloc(a, chunks, &h->first), 0);
	stamp_run(a, h);
}

static void give(struct arena *a, struct held *h)
{
	check_run(a, h);
	arena_release(a, h->first, h->chunks);
	h->chunks = 0;
}

static void test_runs_span_segments(void **state)
{
	struct arena *a = arena_new(-1, 8 * MIB);
	struct held small, large;

	(void)state;
	assert_int_equal(arena_bytes(a), 0);
	take(a, &small, 3, 1);
	assert_int_equal(arena_bytes(a), MIB);
	take(a, &large, 2 * ARENA_SEGMENT_CHUNKS + 5, 2);
	assert_int_equal(large.first, 3);
	assert_int_equal(arena_bytes(a), 3 * MIB);
	check_run(a, &small);
	check_run(a, &large);
	arena_free(a);
}

/* Pseudo-random, the same every time. */
static u32 next_random(u32 *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

static void test_no_chunk_has_two_owners(void **state)
{
	struct arena *a = arena_new(-1, 64 * MIB);
	struct held held[RUNS] = { { 0 } };
	u32 seed = 1, first;

	(void)state;
	for (u32 i = 0; i < 5000; i++) {
		struct held *h = &held[next_random(&seed) % RUNS];

		fake_ns += next_random(&seed) % (ARENA_GRACE_NS / 20);
		if (h->chunks)
			give(a, h);
		else
			take(a, h, 1 + next_random(&seed) % 900, i);
	}
	for (u32 i = 0; i < RUNS; i++)
		if (held[i].chunks)
			give(a, &held[i]);
	/* Nothing has leaked: all of it is one run again. */
	fake_ns += ARENA_GRACE_NS;
	assert_int_equal(arena_alloc(a, arena_bytes(a) / ARENA_CHUNK, &first),
			 0);
	assert_int_equal(first, 0);
	assert_true(arena_bytes(a) < 64 * MIB);
	arena_free(a);
}

static void test_exhaustion(void **state)
{
	struct arena *a = arena_new(-1, 3 * MIB + MIB / 2);
	struct held held[3];
	u32 first;

	(void)state;
	for (u32 i = 0; i < 3; i++)
		take(a, &held[i], ARENA_SEGMENT_CHUNKS, i);
	assert_int_equal(arena_alloc(a, 1, &first), -ENOSPC);
	assert_int_equal(arena_reserve(a, 1), -ENOSPC);
	assert_int_equal(arena_bytes(a), 3 * MIB);
	give(a, &held[1]);
	fake_ns += ARENA_GRACE_NS - 1;
	assert_int_equal(arena_alloc(a, 1, &first), -ENOSPC);
	fake_ns += 1;
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS + 1, &first),
			 -ENOSPC);
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS, &first), 0);
	assert_int_equal(first, ARENA_SEGMENT_CHUNKS);
	check_run(a, &held[0]);
	check_run(a, &held[2]);
	arena_free(a);
}

static void test_limits(void **state)
{
	struct arena *a = arena_new(-1, MIB - 1);
	u32 first;

	(void)state;
	assert_int_equal(arena_alloc(a, 1, &first), -ENOSPC);
	arena_free(a);
	a = arena_new(-1, SIZE_MAX);
	assert_int_equal(arena_alloc(a, UINT32_MAX, &first), -ENOSPC);
	assert_int_equal(arena_alloc(a, 0, &first), -EINVAL);
	assert_int_equal(arena_reserve(a, 0), 0);
	assert_int_equal(arena_bytes(a), 0);
	arena_free(a);
	arena_free(NULL);
}

static void test_reserve(void **state)
{
	struct arena *a = arena_new(-1, 256 * MIB);
	struct held held[4];
	u32 first;

	(void)state;
	take(a, &held[0], 10, 1);
	assert_int_equal(arena_reserve(a, 40000), 0);
	assert_int_equal(arena_bytes(a), 3 * MIB);
	take(a, &held[1], 15000, 2);
	take(a, &held[2], 15000, 3);
	take(a, &held[3], 10000, 4);
	assert_int_equal(arena_bytes(a), 3 * MIB);
	for (u32 i = 0; i < 4; i++)
		check_run(a, &held[i]);
	/* More segments than are made at a time. */
	assert_int_equal(arena_reserve(a, 200 * ARENA_SEGMENT_CHUNKS), 0);
	assert_int_equal(arena_alloc(a, 200 * ARENA_SEGMENT_CHUNKS, &first), 0);
	arena_free(a);
}

/* First fit, and neighbours joined whatever their order. */
static void test_reuse(void **state)
{
	struct arena *a = arena_new(-1, MIB);
	struct held held[5];
	u32 first;

	(void)state;
	for (u32 i = 0; i < 5; i++)
		take(a, &held[i], 100, i);
	give(a, &held[3]);
	give(a, &held[1]);
	fake_ns += ARENA_GRACE_NS;
	assert_int_equal(arena_alloc(a, 101, &first), 0);
	assert_int_equal(first, 500);
	assert_int_equal(arena_alloc(a, 60, &first), 0);
	assert_int_equal(first, 100);
	give(a, &held[2]);
	fake_ns += ARENA_GRACE_NS;
	assert_int_equal(arena_alloc(a, 240, &first), 0);
	assert_int_equal(first, 160);
	check_run(a, &held[0]);
	check_run(a, &held[4]);
	arena_free(a);
}

/* After that nobody waits for time to pass. */
static void test_sync(void **state)
{
	struct arena *a = arena_new(-1, MIB);
	struct held held;
	u32 first;

	(void)state;
	assert_int_equal(arena_limit(a), ARENA_SEGMENT_CHUNKS);
	assert_true(arena_sync(a));
	take(a, &held, ARENA_SEGMENT_CHUNKS, 1);
	give(a, &held);
	assert_int_equal(arena_alloc(a, 1, &first), -ENOSPC);
	assert_true(arena_sync(a));
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS, &first), 0);
	arena_free(a);
}

/* Neither may hand out what is in use. */
static void test_bad_releases(void **state)
{
	struct arena *a = arena_new(-1, MIB);
	struct held in_use;
	u32 first;

	(void)state;
	take(a, &in_use, 10, 7);
	arena_release(a, 16000, 10000);
	arena_release(a, UINT32_MAX, 2);
	arena_release(a, 20, 5);
	fake_ns += ARENA_GRACE_NS;
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS - 10, &first), 0);
	assert_int_equal(first, 10);
	assert_int_equal(arena_alloc(a, 1, &first), -ENOSPC);
	check_run(a, &in_use);
	arena_free(a);
}

static int make_outer(void)
{
	int inner, outer;
	LIBBPF_OPTS(bpf_map_create_opts, flags, .map_flags = BPF_F_MMAPABLE);
	LIBBPF_OPTS(bpf_map_create_opts, opts);

	inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "inner", 4, ARENA_CHUNK,
			       ARENA_SEGMENT_CHUNKS, &flags);
	if (inner < 0)
		return inner;
	opts.inner_map_fd = inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "outer", 4, 4,
			       ARENA_MAX_SEGMENTS, &opts);
	close(inner);
	return outer;
}

/* What is written here is what the kernel side finds. */
static void test_bpf_maps(void **state)
{
	int outer = make_outer();
	struct arena *a;
	struct held held;

	(void)state;
	if (outer < 0)
		skip(); /* not permitted */
	a = arena_new(outer, 8 * MIB);
	take(a, &held, 2 * ARENA_SEGMENT_CHUNKS + 1, 0x5a);
	assert_int_equal(arena_bytes(a), 3 * MIB);
	for (u32 i = 0; i < held.chunks; i += ARENA_SEGMENT_CHUNKS / 2) {
		u32 chunk = held.first + i, key = chunk >> ARENA_SEGMENT_SHIFT;
		u32 id, slot = chunk & (ARENA_SEGMENT_CHUNKS - 1);
		u8 got[ARENA_CHUNK];
		int inner;

		assert_int_equal(bpf_map_lookup_elem(outer, &key, &id), 0);
		inner = bpf_map_get_fd_by_id(id);
		assert_true(inner >= 0);
		assert_int_equal(bpf_map_lookup_elem(inner, &slot, got), 0);
		assert_memory_equal(got, arena_chunk(a, chunk), sizeof(got));
		close(inner);
	}
	check_run(a, &held);
	arena_free(a);
	close(outer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_span_segments),
		cmocka_unit_test(test_no_chunk_has_two_owners),
		cmocka_unit_test(test_exhaustion),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_reuse),
		cmocka_unit_test(test_sync),
		cmocka_unit_test(test_bad_releases),
		cmocka_unit_test(test_bpf_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
