/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native unwinding by tables.
 *
 * One step handles one frame: locate() finds the rule for the address and from
 * it the CFA; finish() writes the frame, restores the caller's registers and
 * moves there.  Between the two the walkers have their turn (see walk.bpf.h).
 *
 * What makes it fast: a per-CPU cache from address to rule answers nearly every
 * look-up, and the stack is read in blocks of 1 KiB, so most frames cost no
 * system-wide look-up and no read of their own.  The searches behind a cache miss
 * have no data-dependent branch, because the verifier follows every branch.
 *
 * What ends it: a rule that says the return address is undefined (the only proof
 * of the outermost frame), or a reason from status.h.  The CFA must rise with
 * every frame, so damaged stacks cannot loop.
 */
#include "bpf/walk.bpf.h"

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
chunk_find(const struct unwind_file *f, u64 vaddr)
{
	u32 base = 0, n = f->chunks;

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
static __always_inline int rule_number(const struct unwind_file *f, u64 vaddr)
{
	struct unwind_chunk *c = chunk_find(f, vaddr);
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

static __always_inline int fill_rule(const struct unwind_file *f,
				     struct pc_entry *e, u64 vaddr)
{
	int number = rule_number(f, vaddr);
	struct unwind_rule *pair;

	if (number < 0)
		return CUT_NO_RULE;
	pair = arena_at(f->rules_first + (u32)number / 2);
	if (!pair)
		return CUT_NOT_READY;
	e->rule = pair[number & 1];
	return 0;
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
	int err;

	if (!w)
		return CUT_NO_MAPPING;
	e = bpf_map_lookup_elem(&pc_cache, &slot);
	if (!e)
		return CUT_NO_MAPPING;
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
	if (!f || !f->chunks)
		return f && f->rules ? CUT_NO_TABLE : CUT_NOT_READY;
	err = fill_rule(f, e, address - m->bias);
	if (err)
		return err;
	e->serial = w->process.serial;
	e->pc = address;
	return 0;
}

static __always_inline u32 cache_slot(const struct walk *w, u64 address)
{
	u32 h = (u32)address ^ (u32)(address >> 21);

	h *= 0x9e3779b1u;
	return w->cpu * PC_CACHE_SLOTS + (h >> 20);
}
_Static_assert(PC_CACHE_SLOTS == 1u << 12, "cache_slot() takes 12 bits");

/* The entry for an address; NULL with *status set, *word always right. */
static __always_inline struct pc_entry *entry_for(struct walk *w, u64 address,
						  u32 slot, int *status)
{
	struct pc_entry *e = bpf_map_lookup_elem(&pc_cache, &slot);
	u32 cpu = w->cpu;
	struct cpu_stats *s;

	*status = CUT_NO_MAPPING;
	if (!e)
		return NULL;
	if (e->pc == address && e->serial == w->process.serial)
		return e;
	s = bpf_map_lookup_elem(&stats, &cpu);
	if (s)
		s->rule_misses++;
	*status = native_fill(w, address, slot);
	return *status ? NULL : e;
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

/*
 * One word of the user's stack, through the block.  The block is refilled from
 * just below the address, because what a walk reads next lies above it.
 */
static __always_inline int stack_word(struct walk *w, u64 address, u64 *out)
{
	u64 off = address - w->block_base;

	if (off >= w->block_len || (off & 7)) {
		if (bpf_probe_read_user(out, 8, (const void *)address))
			return -1;
		return 0;
	}
	*out = w->block[(off >> 3) & (WALK_BLOCK_WORDS - 1)];
	return 0;
}

/* Have [cfa - 64, cfa) in the block: return address and usual save slots. */
static __always_inline int stack_block(struct walk *w, u64 cfa)
{
	u64 low = (cfa - 64) & ~7ull;

	if (low - w->block_base < w->block_len &&
	    cfa - w->block_base <= w->block_len)
		return 0;
	w->block_base = low;
	w->block_len = sizeof(w->block);
	if (!bpf_probe_read_user(w->block, sizeof(w->block), (void *)low))
		return 0;
	/* Near the end of a stack only the low part is there. */
	w->block_len = 64;
	if (!bpf_probe_read_user(w->block, 64, (void *)low))
		return 0;
	w->block_len = 0;
	return 0;
}

static __always_inline bool have(const struct walk *w, u32 reg)
{
	return w->valid >> (reg & 15) & 1;
}

static __always_inline int cfa_deref(struct walk *w, struct unwind_rule *r,
				     u64 *cfa)
{
	u64 at = w->reg[r->cfa_reg & 15] + (s64)r->cfa_off;

	if (stack_word(w, at, cfa))
		return CUT_STACK_READ;
	*cfa += (s64)r->deref_off;
	return 0;
}

/* The CFA by the rule. 0, or the status that ends the walk. */
static __always_inline int rule_cfa(struct walk *w, struct unwind_rule *r,
				    u64 *cfa)
{
	u32 reg = r->cfa_reg & 15;

	switch (r->kind) {
	case UNWIND_CFA:
		if (!have(w, reg))
			return CUT_LOST_REGISTER;
		*cfa = w->reg[reg] + (s64)r->cfa_off;
		return 0;
	case UNWIND_DEREF:
		if (!have(w, reg))
			return CUT_LOST_REGISTER;
		return cfa_deref(w, r, cfa);
	case UNWIND_PLT:
		*cfa = w->reg[REG_RSP] + 8 +
		       ((w->pc & 15) >= (u64)r->cfa_off) * 8;
		return 0;
	case UNWIND_SIGNAL:
	case UNWIND_ROOT:
		*cfa = w->cfa;
		return 0;
	case UNWIND_NONE:
		return CUT_NO_RULE;
	}
	return CUT_UNSUPPORTED;
}

static __always_inline struct pc_entry *entry_at(u32 slot)
{
	return bpf_map_lookup_elem(&pc_cache, &slot);
}

/* Write the frame that could not be unwound, and end. */
static __always_inline void cut(struct walk *w, struct pc_entry *e, u32 status)
{
	if (e)
		walk_push(w, e->frame);
	walk_end(w, status);
}

/* Rule and CFA of the frame at w->pc; NULL: the walk has ended. */
static __always_inline struct pc_entry *locate(struct walk *w)
{
	u64 address = w->pc - !w->exact, cfa = 0;
	u32 slot = cache_slot(w, address);
	struct pc_entry *e;
	int status = 0;

	w->slot = slot;
	e = entry_for(w, address, slot, &status);
	if (!e) {
		cut(w, entry_at(slot), status);
		return NULL;
	}
	status = rule_cfa(w, &e->rule, &cfa);
	if (!status && cfa <= w->cfa && e->rule.kind != UNWIND_SIGNAL &&
	    e->rule.kind != UNWIND_ROOT)
		status = CUT_NOT_RISING;
	if (status) {
		cut(w, e, status);
		return NULL;
	}
	w->cfa = cfa;
	return e;
}

static __always_inline void restore(struct walk *w, u32 reg, s16 slot, u64 base)
{
	if (slot == UNWIND_SLOT_SAME)
		return;
	if (slot == UNWIND_SLOT_LOST ||
	    stack_word(w, base + (s64)slot * 8, &w->reg[reg]))
		w->valid &= ~(1u << reg);
}

/* The caller's callee-saved registers. */
static __always_inline void restore_all(struct walk *w, struct unwind_rule *r,
					u64 base)
{
	restore(w, REG_RBP, r->slot[SAVED_RBP], base);
	if (!w->want_saved)
		return;
	restore(w, REG_RBX, r->slot[SAVED_RBX], base);
	restore(w, REG_R12, r->slot[SAVED_R12], base);
	restore(w, REG_R13, r->slot[SAVED_R13], base);
	restore(w, REG_R14, r->slot[SAVED_R14], base);
	restore(w, REG_R15, r->slot[SAVED_R15], base);
}

/* The return address and the registers of the frame's caller. */
static __always_inline int step_out(struct walk *w, struct unwind_rule *r)
{
	u64 ra_base = w->cfa, base = w->cfa, rbp = w->reg[REG_RBP];
	u64 pc = 0;

	stack_block(w, w->cfa);
	if (r->flags & UNWIND_SLOTS_FROM_RBP)
		base = rbp;
	if (r->flags & UNWIND_RA_FROM_RBP)
		ra_base = rbp;
	if (stack_word(w, ra_base + (s64)r->ra * 8, &pc))
		return CUT_STACK_READ;
	if (!pc)
		return CUT_NULL_RETURN;
	restore_all(w, r, base);
	w->valid &= w->want_saved ? WALK_CALLEE_SAVED : 1u << REG_RBP;
	w->valid |= 1u << REG_RSP;
	w->reg[REG_RSP] = w->cfa;
	w->pc = pc;
	w->exact = 0;
	return 0;
}

/* Words of gregs in struct sigcontext (arch/x86/include/uapi/asm/sigcontext.h):
 * r8-r15 di si bp bx dx ax cx sp ip. */
static __always_inline int step_signal(struct walk *w, struct unwind_rule *r)
{
	u64 at = w->reg[r->cfa_reg & 15] + (s64)r->cfa_off;
	u64 *g = w->block;

	w->block_len = 0;
	if (!have(w, r->cfa_reg))
		return CUT_LOST_REGISTER;
	if (bpf_probe_read_user(g, 17 * 8, (const void *)at))
		return CUT_STACK_READ;
	w->reg[REG_R8] = g[0];
	w->reg[REG_R9] = g[1];
	w->reg[REG_R10] = g[2];
	w->reg[REG_R11] = g[3];
	w->reg[REG_R12] = g[4];
	w->reg[REG_R13] = g[5];
	w->reg[REG_R14] = g[6];
	w->reg[REG_R15] = g[7];
	w->reg[REG_RDI] = g[8];
	w->reg[REG_RSI] = g[9];
	w->reg[REG_RBP] = g[10];
	w->reg[REG_RBX] = g[11];
	w->reg[REG_RDX] = g[12];
	w->reg[REG_RAX] = g[13];
	w->reg[REG_RCX] = g[14];
	w->reg[REG_RSP] = g[15];
	w->pc = g[16];
	w->valid = 0xffff;
	w->exact = 1;
	/* The handler may have run on another stack: start the order anew. */
	w->cfa = w->reg[REG_RSP] - 1;
	return w->pc ? 0 : CUT_NULL_RETURN;
}

/* Write the frame and go to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e)
{
	int status;

	walk_push(w, e->frame);
	w->located = LOCATED_NOT;
	if (++w->frames > WALK_MAX_FRAMES)
		return walk_end(w, CUT_DEPTH);
	if (e->rule.kind == UNWIND_ROOT)
		return walk_end(w, WALK_ROOT);
	if (e->rule.kind == UNWIND_SIGNAL)
		status = step_signal(w, &e->rule);
	else
		status = step_out(w, &e->rule);
	if (status)
		walk_end(w, status);
}

/* Does a walker want the frame that was just located? Then it has the mode. */
static __always_inline bool divert(struct walk *w, struct pc_entry *e)
{
	u32 id = UNWIND_MARK_WALKER(e->rule.mark);

	if (w->wake < w->cfa) {
		w->mode = w->wake_mode;
		return true;
	}
	if (!e->rule.mark || w->located == LOCATED_MARKED ||
	    !(w->process.walkers >> (id & 15) & 1))
		return false;
	w->located = LOCATED_MARKED;
	w->mode = MODE_WALKER + id;
	return true;
}

int native_step(struct walk *w)
{
	struct pc_entry *e;

	if (!w)
		return 0;
	if (w->located) {
		/* Back from a walker: the frame is still the same. */
		e = entry_at(w->slot);
		if (!e)
			return 0;
	} else {
		e = locate(w);
		if (!e)
			return 0;
		w->located = LOCATED;
	}
	if (!divert(w, e))
		finish(w, e);
	return 0;
}
