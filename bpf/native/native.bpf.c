/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The search for an address's unwind rule in the tables that user space built.
 *
 * There are three searches: the mapping in the process, the chunk of rows in the file,
 * the row in the chunk.  A search over n entries is log2(n) steps of arithmetic without
 * a branch that depends on data, because the verifier follows every branch.
 */
#include "bpf/native/arena.bpf.h"
#include "bpf/native/native.bpf.h"
#include "bpf/notice.bpf.h"

/* Number of the file's last chunk of rows whose base is at or below vaddr, searched
 * among 2 * top chunks from number base on.  n: chunks of the file.  -1: unreadable. */
static __always_inline int chunk_search(const struct unwind_file *f, u32 n,
					u64 vaddr, u32 base, u32 top)
{

	for (u32 step = top; step; step >>= 1) {
		u32 at = (base + step) & (u32)mask_le(base + step + 1, n);
		struct unwind_chunk *c = arena_at(f->first + at);

		if (!c)
			return -1;
		base += step & (u32)mask_le(c->base, vaddr) &
			(u32)mask_le(base + step + 1, n);
	}
	return base;
}

/* Number of the chunk that covers vaddr, searched only around chunk `number`; -1: it is
 * none of these. */
static __always_inline int chunk_near(const struct unwind_file *f, u32 n,
				      u64 vaddr, u32 number)
{
	struct unwind_chunk *c, *next;
	int found;

	number -= 4;
	number &= ~(u32)((s32)number >> 31);
	found = chunk_search(f, n, vaddr, number, 4);
	if (found < 0 || (u32)found >= n)
		return -1;
	c = arena_at(f->first + (u32)found);
	next = arena_at(f->first + (u32)found + 1);
	if (!c || !next || vaddr < c->base)
		return -1;
	if ((u32)found + 1 < n && vaddr >= next->base)
		return -1;
	return found;
}

/*
 * The chunk of rows for vaddr.  The innermost address of a sample is mostly new, and a
 * full search touches cold memory at each step.  But the address mostly lies near one
 * searched before, so the search begins at the chunk found last for its place.
 */
static __always_inline struct unwind_chunk *
chunk_find(const struct unwind_file *f, u32 n, struct place *p, u64 vaddr)
{
	int number = -1;

	if (p->chunk != ~0u)
		number = chunk_near(f, n, vaddr, p->chunk);
	if (number < 0)
		number = chunk_search(f, n, vaddr, 0, 1u << 19);
	if (number < 0)
		return NULL;
	p->chunk = number;
	return arena_at(f->first + (u32)number);
}

/* Number of the rule for vaddr, -1 when the tables do not cover it. */
static __always_inline int rule_number(const struct unwind_file *f, u32 n,
				       struct place *p, u64 vaddr)
{
	struct unwind_chunk *c = chunk_find(f, n, p, vaddr);
	u32 last = 0;
	u64 delta;

	if (!c || vaddr < c->base)
		return -1;
	delta = vaddr - c->base;
	for (u32 i = 1; i < UNWIND_CHUNK_ROWS; i++)
		last -= (u32)mask_le(c->row[i].delta, delta);
	if (last >= UNWIND_CHUNK_ROWS)
		return -1;
	return c->row[last].rule;
}

int native_unmapped(struct walk *w, u64 address)
{
	u64 now = w ? w->sample.time : 0;

	if (!w || (w->unmapped_serial == w->process.serial &&
		   now - w->unmapped_time < 20000000))
		return 0;
	w->unmapped_serial = w->process.serial;
	w->unmapped_time = now;
	notice_send(NOTICE_UNMAPPED, w->pid, w->process.serial, address);
	return 0;
}

static __always_inline int fill_rule(const struct unwind_file *f, u32 n,
				     struct place *p, struct pc_entry *e,
				     u64 vaddr)
{
	int number = rule_number(f, n, p, vaddr);
	struct unwind_rule *pair;

	if (number < 0)
		return CUT_NO_RULE;
	pair = arena_at(f->rules_first + (u32)number / 2);
	if (!pair)
		return CUT_NOT_READY;
	e->rule = pair[number & 1];
	return 0;
}

static __always_inline void count_miss(const struct walk *w)
{
	struct counters *s = walk_stats(w);

	if (s)
		s->rule_misses++;
}

/* Whether the set's second entry is the address's.  If not, the first entry e takes its
 * place. */
static __always_inline bool try_second(struct walk *w, u64 address,
				       const struct pc_entry *e, u32 slot)
{
	struct pc_entry *second = walk_entry(w, slot | 1);

	if (is_for(second, w, address))
		return true;
	/* An entry without an address is left from a failed search. */
	if (e->pc)
		*second = *e;
	return false;
}

/* The place that holds the address, filled in if needed; NULL: nothing is mapped
 * there. */
static __always_inline struct place *place_at(struct walk *w, u64 address)
{
	u64 number = address / PLACE_BYTES, start = number * PLACE_BYTES;
	u32 h = (u32)number * 0x9e3779b1u;
	struct place *p = &w->place[h >> 23];
	struct unwind_mapping *m;

	if (p->number == number && p->serial == w->process.serial)
		return p;
	m = mapping_find(&w->process, address);
	if (!m || address >= m->end)
		return NULL;
	p->number = number;
	if (m->start > start || m->end < start + PLACE_BYTES)
		p->number = ~0ull;
	p->serial = w->process.serial;
	p->file = m->file;
	p->bias = m->bias;
	p->chunk = ~0u;
	return p;
}
_Static_assert(PLACE_SLOTS == 1u << 9, "place_at() takes 9 bits");

/* Whether something has been mapped at the address since the publication. */
static __always_inline bool is_fresh(const struct walk *w, u64 address)
{
	for (u32 i = 0; i < FRESH_AREAS; i++) {
		const struct fresh_area *a = &w->fresh[i];

		if (i < w->fresh_n && address - a->start < a->end - a->start)
			return true;
	}
	return false;
}

/*
 * Answers a cache miss: NATIVE_SECOND, NATIVE_UNMAPPED, or fills the set's first entry, at
 * slot, for an address of w's process.  What was there becomes the second.  Returns 0 or a
 * status.  The entry's frame word is valid in any case.
 */
int native_fill(struct walk *w, u64 address, u32 slot)
{
	struct unwind_file *f;
	struct pc_entry *e;
	struct place *p;
	u32 file, chunks;
	int err;

	if (!w)
		return CUT_NO_MAPPING;
	e = walk_entry(w, slot);
	if (try_second(w, address, e, slot))
		return NATIVE_SECOND;
	count_miss(w);
	e->pc = 0;
	e->serial = 0;
	e->frame = frame_value58(FRAME_UNMAPPED, address);
	if (is_fresh(w, address))
		return CUT_NOT_READY;
	p = place_at(w, address);
	if (!p)
		return NATIVE_UNMAPPED;
	e->bias = p->bias;
	e->frame = frame_native(p->file, address - p->bias);
	/* Linux 6.1 does not accept a pointer into w as a key. */
	file = p->file;
	f = bpf_map_lookup_elem(&files, &file);
	if (!f)
		return CUT_NOT_READY;
	/* Read once, because user space may set it to 0 at any moment. */
	chunks = *(volatile u32 *)&f->chunks;
	if (!chunks)
		return f->rules ? f->rules : CUT_NOT_READY;
	err = fill_rule(f, chunks, p, e, address - p->bias);
	if (err)
		return err;
	e->serial = w->process.serial;
	e->pc = address;
	return 0;
}

/*
 * The cache entry for an address; NULL with *status set if there is no rule.  A set has
 * two entries, so two addresses that share it, as two functions of one recursion may,
 * cost no search per level.  *slot is the set's first and becomes the entry's.
 */
static __always_inline struct pc_entry *entry_for(struct walk *w, u64 address,
						  u32 *slot, int *status)
{
	struct pc_entry *e = walk_entry(w, *slot);

	if (mostly(is_for(e, w, address)))
		return e;
	*status = native_fill(w, address, *slot);
	if (*status != NATIVE_SECOND)
		return *status ? NULL : e;
	*status = 0;
	*slot |= 1;
	return walk_entry(w, *slot);
}

/* The rule by which the frame was located has been withdrawn.  A walker may have
 * written its frames here already, so the sample cannot be deferred and walked
 * again. */
static __always_inline void rule_gone(struct walk *w, struct pc_entry *e)
{
	walk_push(w, e->frame);
	walk_end(w, CUT_NO_RULE);
}

/* There is no entry for the frame.  One that was located has a rule that has been
 * withdrawn. */
static __always_inline void not_found(struct walk *w, u64 address, int status)
{
	if (w->located)
		return rule_gone(w, walk_entry(w, w->slot));
	if (status == NATIVE_UNMAPPED) {
		if (uprobe_step(w))
			return;
		native_unmapped(w, address);
		status = CUT_NO_MAPPING;
	}
	no_rule(w, walk_entry(w, w->slot), status);
}

int native_take(struct walk *w, u64 address)
{
	struct unwind_head head;
	struct pc_entry *e;
	int status = 0;

	if (!w)
		return 0;
	e = entry_for(w, address, &w->slot, &status);
	if (seldom(!e)) {
		not_found(w, address, status);
	} else if (mostly(e->rule.kind == UNWIND_ROOT)) {
		/* Every whole stack ends in one, so it has a short way, too. */
		head = (struct unwind_head){ UNWIND_ROOT, 0, e->rule.mark, 0 };
		take_frame(w, e, head);
	} else {
		take_frame(w, e, e->rule.head);
	}
	return 0;
}

int native_registers(struct walk *w)
{
	if (w && w->saved)
		cursor_read_saved(cursor_of(w));
	return 0;
}

u64 native_word(struct walk *w, u64 address)
{
	struct pc_entry *e;
	int status = 0;
	u32 slot;

	if (!w)
		return 0;
	slot = cache_slot(address);
	e = entry_for(w, address, &slot, &status);
	if (status == NATIVE_UNMAPPED)
		native_unmapped(w, address);
	if (!e)
		e = walk_entry(w, slot);
	if (frame_kind(e->frame) != FRAME_NATIVE)
		return 0;
	return e->frame;
}
