/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that are deferred.
 *
 * A process that was just born, or has just loaded a library, is sampled before
 * user space has the tables for it.  Such a sample goes over as it is: the frames
 * that were found, the registers where the walk stood, and the stack from there.
 * Native frames can be found from that at any time by the same rules.  What the
 * interpreters have in their own memory cannot: a walker whose frames belong to
 * addresses on the stack (R's) writes them with those; for others, user space says
 * that they are not known.
 *
 * These records are large, so they may not fill the ring: a quarter of it is for
 * others.  User space is woken for them early: it has to be at work before the ring
 * is full (WAKE_BYTES).
 */
#include "bpf/walk.bpf.h"

#define HEAD (sizeof(struct deferred) / 8) /* words */

/* Frame words that may stand before: the rest of the buffer takes the stack. */
#define MOST_WORDS (WALK_WORDS / 2)

/* So many pages one after the other that are not there: the stack has ended. */
#define MOST_MISSING 64u

#define WAKE_BYTES (512u << 10)

struct copy {
	struct walk *w;
	u64 base;
};

/* What it counts is in the walk: of a value on the stack the verifier would follow
 * every step. */
static long copy_page(u32 i, struct copy *c)
{
	const void *from = (const void *)(c->base + i * DEFERRED_PAGE);
	struct walk *w = c->w;
	u32 n = w->deferred_end;

	if (n > WALK_ROOM - DEFERRED_PAGE / 8 ||
	    w->deferred_missing > MOST_MISSING)
		return 1;
	if (bpf_probe_read_user(&w->word[n], DEFERRED_PAGE, from)) {
		w->deferred_missing++;
		return 0;
	}
	w->deferred_pages[i / 64 & (DEFERRED_MASKS - 1)] |= 1ull << (i & 63);
	w->deferred_missing = 0;
	w->deferred_end = n + DEFERRED_PAGE / 8;
	return 0;
}

/* A process's first thread has nothing beyond where its stack began. */
static __always_inline u32 most_pages(u64 base)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 top = task->mm ? task->mm->start_stack : 0;

	if (top < base || top - base >= DEFERRED_PAGES * DEFERRED_PAGE)
		return DEFERRED_PAGES;
	return (top - base) / DEFERRED_PAGE + 1;
}

static __always_inline void fill(struct walk *w, struct deferred *k)
{
	struct task_struct *task = bpf_get_current_task_btf();

	native_registers(w);
	k->cursor = *(const struct cursor *)w;
	k->cursor.cfa = w->cut_cfa;
	k->cursor.want_saved = 1;
	k->base = (w->reg[REG_STACK] - RED_ZONE) & ~(DEFERRED_PAGE - 1ull);
	k->placed = w->placed;
	k->keyed = w->keyed;
	k->vdso = 0;
	if (task->mm)
		k->vdso = (u64)task->mm->context.vdso;
}

__noinline int defer(struct walk *w)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);
	u64 ring = bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE), size;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words, status;
	struct copy c;
	bool is_open;
	struct deferred *k;

	if (!w || unread > ring / 4 * 3)
		return LOST_NOT_READY;
	words = w->words;
	if (words > MOST_WORDS)
		return LOST_NOT_READY;
	k = (struct deferred *)&w->word[words];
	fill(w, k);
	status = w->sample.status;
	is_open = status == LOST_NOT_READY || status == CUT_NOT_READY ||
		  status == CUT_NO_MAPPING;
	__builtin_memset(w->deferred_pages, 0, sizeof(w->deferred_pages));
	w->deferred_missing = 0;
	w->deferred_end = words + HEAD;
	c = (struct copy){ w, k->base };
	if (is_open)
		bpf_loop(most_pages(k->base), copy_page, &c, 0);
	__builtin_memcpy(k->pages, w->deferred_pages, sizeof(k->pages));
	w->sample.type = RECORD_DEFERRED;
	w->sample.words = words;
	size = sizeof(struct sample) + w->deferred_end * 8ull;
	if (size > sizeof(struct sample) + sizeof(w->word))
		return LOST_INTERNAL;
	if (unread > WAKE_BYTES)
		flags = BPF_RB_FORCE_WAKEUP;
	if (bpf_ringbuf_output(&samples, &w->sample, size, flags))
		return walk_ring_lost();
	return 0;
}
