/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C library's functions are found by dlsym(), so that another allocator can be
 * loaded before it (LD_PRELOAD).  The sanitizers have their own malloc(); under them
 * there is no reserve.
 *
 * The reserve is address space until it is used.  It is a row of blocks, of which the
 * first free one that is large enough is taken; neighbours that are free become one.
 */
#include "user/lib/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <jpbpf/types.h>

#define MORE	 ((size_t)1 << 20) /* asked for to see whether there is memory */
#define PARTS	 16u		   /* of the limit, in shares */
#define OVERHEAD 8		   /* the C library's, for each block */
#define SMALL	 ((size_t)32 << 10) /* by which anything may grow */
#define LARGE	 (128 << 10)	    /* a block with pages of its own */

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SANITIZED
size_t __sanitizer_get_current_allocated_bytes(void);
#define of_sanitizer (long)__sanitizer_get_current_allocated_bytes
#else
#define of_sanitizer() 0
#endif

static atomic_long used, most;
static atomic_size_t limit;

void heap_charge(long bytes)
{
	long now = atomic_fetch_add(&used, bytes) + bytes;

	if (now > atomic_load(&most))
		atomic_store(&most, now);
}

/* More may have been freed than was counted: by what does not come from malloc(). */
size_t heap_used(void)
{
	long now = atomic_load(&used) + of_sanitizer();

	return now < 0 ? 0 : now;
}

size_t heap_most(void)
{
	return atomic_load(&most);
}

void heap_limit(size_t bytes)
{
	atomic_store(&limit, bytes);
	atomic_store(&most, heap_used());
	/* Each thread's own heap would take 64 MiB of address space, and keep what it
	 * has freed.  Large blocks have pages of their own, which are given back. */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, LARGE);
}

#ifdef SANITIZED

static size_t reserve_used(void)
{
	return 0;
}

bool heap_has_reserve(void)
{
	return true;
}

bool heap_has(size_t bytes)
{
	(void)bytes;
	return true;
}

#else

struct block {
	size_t size; /* of the block, with this head */
	bool taken;
} __attribute__((aligned(16)));

static struct {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *p, size_t size);
	void (*free)(void *p);
} c;

static struct {
	char *start; /* NULL: none */
	atomic_flag lock;
	size_t used;
} reserve = { .lock = ATOMIC_FLAG_INIT };

static void open_reserve(void)
{
	void *p = mmap(NULL, HEAP_RESERVE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return;
	((struct block *)p)->size = HEAP_RESERVE;
	reserve.start = p;
}

/* The first allocation comes before any thread. */
static void find_functions(void)
{
	c.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	c.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	c.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	c.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	open_reserve();
}

static struct block *next_of(const struct block *b)
{
	return (struct block *)((char *)b + b->size);
}

/* Join the free blocks behind a free one. */
static void join(struct block *b, const struct block *end)
{
	while (!b->taken && next_of(b) < end && !next_of(b)->taken)
		b->size += next_of(b)->size;
}

static void take(struct block *b, size_t size)
{
	if (b->size - size >= sizeof(*b)) {
		size_t left = b->size - size;

		b->size = size;
		*next_of(b) = (struct block){ .size = left };
	}
	b->taken = true;
	reserve.used += b->size;
}

static void lock(void)
{
	while (atomic_flag_test_and_set(&reserve.lock))
		;
}

static void unlock(void)
{
	atomic_flag_clear(&reserve.lock);
}

/* Memory of the reserve, or NULL with errno. */
static void *reserve_take(size_t bytes)
{
	size_t size = (bytes + 2 * sizeof(struct block) - 1) &
		      ~(sizeof(struct block) - 1);
	struct block *b = (struct block *)reserve.start, *end;

	errno = ENOMEM;
	if (!b || size < bytes)
		return NULL;
	end = (struct block *)(reserve.start + HEAP_RESERVE);
	lock();
	for (join(b, end); b < end && (b->taken || b->size < size);
	     b = next_of(b), b < end ? join(b, end) : (void)0)
		;
	if (b < end)
		take(b, size);
	unlock();
	return b < end ? b + 1 : NULL;
}

/* Whether it is of the reserve. */
static bool is_reserve(const void *p)
{
	return reserve.start && (const char *)p >= reserve.start &&
	       (const char *)p < reserve.start + HEAP_RESERVE;
}

static void reserve_give(void *p)
{
	struct block *b = (struct block *)p - 1;

	lock();
	b->taken = false;
	reserve.used -= b->size;
	unlock();
}

/* The result of the C library's function, or the reserve's memory. */
static void *counted(void *p, size_t bytes)
{
	if (!p)
		return reserve_take(bytes);
	heap_charge(malloc_usable_size(p) + OVERHEAD);
	return p;
}

void *malloc(size_t size)
{
	if (!c.malloc)
		find_functions();
	return counted(c.malloc(size), size);
}

void *calloc(size_t n, size_t size)
{
	void *p;

	if (!c.malloc)
		find_functions();
	p = counted(c.calloc(n, size),
		    size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
	/* Memory of the reserve has been used before. */
	return is_reserve(p) ? memset(p, 0, n * size) : p;
}

void *realloc(void *p, size_t size)
{
	bool is_ours = is_reserve(p);
	size_t before =
		is_ours ? ((struct block *)p - 1)->size - sizeof(struct block)
			: malloc_usable_size(p);
	void *now = p && !is_ours ? c.realloc(p, size) : NULL;

	if (now || (p && !is_ours && !size)) {
		heap_charge(-(long)(before + OVERHEAD));
		return now ? counted(now, size) : NULL;
	}
	now = malloc(size);
	if (now && p) {
		memcpy(now, p, before < size ? before : size);
		free(p);
	}
	return now;
}

void free(void *p)
{
	int saved = errno;

	if (is_reserve(p)) {
		reserve_give(p);
	} else if (p) {
		heap_charge(-(long)(malloc_usable_size(p) + OVERHEAD));
		c.free(p);
	}
	errno = saved;
}

bool heap_has_reserve(void)
{
	if (!c.malloc)
		find_functions();
	return reserve.start;
}

static size_t reserve_used(void)
{
	size_t now;

	lock();
	now = reserve.used;
	unlock();
	return now;
}

bool heap_has(size_t bytes)
{
	void *p = c.malloc(bytes);

	c.free(p);
	return p;
}

#endif

bool heap_is_ending(void)
{
	return reserve_used() > HEAP_RESERVE / 2;
}

bool heap_fits(enum heap_use use, size_t bytes)
{
	static const u8 share[HEAP_USES] = {
		[HEAP_TABLES] = 10,  [HEAP_SAMPLES] = 12,
		[HEAP_FILES] = 12,   [HEAP_PROCESSES] = 15,
		[HEAP_READING] = 15, [HEAP_STACKS] = PARTS,
	};
	size_t all = atomic_load(&limit);

	return (!all || heap_used() + bytes <= all / PARTS * share[use]) &&
	       (!reserve_used() || heap_has(bytes + MORE));
}

bool heap_grows(enum heap_use use, size_t n, size_t capacity, size_t item)
{
	/* Larger blocks grow where they are. */
	size_t more = n * item;

	return n < capacity || more <= SMALL || heap_fits(use, more);
}
