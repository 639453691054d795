/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The bytes come from targets.  A balanced tree finds them in as few steps whatever they
 * are, so nobody outside can choose names that make it slow.
 */
#include "user/lib/intern.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"

/* Of the C library's tree, for each entry. */
#define NODE_BYTES 32

struct interned {
	u64 number[INTERN_NUMBERS];
	u32 id, len;
	char bytes[];
};

struct intern {
	void *tree;
	struct interned **entry; /* by id */
	size_t entries, capacity;
	struct buf wanted; /* an entry with the bytes that are looked for */
	size_t bytes;
};

_Static_assert(offsetof(struct interned, bytes) % 8 == 0, "bytes are aligned");

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
	tdestroy(in->tree, free);
	free(in->entry);
	buf_release(&in->wanted);
	free(in);
}

static int compare(const void *a, const void *b)
{
	const struct interned *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->len);
}

static struct interned *add_entry(struct intern *in,
				  const struct interned *wanted)
{
	size_t size = sizeof(*wanted) + wanted->len;
	struct interned *e = xcalloc(1, size + 1);

	memcpy(e, wanted, size);
	e->id = in->entries;
	/* The limit of memory ends this long before there are 2^32 entries. */
	if (!tsearch(e, &in->tree, compare))
		mem_exhausted();
	in->entry = xgrow(in->entry, in->entries, &in->capacity,
			  sizeof(*in->entry));
	in->entry[in->entries++] = e;
	in->bytes += size + 1 + NODE_BYTES;
	return e;
}

u32 intern_id(struct intern *in, const struct intern_key *key, bool add)
{
	struct interned head = { .len = key->head_len + key->tail_len };
	struct interned *const *found;

	buf_reset(&in->wanted);
	buf_add(&in->wanted, &head, sizeof(head));
	buf_add(&in->wanted, key->head, key->head_len);
	buf_add(&in->wanted, key->tail, key->tail_len);
	found = tfind(in->wanted.data, &in->tree, compare);
	if (found)
		return (*found)->id;
	return add ? add_entry(in, (struct interned *)in->wanted.data)->id
		   : INTERN_NONE;
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
	return in->bytes + in->capacity * sizeof(*in->entry);
}
