/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A hash table with open addressing and linear probing, at most half full, over a pool
 * of blocks.
 *
 * A slot holds an id + 1 and the hash, so a probe seldom reads an entry's bytes unless
 * they are equal.  Bytes are copied into large blocks that never move.  The bytes come
 * from targets, so the hash is keyed with random bits: nobody outside can choose names
 * that collide.  Ids do not depend on the hash, and neither does any output.
 */
#include "user/lib/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "user/lib/log.h"
#include "user/lib/mem.h"

#define BLOCK_BYTES (1u << 20) /* the first ones are smaller */
#define FIRST_BYTES (1u << 14)
#define FIRST_SLOTS 1024u

struct slot {
	u32 id; /* id + 1; 0: the slot is free */
	u32 hash;
};

struct entry {
	const char *bytes;
	u32 hash, len;
};

struct intern {
	struct slot *slot;
	size_t slots; /* power of two */
	struct entry *entry;
	size_t entries, entry_capacity;
	u64 *number; /* the numbers of all entries in a row */
	size_t numbers, number_capacity;
	char **block;
	size_t blocks, block_capacity;
	size_t block_left; /* free bytes at the end of the last block */
	char *next;
	size_t block_bytes;
	u64 seed[2]; /* random bits, odd */
};

struct intern *intern_new(unsigned numbers)
{
	struct intern *in = xcalloc(1, sizeof(*in));

	in->numbers = numbers;
	in->slots = FIRST_SLOTS;
	in->slot = xcalloc(in->slots, sizeof(*in->slot));
	/* Without random bits the table works, but is not protected from collisions. */
	if (getrandom(in->seed, sizeof(in->seed), GRND_NONBLOCK) < 0)
		memset(in->seed, 0x5b, sizeof(in->seed));
	in->seed[0] |= 1;
	in->seed[1] |= 1;
	return in;
}

struct intern *intern_new_texts(void)
{
	struct intern *in = intern_new(0);

	intern_text(in, "");
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->blocks; i++)
		free(in->block[i]);
	free(in->block);
	free(in->entry);
	free(in->number);
	free(in->slot);
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

static u64 hash_piece(const struct intern *in, u64 h, const void *bytes,
		      size_t len)
{
	const char *p = bytes;

	h ^= mix(len ^ in->seed[0], in->seed[1]);
	for (; len > 16; p += 16, len -= 16)
		h = mix(load(p, 8) ^ in->seed[0], load(p + 8, 8) ^ h);
	if (len)
		h = mix(load(p, len) ^ in->seed[1],
			(len > 8 ? load(p + 8, len - 8) : 0) ^ h);
	return h;
}

static u32 hash_key(const struct intern *in, const struct intern_key *key)
{
	u64 h = hash_piece(in, in->seed[1], key->head, key->head_len);

	return mix(hash_piece(in, h, key->tail, key->tail_len), in->seed[0]);
}

static bool equal(const struct entry *e, u32 hash, const struct intern_key *key)
{
	if (e->hash != hash || e->len != key->head_len + key->tail_len)
		return false;
	if (key->head_len && memcmp(e->bytes, key->head, key->head_len))
		return false;
	return !key->tail_len ||
	       !memcmp(e->bytes + key->head_len, key->tail, key->tail_len);
}

/* The slot that has this key, or the free slot where the key belongs. */
static struct slot *find_slot(const struct intern *in, u32 hash,
			      const struct intern_key *key)
{
	size_t i = hash & (in->slots - 1);

	for (;; i = (i + 1) & (in->slots - 1)) {
		struct slot *s = &in->slot[i];

		if (!s->id)
			return s;
		if (s->hash == hash && equal(&in->entry[s->id - 1], hash, key))
			return s;
	}
}

static void grow_slots(struct intern *in)
{
	free(in->slot);
	in->slots *= 2;
	in->slot = xcalloc(in->slots, sizeof(*in->slot));
	for (size_t id = 0; id < in->entries; id++) {
		u32 hash = in->entry[id].hash;
		size_t i = hash & (in->slots - 1);

		while (in->slot[i].id)
			i = (i + 1) & (in->slots - 1);
		in->slot[i] = (struct slot){ id + 1, hash };
	}
}

static char *take(struct intern *in, size_t len)
{
	size_t need = (len + 1 + 7) & ~(size_t)7;
	char *p;

	if (need > in->block_left) {
		size_t size = BLOCK_BYTES;

		if (in->blocks < 6)
			size = FIRST_BYTES << in->blocks;
		if (need > size)
			size = need;
		in->block = xgrow(in->block, in->blocks, &in->block_capacity,
				  sizeof(*in->block));
		in->next = xmalloc(size);
		in->block[in->blocks++] = in->next;
		in->block_left = size;
		in->block_bytes += size;
	}
	p = in->next;
	in->next += need;
	in->block_left -= need;
	return p;
}

static const char *copy_key(struct intern *in, const struct intern_key *key)
{
	size_t len = key->head_len + key->tail_len;
	char *p = take(in, len);

	if (key->head_len)
		memcpy(p, key->head, key->head_len);
	if (key->tail_len)
		memcpy(p + key->head_len, key->tail, key->tail_len);
	p[len] = '\0';
	return p;
}

u32 intern_id(struct intern *in, const struct intern_key *key, bool add)
{
	size_t len = key->head_len + key->tail_len;
	u32 hash = hash_key(in, key);
	struct slot *s = find_slot(in, hash, key);

	if (s->id)
		return s->id - 1;
	if (!add)
		return INTERN_NONE;
	if (in->entries >= UINT32_MAX - 1 || len > UINT32_MAX) {
		log_err("more than 4 billion different stacks or names");
		abort();
	}
	in->entry = xgrow(in->entry, in->entries, &in->entry_capacity,
			  sizeof(*in->entry));
	in->entry[in->entries] = (struct entry){ copy_key(in, key), hash, len };
	for (size_t i = in->entries * in->numbers, n = 0; n < in->numbers;
	     n++, i++) {
		in->number = xgrow(in->number, i, &in->number_capacity,
				   sizeof(*in->number));
		in->number[i] = 0;
	}
	in->entries++;
	*s = (struct slot){ in->entries, hash };
	if (in->entries * 2 > in->slots)
		grow_slots(in);
	return in->entries - 1;
}

u32 intern_text(struct intern *in, const char *text)
{
	const struct intern_key key = { text, strlen(text), NULL, 0 };

	return intern_id(in, &key, true);
}

const void *intern_get(const struct intern *in, u32 id, size_t *len)
{
	if (len)
		*len = in->entry[id].len;
	return in->entry[id].bytes;
}

u64 *intern_numbers(struct intern *in, u32 id)
{
	return in->number + id * in->numbers;
}

size_t intern_count(const struct intern *in)
{
	return in->entries;
}

size_t intern_bytes(const struct intern *in)
{
	return in->block_bytes + in->slots * sizeof(*in->slot) +
	       in->entry_capacity * sizeof(*in->entry) +
	       in->number_capacity * sizeof(*in->number) +
	       in->block_capacity * sizeof(*in->block);
}
