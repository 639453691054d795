/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A hash table from id to a copy of the bytes.  Ids are hashes already, but made
 * by the kernel side from bytes that a target chooses; uthash hashes them again.
 */
#include "user/profile/texts.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "user/lib/mem.h"

struct text_entry {
	UT_hash_handle hh;
	u64 id;
	char text[];
};

struct texts {
	struct text_entry *by_id;
	size_t bytes; /* of the entries */
};

struct texts *texts_new(void)
{
	return xcalloc(1, sizeof(struct texts));
}

void texts_free(struct texts *t)
{
	struct text_entry *e, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->by_id, e, next) {
		HASH_DEL(t->by_id, e);
		free(e);
	}
	free(t);
}

static struct text_entry *find(const struct texts *t, u64 id)
{
	struct text_entry *e;

	HASH_FIND(hh, t->by_id, &id, sizeof(id), e);
	return e;
}

void texts_add(struct texts *t, u64 id, const char *text, size_t len)
{
	struct text_entry *e;

	if (find(t, id))
		return;
	len = strnlen(text, len);
	e = xmalloc(sizeof(*e) + len + 1);
	t->bytes += sizeof(*e) + len + 1;
	e->id = id;
	memcpy(e->text, text, len);
	e->text[len] = '\0';
	HASH_ADD(hh, t->by_id, id, sizeof(id), e);
}

const char *texts_find(const struct texts *t, u64 id)
{
	const struct text_entry *e = find(t, id);

	return e ? e->text : NULL;
}

size_t texts_count(const struct texts *t)
{
	return HASH_COUNT(t->by_id);
}

size_t texts_bytes(const struct texts *t)
{
	return t->bytes + HASH_OVERHEAD(hh, t->by_id);
}
