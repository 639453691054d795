/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * User memory read without a helper call.
 *
 * A walk reads some hundred words from a few pages.  bpf_probe_read_user() costs
 * 35 to 60 ns each time, most of it for opening and closing the way to user
 * memory.  But the same bytes are also mapped in the kernel's direct map of all
 * memory; so the address of a page there is looked up once a sample in the
 * process's page table (7 ns), and from then on a word is one load (1 ns).
 *
 * Why that is safe.  Page tables stand while they are read: a sample runs with
 * interrupts off, and tables are freed only after every CPU has answered an
 * interrupt or left its read-side sections (mm/gup.c, v6.1, relies on the same).  A
 * page that another thread has just unmapped may already be somebody else's; then
 * the walk reads stale words, as it would have a moment earlier, and its checks have
 * to bear that as they bear any contents.  Nothing is kept for the next sample.
 * Every load is of the kind that the kernel repairs when it faults.
 *
 * Why it is right.  Only present pages of ordinary memory, within what the machine
 * has as RAM, are taken; any other (absent, device, zero page) goes to the helper,
 * which stays the judge of what can be read.  A page that the kernel has taken out
 * of its own map (memfd_secret) reads as zeroes here, so a first word of zero is
 * asked again in a way that tells.  Where the direct map begins is found at the start
 * by looking for words that we wrote (direct.bpf.c); if that fails, the helper does
 * all.
 */
#ifndef JPBPF_DIRECT_BPF_H
#define JPBPF_DIRECT_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include <jpbpf/types.h>

#define DIRECT_PAGE    4096u
#define DIRECT_PAGES   128u /* remembered in one sample */
#define DIRECT_ROUND   (1ull << 52)
#define DIRECT_REGION  (2u << 20) /* that one table of the last level is for */
#define DIRECT_REGIONS 4u	  /* remembered in one sample */
#define DIRECT_WORDS   15u	  /* read at once at most, see direct_words() */

/* Where the direct map begins; 0: not known, nothing is read directly.  And of
 * what depth page tables are: 4 or 5. */
extern u64 direct_base;
extern u32 direct_levels;
/* Physical address where RAM ends. */
extern u64 direct_end;

/* Loads through bpf_rdonly_cast(), which kernels since 6.2 have; 0: the helper does
 * all.  Set before loading. */
extern const volatile u32 direct_reads;

/* Tests in user space set it to 0, so that a bad address is an error. */
#ifndef DIRECT_CAST
#define DIRECT_CAST direct_reads
#endif

/* Pages looked up in this sample.  Filled by direct_fill(). */
struct direct_pages {
	u64 table; /* kernel address of the process's top page table; 0: do not */
	u64 round; /* number of the sample in the bits above those of page numbers */
	struct direct_page {
		u64 tag;  /* user address / DIRECT_PAGE, xor round */
		u64 page; /* kernel address of it */
	} entry[DIRECT_PAGES];
	/* The last tables too: pages of a heap mostly share one. */
	u64 region[DIRECT_REGIONS]; /* user address / DIRECT_REGION */
	u64 last_table[DIRECT_REGIONS];
};

void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym __weak;

/* direct.bpf.c: look the page up and remember it. 1: done; 0: not for us. */
int direct_fill(struct direct_pages *d, u64 address);

/* direct.bpf.c: one word of user memory, directly or by the helper; for places
 * that are not worth the code of walk_words().  0, or an error. */
int direct_read(struct direct_pages *d, u64 *out, u64 address);

/* Kernel words that may lie anywhere: a fault gives zeroes. */
struct direct_view {
	u64 word[DIRECT_WORDS];
};

/*
 * The type given is one whose first words are plain integers: the verifier wants
 * to know what is loaded, and all that matters is that it is no pointer.
 */
static __always_inline const struct direct_view *direct_view(u64 kernel)
{
	return bpf_rdonly_cast((const void *)kernel,
			       bpf_core_type_id_kernel(struct pt_regs));
}

static __always_inline u64 direct_word(u64 kernel)
{
	u64 v = 0;

	if (DIRECT_CAST) {
		v = direct_view(kernel)->word[0];
		/* Not to be merged with a load from another kind of memory. */
		barrier_var(v);
		return v;
	}
	bpf_probe_read_kernel(&v, sizeof(v), (const void *)kernel);
	return v;
}

/*
 * The task's memory, 0 for a kernel thread.  As a number: for a pointer the
 * verifier would look through all names of the kernel's BTF, three times, which is
 * a millisecond for each place.
 */
static __always_inline u64 direct_mm(struct task_struct *task)
{
	return direct_word((u64)&task->mm);
}

/* The top page table of such a memory. */
static __always_inline u64 direct_table(u64 mm)
{
	return direct_word(mm + bpf_core_field_offset(struct mm_struct, pgd));
}

/* n is a constant up to DIRECT_WORDS. */
static __always_inline void direct_words(u64 *out, u32 n, u64 kernel)
{
	const struct direct_view *v;

	if (!DIRECT_CAST) {
		bpf_probe_read_kernel(out, n * 8, (const void *)kernel);
		return;
	}
	v = direct_view(kernel);
	for (u32 i = 0; i < n; i++) {
		u64 word = v->word[i];

		barrier_var(word);
		out[i] = word;
	}
}

/* Kernel address of size bytes at a user address; 0: use the helper. */
static __always_inline u64 direct_at(struct direct_pages *d, u64 address,
				     u32 size)
{
	u32 offset = address & (DIRECT_PAGE - 1);
	u64 number = address / DIRECT_PAGE;
	u32 slot = number & (DIRECT_PAGES - 1);

	if (!direct_reads || offset > DIRECT_PAGE - size)
		return 0;
	if (d->entry[slot].tag != (number ^ d->round) &&
	    !direct_fill(d, address))
		return 0;
	return d->entry[slot].page + offset;
}

/* A sample begins.  The table belongs to the task that is sampled, and can also be
 * entered later; see begin_user(). */
static __always_inline void direct_begin(struct direct_pages *d, u64 table)
{
	d->table = table;
	d->round += DIRECT_ROUND;
	/* What is left from the same number, thousands of samples ago, is not of
	 * this one. */
	if (!d->round) {
		d->round = DIRECT_ROUND;
		for (u32 i = 0; i < DIRECT_PAGES; i++)
			d->entry[i].tag = 0;
	}
	__builtin_memset(d->region, 0xff, sizeof(d->region));
}

#endif
