/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C library's functions are found by dlsym(), so that another allocator can be
 * loaded before it (LD_PRELOAD).  The sanitizers have their own malloc(); under them
 * there is no reserve.
 *
 * The reserve is address space that nobody uses.  When the C library has no memory, the
 * reserve is unmapped, and the C library is asked once more.  The reserve is mapped again
 * as soon as there is room for it.
 */
#include "user/lib/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <jpbpf/types.h>

#define PARTS	 16u		    /* of the limit, in shares */
#define OVERHEAD 8		    /* the C library's, for each block */
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

static struct {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *p, size_t size);
	void (*free)(void *p);
} c;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *_Atomic reserve; /* NULL: unmapped */

bool heap_has_reserve(void)
{
	void *p;

	if (reserve)
		return true;
	pthread_mutex_lock(&lock);
	p = reserve ? MAP_FAILED
		    : mmap(NULL, HEAP_RESERVE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p != MAP_FAILED)
		reserve = p;
	pthread_mutex_unlock(&lock);
	return reserve;
}

/* Another thread that finds no memory waits until the reserve is unmapped. */
static void unmap_reserve(void)
{
	pthread_mutex_lock(&lock);
	if (reserve)
		munmap(reserve, HEAP_RESERVE);
	reserve = NULL;
	pthread_mutex_unlock(&lock);
}

/* The first allocation comes before any thread. */
static void find_functions(void)
{
	c.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	c.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	c.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	c.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	heap_has_reserve();
}

/* sign: -1: no longer in use.  p may be NULL. */
static void count(void *p, int sign)
{
	if (p)
		heap_charge(sign * (long)(malloc_usable_size(p) + OVERHEAD));
}

void *malloc(size_t size)
{
	void *p;

	if (!c.malloc)
		find_functions();
	p = c.malloc(size);
	if (!p) {
		unmap_reserve();
		p = c.malloc(size);
	}
	count(p, 1);
	return p;
}

void *calloc(size_t n, size_t size)
{
	void *p;

	if (!c.malloc)
		find_functions();
	p = c.calloc(n, size);
	if (!p) {
		unmap_reserve();
		p = c.calloc(n, size);
	}
	count(p, 1);
	return p;
}

void *realloc(void *p, size_t size)
{
	void *now;

	if (!p || !size) {
		free(p);
		return p ? NULL : malloc(size);
	}
	count(p, -1);
	now = c.realloc(p, size);
	if (!now) {
		unmap_reserve();
		now = c.realloc(p, size);
	}
	count(now ? now : p, 1);
	return now;
}

void free(void *p)
{
	int saved = errno;

	if (!p)
		return;
	count(p, -1);
	c.free(p);
	errno = saved;
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
	return !heap_has_reserve() && !heap_has(HEAP_RESERVE / 4);
}

bool heap_fits(enum heap_use use, size_t bytes)
{
	static const u8 share[HEAP_USES] = {
		[HEAP_SAMPLES] = 12, [HEAP_TABLES] = 14,
		[HEAP_FILES] = 14,   [HEAP_PROCESSES] = 15,
		[HEAP_READING] = 15, [HEAP_STACKS] = PARTS,
	};
	size_t all = atomic_load(&limit);

	return (!all || heap_used() + bytes <= all / PARTS * share[use]) &&
	       heap_has_reserve();
}

bool heap_grows(enum heap_use use, size_t n, size_t capacity, size_t item)
{
	/* Larger blocks grow where they are. */
	size_t more = n * item;

	return n < capacity || more <= SMALL || heap_fits(use, more);
}
