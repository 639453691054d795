/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One stretch of memory that is mapped at the start: a quota on what this process
 * may allocate (user/unwind/quota.h) does not touch it.  Each record stands behind
 * its length, at a multiple of eight bytes.
 */
#include "user/session/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE	((size_t)48 << 20)
#define RING	((size_t)8 << 20) /* bpf/maps.bpf.h */
#define LARGEST ((size_t)1 << 20) /* record; a sample has at most half of it */

void spool_init(struct spool *s)
{
	void *data = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*s = (struct spool){ .data = data == MAP_FAILED ? NULL : data };
}

void spool_release(struct spool *s)
{
	if (s->data)
		munmap(s->data, SIZE);
	*s = (struct spool){ 0 };
}

bool spool_has_room(const struct spool *s)
{
	return s->data && s->len + RING + LARGEST <= SIZE;
}

int spool_add(struct spool *s, const void *record, size_t len)
{
	u64 size = len;

	/* The ring is written while it is read: this may be more than it holds. */
	if (len > SIZE - s->len - sizeof(size))
		return -ENOSPC;
	memcpy(s->data + s->len, &size, sizeof(size));
	memcpy(s->data + s->len + sizeof(size), record, len);
	s->len += sizeof(size) + ((len + 7) & ~(size_t)7);
	return SIZE - s->len < LARGEST ? -ENOSPC : 0;
}

void spool_replay(struct spool *s,
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
	if (s->len)
		madvise(s->data, SIZE, MADV_DONTNEED);
	s->len = 0;
}
