/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The bytes come from targets, so the hash is keyed with random bits: nobody outside can
 * choose names that collide.  Ids do not depend on the hash, and neither does any output.
 */
#include "user/lib/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <uthash.h>

#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

struct entry {
	UT_hash_handle hh;
	u64 number[INTERN_NUMBERS];
	u32 id, len;
	char bytes[];
};

struct intern {
	struct entry *table;
	struct entry **entry; /* by id */
	size_t entries, capacity;
	struct buf key; /* the pieces of a key, put together */
	size_t bytes;
	u64 seed[2]; /* random bits, odd */
};

_Static_assert(offsetof(struct entry, bytes) % 8 == 0, "bytes are aligned");

struct intern *intern_new(void)
{
	struct intern *in = xcalloc(1, sizeof(*in));

	/* Without random bits the table works, but is not protected from collisions. */
	if (getrandom(in->seed, sizeof(in->seed), GRND_NONBLOCK) < 0)
		memset(in->seed, 0x5b, sizeof(in->seed));
	in->seed[0] |= 1;
	in->seed[1] |= 1;
	return in;
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
	HASH_CLEAR(hh, in->table);
	for (size_t i = 0; i < in->entries; i++)
		free(in->entry[i]);
	free(in->entry);
	buf_release(&in->key);
	free(in);
}

/* Both halves of the 128-bit product, so that every input bit reaches every output
 * bit. */
static u64 mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

static u64 load(const char *p, size_t len)
{
	u64 v = 0;

	memcpy(&v, p, len < sizeof(v) ? len : sizeof(v));
	return v;
}

static u32 hash_key(const struct intern *in, const char *p, size_t len)
{
	u64 h = mix(len ^ in->seed[0], in->seed[1]);

	for (; len > 16; p += 16, len -= 16)
		h = mix(load(p, 8) ^ in->seed[0], load(p + 8, 8) ^ h);
	if (len)
		h = mix(load(p, len) ^ in->seed[1],
			(len > 8 ? load(p + 8, len - 8) : 0) ^ h);
	return mix(h, in->seed[0]);
}

static struct entry *add_entry(struct intern *in, u32 hash)
{
	size_t len = in->key.len;
	struct entry *e;

	if (in->entries >= UINT32_MAX - 1 || len > UINT32_MAX) {
		log_err("more than 4 billion different stacks or names");
		abort();
	}
	e = xcalloc(1, sizeof(*e) + len + 1);
	e->id = in->entries;
	e->len = len;
	memcpy(e->bytes, in->key.data, len);
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, in->table, e->bytes, len, hash, e);
	in->entry = xgrow(in->entry, in->entries, &in->capacity,
			  sizeof(*in->entry));
	in->entry[in->entries++] = e;
	in->bytes += sizeof(*e) + len + 1;
	return e;
}

u32 intern_id(struct intern *in, const struct intern_key *key, bool add)
{
	struct entry *e;
	u32 hash;

	buf_reset(&in->key);
	buf_add(&in->key, key->head, key->head_len);
	buf_add(&in->key, key->tail, key->tail_len);
	hash = hash_key(in, in->key.data, in->key.len);
	HASH_FIND_BYHASHVALUE(hh, in->table, in->key.data, in->key.len, hash,
			      e);
	if (!e && add)
		e = add_entry(in, hash);
	return e ? e->id : INTERN_NONE;
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
	size_t buckets = in->table ? in->table->hh.tbl->num_buckets : 0;

	return in->bytes + in->capacity * sizeof(*in->entry) +
	       buckets * sizeof(UT_hash_bucket);
}
