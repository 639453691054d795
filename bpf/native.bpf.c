/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From an address to its unwind rule, by the tables that user space built.
 *
 * Three searches: the mapping of the process, the chunk of rows of the file, the
 * row in the chunk.  None has a data-dependent branch, because the verifier follows
 * every branch: a search over n entries is log2(n) steps of arithmetic.
 */
#include "bpf/native.bpf.h"

/* Sign mask: all ones when a <= b, for values below 2^63. */
static __always_inline u64 mask_le(u64 a, u64 b)
{
	return (u64)((s64)(a - b - 1) >> 63);
}

static __always_inline void *arena_at(u32 chunk)
{
	u32 segment = chunk >> ARENA_SEGMENT_SHIFT;
	u32 index = chunk & (ARENA_SEGMENT_CHUNKS - 1);
	void *inner = bpf_map_lookup_elem(&arena, &segment);

	if (!inner)
		return NULL;
	return bpf_map_lookup_elem(inner, &index);
}

static __always_inline struct unwind_mapping *mapping_at(u32 first, u32 i)
{
	struct unwind_mapping *pair = arena_at(first + i / 2);

	if (!pair)
		return NULL;
	return &pair[i & 1];
}

/* The last mapping that starts at or below address. */
static __always_inline struct unwind_mapping *
mapping_find(const struct process_entry *p, u64 address)
{
	u32 base = 0, n = p->maps;
	struct unwind_mapping *m;

	for (u32 step = 1u << 15; step; step >>= 1) {
		u32 at = (base + step) & (u32)mask_le(base + step + 1, n);

		m = mapping_at(p->maps_first, at);
		if (!m)
			return NULL;
		base += step & (u32)mask_le(m->start, address) &
			(u32)mask_le(base + step + 1, n);
	}
	m = mapping_at(p->maps_first, base);
	if (!m || address < m->start || address >= m->end)
		return NULL;
	return m;
}

/* The chunk of rows that covers vaddr: the last whose base is at or below it. */
static __always_inline struct unwind_chunk *
chunk_find(const struct unwind_file *f, u32 n, u64 vaddr)
{
	u32 base = 0;

	for (u32 step = 1u << 19; step; step >>= 1) {
		u32 at = (base + step) & (u32)mask_le(base + step + 1, n);
		struct unwind_chunk *c = arena_at(f->first + at);

		if (!c)
			return NULL;
		base += step & (u32)mask_le(c->base, vaddr) &
			(u32)mask_le(base + step + 1, n);
	}
	return arena_at(f->first + base);
}

/* Number of the rule for vaddr, -1 when the tables do not cover it. */
static __always_inline int rule_number(const struct unwind_file *f, u32 n,
				       u64 vaddr)
{
	struct unwind_chunk *c = chunk_find(f, n, vaddr);
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

/* User space learns of an address it has no mapping for; not too often. */
static __always_inline void notice_unmapped(struct walk *w, u64 address)
{
	u64 now = bpf_ktime_get_ns();
	struct notice n = {
		.type = RECORD_NOTICE,
		.kind = NOTICE_UNMAPPED,
		.pid = w->pid,
		.process = w->process.serial,
		.arg = address,
		.time = now,
	};

	if (w->unmapped_serial == w->process.serial &&
	    now - w->unmapped_time < 20000000)
		return;
	w->unmapped_serial = w->process.serial;
	w->unmapped_time = now;
	bpf_ringbuf_output(&samples, &n, sizeof(n), BPF_RB_FORCE_WAKEUP);
}

static __always_inline int fill_rule(const struct unwind_file *f, u32 n,
				     struct pc_entry *e, u64 vaddr)
{
	int number = rule_number(f, n, vaddr);
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
	u32 cpu = w->cpu;
	struct cpu_stats *s = bpf_map_lookup_elem(&stats, &cpu);

	if (s)
		s->rule_misses++;
}

/* Exchange the two entries of a set.  Word by word: a copy would stand on the
 * stack. */
static __always_inline void swap(struct pc_entry *e, struct pc_entry *second)
{
	u64 *a = (u64 *)e, *b = (u64 *)second;

	for (u32 i = 0; i < sizeof(*e) / sizeof(u64); i++) {
		u64 word = a[i];

		barrier_var(word);
		a[i] = b[i];
		b[i] = word;
	}
}

/*
 * The address was not in the first entry of its set.  What stood there becomes
 * the second, so two addresses that share a set, as two functions of one recursion
 * do, cost an exchange and not two searches a level.
 * True: the second was it.
 */
static __always_inline bool take_second(const struct walk *w, u64 address,
					struct pc_entry *e, u32 slot)
{
	u32 other = slot | 1;
	struct pc_entry *second = bpf_map_lookup_elem(&pc_cache, &other);

	if (!second)
		return false;
	/* An entry without an address is what a failed search left behind. */
	if (second->pc == address && second->serial == w->process.serial) {
		swap(e, second);
		return true;
	}
	if (e->pc)
		swap(e, second);
	return false;
}

/*
 * Answer a cache miss: w's process, address -> entry.  0, or a status.  The
 * frame word is right as soon as the mapping was found, also on other errors.
 */
int native_fill(struct walk *w, u64 address, u32 slot)
{
	struct unwind_mapping *m;
	struct unwind_file *f;
	struct pc_entry *e;
	u32 chunks;
	int err;

	if (!w)
		return CUT_NO_MAPPING;
	e = bpf_map_lookup_elem(&pc_cache, &slot);
	if (!e)
		return CUT_NO_MAPPING;
	if (take_second(w, address, e, slot))
		return 0;
	count_miss(w);
	e->pc = 0;
	e->frame = frame_value58(FRAME_UNMAPPED, address);
	m = mapping_find(&w->process, address);
	if (!m) {
		notice_unmapped(w, address);
		return CUT_NO_MAPPING;
	}
	e->bias = m->bias;
	e->frame = frame_native(m->file, address - m->bias);
	f = bpf_map_lookup_elem(&files, &m->file);
	if (!f)
		return CUT_NOT_READY;
	/* Once: it may become 0 now. */
	chunks = *(volatile u32 *)&f->chunks;
	if (!chunks)
		return f->rules ? f->rules : CUT_NOT_READY;
	err = fill_rule(f, chunks, e, address - m->bias);
	if (err)
		return err;
	e->serial = w->process.serial;
	e->pc = address;
	return 0;
}

u64 native_word(struct walk *w, u64 address)
{
	struct pc_entry *e;
	int status = 0;
	u32 slot;

	if (!w)
		return 0;
	slot = cache_slot(w, address);
	e = entry_for(w, address, slot, &status);
	if (!e)
		e = bpf_map_lookup_elem(&pc_cache, &slot);
	if (!e || frame_kind(e->frame) != FRAME_NATIVE)
		return 0;
	return e->frame;
}
