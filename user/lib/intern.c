/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The bytes come from targets.  They are found by a hash with a secret, so nobody outside
 * can choose names that make it slow.
 */
#include "user/lib/intern.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"

#define FEWEST 16 /* places */

struct interned {
	u64 number[INTERN_NUMBERS];
	u32 id, len;
	char bytes[];
};

/* A place in the table; without an entry it is free. */
struct place {
	u64 hash;
	struct interned *entry;
};

struct intern {
	struct place *place; /* a power of two, at most half of them taken */
	size_t places;
	struct interned **entry; /* by id */
	size_t entries, capacity;
	struct buf wanted; /* bytes that came in two pieces */
	size_t bytes;
};

_Static_assert(offsetof(struct interned, bytes) % 8 == 0, "bytes are aligned");

static u64 mix(u64 a, u64 b)
{
	__extension__ typedef unsigned __int128 u128;
	u128 product = (u128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

u64 intern_hash(const void *from, size_t len)
{
	const char *bytes = from;
	static u64 secret[3];
	u64 hash, word = 0;

	while (!secret[2] &&
	       getrandom(secret, sizeof(secret), 0) != sizeof(secret))
		;
	hash = secret[0] ^ len;
	for (; len >= sizeof(word); len -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = mix(hash ^ word, secret[1] | 1);
		bytes += sizeof(word);
	}
	word = 0;
	if (len)
		memcpy(&word, bytes, len);
	return mix(hash ^ word, secret[2] | 1);
}

struct intern *intern_new(void)
{
	return xcalloc(1, sizeof(struct intern));
}

struct intern *intern_new_texts(void)
{
	struct intern *in = intern_new();

	intern_text(in, "");
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->entries; i++)
		free(in->entry[i]);
	free(in->entry);
	free(in->place);
	buf_release(&in->wanted);
	free(in);
}

/* The place of these bytes, or the free one where they belong. */
static struct place *find(const struct intern *in, u64 hash, const char *bytes,
			  size_t len)
{
	size_t i = hash;

	for (;; i++) {
		struct place *p = &in->place[i & (in->places - 1)];

		if (!p->entry ||
		    (p->hash == hash && p->entry->len == len &&
		     (!len || !memcmp(p->entry->bytes, bytes, len))))
			return p;
	}
}

static void grow(struct intern *in)
{
	struct place *old = in->place;
	size_t n = in->places;

	in->places = n ? 2 * n : FEWEST;
	in->place = xcalloc(in->places, sizeof(*in->place));
	for (size_t i = 0; i < n; i++)
		if (old[i].entry)
			*find(in, old[i].hash, old[i].entry->bytes,
			      old[i].entry->len) = old[i];
	free(old);
}

static struct interned *add_entry(struct intern *in, const char *bytes,
				  size_t len)
{
	struct interned *e = xcalloc(1, sizeof(*e) + len + 1);

	if (len)
		memcpy(e->bytes, bytes, len);
	e->len = len;
	/* The limit of memory ends this long before there are 2^32 entries. */
	e->id = in->entries;
	in->entry = xgrow(in->entry, in->entries, &in->capacity,
			  sizeof(*in->entry));
	in->entry[in->entries++] = e;
	in->bytes += sizeof(*e) + len + 1;
	return e;
}

u32 intern_id(struct intern *in, const struct intern_key *key, bool add)
{
	const char *bytes = key->head;
	size_t len = key->head_len + key->tail_len;
	struct place *p;
	u64 hash;

	if (key->tail_len) {
		buf_reset(&in->wanted);
		buf_add(&in->wanted, key->head, key->head_len);
		buf_add(&in->wanted, key->tail, key->tail_len);
		bytes = in->wanted.data;
	}
	if (in->entries >= in->places / 2)
		grow(in);
	hash = intern_hash(bytes, len);
	p = find(in, hash, bytes, len);
	if (!p->entry && !add)
		return INTERN_NONE;
	if (!p->entry)
		*p = (struct place){ hash, add_entry(in, bytes, len) };
	return p->entry->id;
}

u32 intern_text(struct intern *in, const char *text)
{
	const struct intern_key key = { text, strlen(text), NULL, 0 };

	return intern_id(in, &key, true);
}

const void *intern_get(const struct intern *in, u32 id, size_t *len)
{
	if (len)
		*len = in->entry[id]->len;
	return in->entry[id]->bytes;
}

u64 *intern_numbers(struct intern *in, u32 id)
{
	return in->entry[id]->number;
}

size_t intern_count(const struct intern *in)
{
	return in->entries;
}

size_t intern_bytes(const struct intern *in)
{
	return in->bytes + in->capacity * sizeof(*in->entry) +
	       in->places * sizeof(*in->place);
}
