/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Packs rows and rules into chunks of the arena.
 *
 * A chunk of rows is closed when it is full, or when the next row is 64 KiB or more
 * above its base. Rules follow the rows, two in a chunk. Rows and rules are one run
 * in the arena. A lookup finds the last chunk whose base is not above the address,
 * then the last such row in the chunk.
 */
#include "user/unwind/table.h"

#include <stdint.h>

#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"

#define CHUNK_RULES (ARENA_CHUNK / sizeof(struct unwind_rule))

static u32 rule_chunks(u32 rules)
{
	return (rules + CHUNK_RULES - 1) / CHUNK_RULES;
}

/* The number of rows from row i on that go into one chunk. */
static u32 rows_in_chunk(const struct cfi_table *t, size_t i)
{
	u32 n = 1;

	while (n < UNWIND_CHUNK_ROWS && i + n < t->rows &&
	       t->row[i + n].vaddr - t->row[i].vaddr <= UINT16_MAX)
		n++;
	return n;
}

static u32 row_chunks(const struct cfi_table *t)
{
	u32 chunks = 0;

	for (size_t i = 0; i < t->rows; i += rows_in_chunk(t, i))
		chunks++;
	return chunks;
}

static void pack_rows(const struct cfi_table *t, size_t i, u32 n,
		      struct unwind_chunk *chunk)
{
	const struct cfi_row *row = &t->row[i];

	chunk->base = row[0].vaddr;
	for (u32 k = 0; k < UNWIND_CHUNK_ROWS; k++) {
		u32 used = k < n ? k : n - 1;

		chunk->row[k].delta = row[used].vaddr - chunk->base;
		chunk->row[k].rule = row[used].rule;
	}
}

static void store_rules(struct arena *a, const struct cfi_table *t, u32 first)
{
	for (u32 i = 0; i < t->rules; i++) {
		struct unwind_rule *out =
			arena_chunk(a, first + i / CHUNK_RULES);

		out[i % CHUNK_RULES] = t->rule[i];
	}
}

u32 table_chunks(const struct cfi_table *t)
{
	return row_chunks(t) + rule_chunks(t->rules);
}

int table_store(struct arena *a, const struct cfi_table *t,
		struct unwind_file *out)
{
	struct unwind_file f = { .chunks = row_chunks(t), .rules = t->rules };
	u32 chunk, n;
	int err;

	err = arena_alloc(a, f.chunks + rule_chunks(f.rules), &f.first);
	if (err)
		return err;
	chunk = f.first;
	for (size_t i = 0; i < t->rows; i += n) {
		n = rows_in_chunk(t, i);
		pack_rows(t, i, n, arena_chunk(a, chunk++));
	}
	f.rules_first = chunk;
	store_rules(a, t, chunk);
	*out = f;
	return 0;
}

void table_drop(struct arena *a, const struct unwind_file *f)
{
	if (f->chunks)
		arena_release(a, f->first, f->chunks + rule_chunks(f->rules));
}

/* The last chunk whose base is not above addr. One exists, because the first row is
 * at 0. */
static const struct unwind_chunk *
find_chunk(struct arena *a, const struct unwind_file *f, u32 addr)
{
	u32 at = 0, end = f->chunks;

	while (end - at > 1) {
		u32 middle = at + (end - at) / 2;
		const struct unwind_chunk *c =
			arena_chunk(a, f->first + middle);

		if (c->base <= addr)
			at = middle;
		else
			end = middle;
	}
	return arena_chunk(a, f->first + at);
}

const struct unwind_rule *table_find(struct arena *a,
				     const struct unwind_file *f, u64 vaddr)
{
	u32 addr = vaddr > UINT32_MAX ? UINT32_MAX : vaddr;
	const struct unwind_chunk *c = find_chunk(a, f, addr);
	u32 delta = addr - c->base;
	const struct unwind_rule *rules;
	u32 at = 0, rule;

	while (at + 1 < UNWIND_CHUNK_ROWS && c->row[at + 1].delta <= delta)
		at++;
	rule = c->row[at].rule;
	rules = arena_chunk(a, f->rules_first + rule / CHUNK_RULES);
	return &rules[rule % CHUNK_RULES];
}
