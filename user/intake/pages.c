/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Slots in one stretch of memory that is mapped at the start.  They are found by a
 * hash of their content, in chains; what is free is a chain as well.  A target that
 * makes hashes collide only makes chains long: so they have an end, and what is not
 * found there is stored once more.  Before all that, the page is compared with what
 * was lately at its address: mostly it is the same still, and the thread that reads
 * samples has to be faster than they are taken.
 */
#include "user/intake/pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <jpbpf/sample.h>

#include "user/lib/mem.h"

#define SLOTS	  (PAGES_LIMIT / DEFERRED_PAGE)
#define NONE	  (~0u)
#define MAX_CHAIN 16
#define LATELY	  1024

struct slot {
	u64 hash;
	u32 next; /* in its chain, or of those that are free */
	u32 users;
};

struct pages {
	u8 *data;
	pthread_mutex_t lock; /* of all that follows */
	struct slot slot[SLOTS];
	u32 chain[SLOTS];   /* by hash: the first */
	u32 lately[LATELY]; /* by address: the last page; it may have gone */
	u32 free;
	u32 begun; /* slots that were ever used since all were given back */
	u32 used, most;
};

static void forget_all(struct pages *p)
{
	memset(p->chain, 0xff, sizeof(p->chain));
	p->free = NONE;
	p->begun = 0;
}

struct pages *pages_new(void)
{
	void *data = mmap(NULL, PAGES_LIMIT, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct pages *p;

	if (data == MAP_FAILED)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->data = data;
	pthread_mutex_init(&p->lock, NULL);
	forget_all(p);
	return p;
}

void pages_free(struct pages *p)
{
	if (!p)
		return;
	munmap(p->data, PAGES_LIMIT);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

const void *pages_at(const struct pages *p, u32 number)
{
	return p->data + (size_t)number * DEFERRED_PAGE;
}

/* Four lanes, so that one multiplication need not wait for another. */
static u64 hash_of(const void *page)
{
	const u64 odd = 0x9e3779b97f4a7c15;
	u64 lane[4] = { 1, 2, 3, 4 }, hash = 0;

	for (size_t i = 0; i < DEFERRED_PAGE; i += sizeof(lane)) {
		u64 word[4];

		memcpy(word, (const u8 *)page + i, sizeof(word));
		for (size_t k = 0; k < 4; k++) {
			lane[k] = (lane[k] ^ word[k]) * odd;
			lane[k] ^= lane[k] >> 32;
		}
	}
	for (size_t k = 0; k < 4; k++)
		hash = (hash ^ lane[k]) * odd;
	return hash ^ hash >> 29;
}

static u32 find(const struct pages *p, u64 hash, const void *page)
{
	u32 n = p->chain[hash % SLOTS];

	for (size_t i = 0; n != NONE && i < MAX_CHAIN; i++) {
		if (p->slot[n].hash == hash &&
		    !memcmp(pages_at(p, n), page, DEFERRED_PAGE))
			return n;
		n = p->slot[n].next;
	}
	return NONE;
}

static u32 take_slot(struct pages *p)
{
	u32 n = p->free;

	if (n != NONE)
		p->free = p->slot[n].next;
	else if (p->begun < SLOTS)
		n = p->begun++;
	return n;
}

/* NONE: there is no room. */
static u32 add(struct pages *p, u64 hash, const void *page)
{
	u32 n = take_slot(p), *first = &p->chain[hash % SLOTS];

	if (n == NONE)
		return n;
	memcpy(p->data + (size_t)n * DEFERRED_PAGE, page, DEFERRED_PAGE);
	p->slot[n] = (struct slot){ .hash = hash, .next = *first };
	*first = n;
	if (++p->used > p->most)
		p->most = p->used;
	return n;
}

/* Found or added, and not what was lately at the address. */
static u32 find_or_add(struct pages *p, const void *page)
{
	u64 hash = hash_of(page);
	u32 n = find(p, hash, page);

	return n == NONE ? add(p, hash, page) : n;
}

int pages_hold(struct pages *p, u64 address, const void *page)
{
	u32 *lately = &p->lately[address / DEFERRED_PAGE % LATELY], n;

	pthread_mutex_lock(&p->lock);
	n = *lately;
	if (!p->slot[n].users || memcmp(pages_at(p, n), page, DEFERRED_PAGE))
		n = find_or_add(p, page);
	if (n != NONE) {
		p->slot[n].users++;
		*lately = n;
	}
	pthread_mutex_unlock(&p->lock);
	return n == NONE ? -ENOSPC : (int)n;
}

static void remove_slot(struct pages *p, u32 n)
{
	u32 *at = &p->chain[p->slot[n].hash % SLOTS];

	while (*at != n)
		at = &p->slot[*at].next;
	*at = p->slot[n].next;
	p->slot[n].next = p->free;
	p->free = n;
	if (--p->used)
		return;
	madvise(p->data, (size_t)p->begun * DEFERRED_PAGE, MADV_DONTNEED);
	forget_all(p);
}

void pages_drop(struct pages *p, u32 number)
{
	pthread_mutex_lock(&p->lock);
	if (!--p->slot[number].users)
		remove_slot(p, number);
	pthread_mutex_unlock(&p->lock);
}

size_t pages_bytes(struct pages *p)
{
	size_t used;

	pthread_mutex_lock(&p->lock);
	used = p->used;
	pthread_mutex_unlock(&p->lock);
	return used * DEFERRED_PAGE;
}

size_t pages_most(struct pages *p)
{
	size_t most;

	pthread_mutex_lock(&p->lock);
	most = p->most;
	pthread_mutex_unlock(&p->lock);
	return most * DEFERRED_PAGE;
}
