/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that are kept for later.
 *
 * A process that was just born, or has just loaded a library, is sampled before
 * user space has the tables for it.  Such a sample goes over as it is: the frames
 * that were found, the registers where the walk stood, and the stack from there.
 * Native frames can be found from that at any time by the same rules.  What the
 * interpreters had in their own memory cannot; user space says so where it
 * matters.
 *
 * These records are large, so they may not fill the ring: half of it is for
 * others.
 */
#include "bpf/walk.bpf.h"

#define PAGE  4096u
#define PAGES (KEPT_STACK / PAGE)
#define RED_ZONE \
	128u /* bytes below rsp that are the function's, by the psABI */
#define HEAD (sizeof(struct kept) / 8) /* words */

/* Frame words that may stand before: the rest of the buffer takes the stack. */
#define MOST_WORDS (WALK_WORDS / 2)

/* Copy the stack from base up to word n and what follows: to the end of the page,
 * then page by page, as far as there is memory.  Bytes that were read. */
static __always_inline u32 copy_stack(struct walk *w, u32 n, u64 base)
{
	u32 size = PAGE - (base & (PAGE - 1)), done = 0;

	for (u32 i = 0; i < PAGES; i++) {
		u32 at = n + done / 8;

		if (at > WALK_WORDS - PAGE / 8 || size > PAGE)
			break;
		if (bpf_probe_read_user(&w->word[at], size,
					(const void *)(base + done)))
			break;
		done += size;
		size = PAGE;
	}
	return done;
}

static __always_inline void fill(struct walk *w, struct kept *k)
{
	struct task_struct *task = bpf_get_current_task_btf();

	for (u32 i = 0; i < KEPT_REGS; i++)
		k->reg[i] = w->reg[i];
	k->pc = w->pc;
	k->cfa = w->cfa;
	k->valid = w->valid;
	k->exact = w->exact;
	k->base = (w->reg[REG_RSP] - RED_ZONE) & ~7ull;
	k->bytes = 0;
	k->vdso = 0;
	if (task->mm)
		k->vdso = (u64)task->mm->context.vdso;
}

__noinline int keep(struct walk *w)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);
	u64 ring = bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE), size;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words, bytes = 0;
	bool is_cut;
	struct kept *k;

	if (!w || unread > ring / 2)
		return LOST_NOT_READY;
	words = w->words;
	/* The frame that could not be unwound is not told, it is to be found. */
	is_cut = w->status == CUT_NOT_READY || w->status == CUT_NO_MAPPING;
	if (is_cut)
		words--;
	if (words > MOST_WORDS)
		return LOST_NOT_READY;
	k = (struct kept *)&w->word[words];
	fill(w, k);
	is_cut |= w->status == LOST_NOT_READY;
	if (is_cut)
		bytes = copy_stack(w, words + HEAD, k->base);
	/* Below rsp there may be nothing yet. */
	if (is_cut && !bytes) {
		k->base = w->reg[REG_RSP] & ~7ull;
		bytes = copy_stack(w, words + HEAD, k->base);
	}
	k->bytes = bytes;
	w->sample.type = RECORD_KEPT;
	w->sample.words = words;
	size = sizeof(struct sample) + words * 8 + sizeof(*k) + bytes;
	if (size > sizeof(struct sample) + sizeof(w->word))
		return LOST_INTERNAL;
	if (unread > ring / 4)
		flags = BPF_RB_FORCE_WAKEUP;
	if (bpf_ringbuf_output(&samples, &w->sample, size, flags))
		return LOST_RING_FULL;
	return 0;
}
