/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that are kept for later.
 *
 * A process that was just born, or has just loaded a library, is sampled before
 * user space has the tables for it.  Such a sample goes over as it is: the frames
 * that were found, the registers where the walk stood, and the stack from there.
 * Native frames can be found from that at any time by the same rules.  What the
 * interpreters have in their own memory cannot: a walker whose frames belong to
 * addresses on the stack (R's) writes them with those; for others, user space says
 * that they are not known.
 *
 * These records are large, so they may not fill the ring: half of it is for
 * others.
 */
#include "bpf/walk.bpf.h"

#define RED_ZONE \
	128u /* bytes below rsp that are the function's, by the psABI */
#define HEAD (sizeof(struct kept) / 8) /* words */

/* Frame words that may stand before: the rest of the buffer takes the stack. */
#define MOST_WORDS (WALK_WORDS / 2)

struct copy {
	struct walk *w;
	u64 base, pages;
	u32 n; /* word where the next page goes */
};

static long copy_page(u32 i, struct copy *c)
{
	const void *from = (const void *)(c->base + i * KEPT_PAGE);
	u32 n = c->n;

	if (n > WALK_WORDS - KEPT_PAGE / 8)
		return 1;
	if (bpf_probe_read_user(&c->w->word[n], KEPT_PAGE, from))
		return 0;
	c->pages |= 1ull << (i & 63);
	c->n = n + KEPT_PAGE / 8;
	return 0;
}

static __always_inline void fill(struct walk *w, struct kept *k)
{
	struct task_struct *task = bpf_get_current_task_btf();

	native_registers(w);
	for (u32 i = 0; i < KEPT_REGS; i++)
		k->reg[i] = w->reg[i];
	k->pc = w->pc;
	k->cfa = w->cut_cfa;
	k->valid = w->valid;
	k->exact = w->exact;
	k->base = (w->reg[REG_RSP] - RED_ZONE) & ~(KEPT_PAGE - 1ull);
	k->pages = 0;
	k->placed = w->placed;
	k->keyed = w->keyed;
	k->vdso = 0;
	if (task->mm)
		k->vdso = (u64)task->mm->context.vdso;
}

__noinline int keep(struct walk *w)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);
	u64 ring = bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE), size;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words, status;
	struct copy c;
	bool is_open;
	struct kept *k;

	if (!w || unread > ring / 2)
		return LOST_NOT_READY;
	words = w->words;
	if (words > MOST_WORDS)
		return LOST_NOT_READY;
	k = (struct kept *)&w->word[words];
	fill(w, k);
	status = w->sample.status;
	is_open = status == LOST_NOT_READY || status == CUT_NOT_READY ||
		  status == CUT_NO_MAPPING;
	c = (struct copy){ w, k->base, 0, words + HEAD };
	if (is_open)
		bpf_loop(KEPT_PAGES, copy_page, &c, 0);
	k->pages = c.pages;
	w->sample.type = RECORD_KEPT;
	w->sample.words = words;
	size = sizeof(struct sample) + c.n * 8;
	if (size > sizeof(struct sample) + sizeof(w->word))
		return LOST_INTERNAL;
	if (unread > ring / 4)
		flags = BPF_RB_FORCE_WAKEUP;
	if (bpf_ringbuf_output(&samples, &w->sample, size, flags))
		return LOST_RING_FULL;
	return 0;
}
