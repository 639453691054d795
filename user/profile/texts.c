/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A text id is a hash that the kernel side makes of bytes that a target chooses, so ids
 * could be made to collide in a hash table.  They are interned as bytes; the number of
 * an id is the id of the text in bytes.
 */
#include "user/profile/texts.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"

struct texts {
	struct intern *ids, *bytes;
};

struct texts *texts_new(void)
{
	struct texts *t = xcalloc(1, sizeof(*t));

	t->ids = intern_new();
	t->bytes = intern_new();
	return t;
}

void texts_free(struct texts *t)
{
	if (!t)
		return;
	intern_free(t->ids);
	intern_free(t->bytes);
	free(t);
}

void texts_add(struct texts *t, u64 id, const char *text, size_t len)
{
	const struct intern_key by = { &id, sizeof(id), NULL, 0 };
	const struct intern_key key = { text, strnlen(text, len), NULL, 0 };
	size_t before = intern_count(t->ids);
	u32 at = intern_id(t->ids, &by, true);

	if (at == before)
		*intern_numbers(t->ids, at) = intern_id(t->bytes, &key, true);
}

const char *texts_find(const struct texts *t, u64 id)
{
	const struct intern_key by = { &id, sizeof(id), NULL, 0 };
	u32 at = intern_id(t->ids, &by, false);

	return at == INTERN_NONE
		       ? NULL
		       : intern_get(t->bytes, *intern_numbers(t->ids, at),
				    NULL);
}

size_t texts_bytes(const struct texts *t)
{
	return intern_bytes(t->ids) + intern_bytes(t->bytes);
}
