/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Deferred samples: taken before their tables were there, walked later.
 *
 * A process that was just born, or has just loaded a library, is sampled before user
 * space has built its tables.  The record of such a sample holds the frames found so
 * far, the registers where the walk stopped, and a copy of the stack from there.  User
 * space can find the native frames from these at any time, by the same rules.  The
 * interpreters' own memory is not copied.  A walker whose frames belong to addresses on
 * the stack (R's) writes all its frames now, each with its address.  The frames of
 * other walkers are reported as not known.
 *
 * These records are large.  They may use three quarters of the ring, the rest is for
 * other records.  User space is woken early for them (WAKE_BYTES), so that it works
 * before the ring is full.
 */
#include "bpf/walk.bpf.h"

#define HEAD (sizeof(struct deferred) / 8) /* words */

/* Frame words of a deferred sample at most: the rest of the buffer takes the stack. */
#define MOST_WORDS (WALK_WORDS / 2)

/* After more than so many missing pages in a row the stack is taken to have ended. */
#define MOST_MISSING 64u

#define WAKE_BYTES (512u << 10)

struct copy {
	struct walk *w;
	u64 base;
};

/* Counters are kept in the walk, because the verifier would follow each value of a
 * counter on the BPF stack. */
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

/* Pages to copy at most.  The stack of a process's first thread ends at start_stack. */
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
	native_registers(w);
	k->cursor = *(const struct cursor *)w;
	k->cursor.cfa = w->cut_cfa;
	k->cursor.want_saved = 1;
	k->base = (w->reg[REG_STACK] - RED_ZONE) & ~(DEFERRED_PAGE - 1ull);
	k->placed = w->placed;
	k->keyed = w->keyed;
}

__noinline int defer(struct walk *w)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);
	u64 ring = bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE), size;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words, status;
	struct copy c;
	struct deferred *k;

	if (!w || unread > ring / 4 * 3)
		return LOST_NOT_READY;
	words = w->words;
	if (words > MOST_WORDS)
		return LOST_NOT_READY;
	k = (struct deferred *)&w->word[words];
	fill(w, k);
	status = w->sample.status;
	__builtin_memset(w->deferred_pages, 0, sizeof(w->deferred_pages));
	w->deferred_missing = 0;
	w->deferred_end = words + HEAD;
	c = (struct copy){ w, k->base };
	if (deferred_is_open(status))
		bpf_loop(most_pages(k->base), copy_page, &c, 0);
	__builtin_memcpy(k->pages, w->deferred_pages, sizeof(k->pages));
	w->sample.type = RECORD_DEFERRED;
	w->sample.words = words;
	size = sizeof(struct sample) + w->deferred_end * 8ull;
	if (size > sizeof(struct sample) + sizeof(w->word))
		return LOST_NOT_READY;
	if (unread > WAKE_BYTES)
		flags = BPF_RB_FORCE_WAKEUP;
	if (bpf_ringbuf_output(&samples, &w->sample, size, flags))
		return walk_ring_lost();
	return 0;
}
