/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/intake/held.h"

#include <string.h>

#include "user/intake/pages.h"

#define ALL (DEFERRED_MASKS * 64u)

/* Of a record up to its pages; 0: it is malformed. */
static size_t head_size(const struct sample *s, size_t len)
{
	size_t head = sizeof(*s) + sizeof(struct deferred);

	if (len < head || s->kernel_words > s->words ||
	    s->words > (len - head) / sizeof(u64) ||
	    held_deferred(s)->placed > s->words)
		return 0;
	return head + s->words * sizeof(u64);
}

const struct deferred *held_deferred(const struct sample *held)
{
	return (const struct deferred *)&held->word[held->words];
}

static u32 pages_of(const struct sample *s)
{
	return deferred_pages(held_deferred(s)->pages, ALL);
}

size_t held_size(const struct sample *record, size_t len)
{
	size_t head = head_size(record, len);

	if (!head || len - head != (size_t)pages_of(record) * DEFERRED_PAGE)
		return 0;
	return head + pages_of(record) * sizeof(u32);
}

bool held_valid(const struct sample *held, size_t len)
{
	size_t head = head_size(held, len);

	return head && len - head == pages_of(held) * sizeof(u32);
}

u32 held_page(const struct sample *held, u32 n)
{
	return ((const u32 *)held_deferred(held)->stack)[n];
}

static void drop(const struct sample *held, struct pages *p, u32 n)
{
	while (n)
		pages_drop(p, held_page(held, --n));
}

int held_make(struct sample *held, const struct sample *record, struct pages *p)
{
	const struct deferred *k = held_deferred(record);
	const u8 *page = (const u8 *)k->stack;
	size_t head = (const u8 *)page - (const u8 *)record;
	u32 *number = (u32 *)((u8 *)held + head);

	memcpy(held, record, head);
	for (u32 i = 0, at = 0; at < ALL; at++) {
		int n;

		if (!(k->pages[at / 64] >> at % 64 & 1))
			continue;
		n = pages_hold(p, k->base + (u64)at * DEFERRED_PAGE,
			       page + (size_t)i * DEFERRED_PAGE);
		if (n < 0) {
			drop(held, p, i);
			return n;
		}
		number[i++] = n;
	}
	return 0;
}

void held_drop(const struct sample *held, struct pages *p)
{
	drop(held, p, pages_of(held));
}
