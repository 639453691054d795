/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A text id is a hash that the kernel side makes of bytes that a target chooses, so ids
 * could be made to collide in a hash table.  They are interned as bytes, in one store with
 * the texts.  The number of an id is the text's place in the store, counted from 1.  A text
 * has no number, so a text of the same bytes as an id is not taken for the id.
 */
#include "user/profile/texts.h"

#include <string.h>

#include "user/lib/intern.h"

void texts_add(struct intern *texts, u64 id, const char *text, size_t len)
{
	const struct intern_key by = { &id, sizeof(id), NULL, 0 };
	const struct intern_key key = { text, strnlen(text, len), NULL, 0 };
	u64 *at = intern_numbers(texts, intern_id(texts, &by, true));

	if (!*at)
		*at = intern_id(texts, &key, true) + 1ull;
}

const char *texts_find(struct intern *texts, u64 id)
{
	const struct intern_key by = { &id, sizeof(id), NULL, 0 };
	u32 known = intern_id(texts, &by, false);
	u64 at = known == INTERN_NONE ? 0 : *intern_numbers(texts, known);

	return at ? intern_get(texts, at - 1, NULL) : NULL;
}
