/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A spool is one range of memory, mapped by spool_init().  Each record follows its
 * length (u64); both start at multiples of eight bytes.
 */
#include "user/intake/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define LARGEST ((size_t)2 << 20) /* bytes of a record; samples: half */
#define STAYS	((size_t)1 << 18) /* bytes kept by spool_clear() */

int spool_init(struct spool *s, size_t size)
{
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*s = (struct spool){ 0 };
	if (data == MAP_FAILED)
		return -errno;
	*s = (struct spool){ .data = data, .size = size };
	return 0;
}

void spool_release(struct spool *s)
{
	if (s->data)
		munmap(s->data, s->size);
	*s = (struct spool){ 0 };
}

bool spool_has_room(const struct spool *s)
{
	return spool_fits(s, LARGEST);
}

bool spool_fits(const struct spool *s, size_t len)
{
	return s->len + 2 * sizeof(u64) + len <= s->size;
}

void *spool_next(struct spool *s)
{
	return s->data + s->len + sizeof(u64);
}

void spool_add(struct spool *s, size_t len)
{
	u64 size = len;

	memcpy(s->data + s->len, &size, sizeof(size));
	s->len += sizeof(size) + ((len + 7) & ~(size_t)7);
}

void spool_each(const struct spool *s,
		void (*fn)(void *ctx, const void *record, size_t len),
		void *ctx)
{
	size_t at = 0;

	while (at < s->len) {
		u64 size;

		memcpy(&size, s->data + at, sizeof(size));
		fn(ctx, s->data + at + sizeof(size), size);
		at += sizeof(size) + ((size + 7) & ~7ull);
	}
}

void spool_clear(struct spool *s)
{
	if (s->len > STAYS)
		madvise(s->data + STAYS, s->size - STAYS, MADV_DONTNEED);
	s->len = 0;
}
