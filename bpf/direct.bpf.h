/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads of user memory without a helper call.
 *
 * A walk reads some hundred words from a few pages.  bpf_probe_read_user() costs
 * 35 to 60 ns per call, most of it for opening and closing access to user memory.  The
 * same bytes are also mapped in the kernel's direct map of all memory.  The address of
 * a page there is looked up once a sample in the process's page table (7 ns); after
 * that a word is one load (1 ns).
 *
 * Why this is safe.  Page tables stay in place while they are read: direct reads are
 * made only with interrupts off, and the kernel frees tables only after every CPU has
 * answered an interrupt or left its read-side sections (mm/gup.c, v6.1, relies on the
 * same).  A page that another thread has just unmapped may already belong to another
 * process.  The walk then reads wrong words; its checks bear these as they bear any
 * contents.  No looked-up page is used in the next sample.  The kernel repairs every
 * load that faults.
 *
 * Why this is right.  Only present pages of ordinary memory within the machine's RAM
 * are read directly.  All others (absent, device, zero page) go to the helper, which
 * decides what can be read.  A page that the kernel has removed from its direct map
 * (memfd_secret) reads as zeroes, so a page of which two words are zero is checked by
 * bpf_probe_read_kernel(), which reports a fault.  The base of the direct map is found
 * at the start by a search for words that we wrote (direct.bpf.c).  If the search
 * fails, the helper reads everything.
 *
 * The memory of another task than the current one (direct_foreign) cannot be read by the
 * helper.  All of it is read by its page table, with interrupts on, and direct_is_same()
 * tells afterwards whether the table still says the same.  A page that is absent is
 * noted, so that user space can have it brought in.
 */
#ifndef JPBPF_DIRECT_BPF_H
#define JPBPF_DIRECT_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include <jpbpf/types.h>

/* Conditions that seldom or mostly hold.  The code for what is rare goes behind the rest of
 * its function: at 99 Hz the lines of code that a sample touches are dear. */
#define seldom(condition) __builtin_expect(!!(condition), 0)
#define mostly(condition) __builtin_expect(!!(condition), 1)
/* A function that is seldom called: so is the code that leads to a call of it. */
#define COLD __attribute__((cold))

#define DIRECT_PAGE    4096u
#define DIRECT_PAGES   128u /* remembered in one sample */
#define DIRECT_ROUND   (1ull << 52)
#define DIRECT_REGION  (2u << 20) /* bytes that one last-level table covers */
#define DIRECT_REGIONS 8u	  /* remembered in one sample */
#define DIRECT_ACROSS  16u
#define DIRECT_WORDS   15u /* words read at once at most, see direct_words() */

/* Base of the direct map; 0: not known, nothing is read directly.  Levels of the page
 * tables: 4 or 5.  The bits of their entries that are a physical address. */
extern u64 direct_base;
extern u32 direct_levels;
extern u64 direct_address;
/* Physical address of the end of RAM. */
extern u64 direct_end;
/* Whether memory of other tasks is read: never by the helper. */
extern const volatile u32 direct_foreign;

/* Whether to load through bpf_rdonly_cast(), which kernels since 6.2 have; 0: helpers
 * read everything.  The kernel side is built for both: if it asked a setting at each
 * word, a sample of Tcl would take 7 % more instructions. */
#ifndef DIRECT_READS
#define DIRECT_READS 1
#endif

/* Unit tests in user space define DIRECT_CAST as 0, so that a bad address is an
 * error. */
#ifndef DIRECT_CAST
#define DIRECT_CAST 1
#endif

/* Pages looked up in this sample.  Filled by direct_fill(). */
struct direct_pages {
	u64 table; /* kernel address of the top page table; 0: no direct reads */
	u64 round; /* number of the sample in the bits above those of page numbers */
	/* Regions looked up: the pages of a heap are in few. */
	struct direct_region {
		u64 tag;   /* user address / DIRECT_REGION, xor round */
		u64 pages; /* see pages_region() */
	} region[DIRECT_REGIONS];
	struct direct_page {
		u64 tag;  /* user address / DIRECT_PAGE, xor round */
		u64 page; /* kernel address of the page */
	} entry[DIRECT_PAGES];
	u64 absent; /* direct_foreign: user address that could not be read; 0: none */
	u64 across[DIRECT_ACROSS]; /* what direct_across() has read */
	u64 probe;		   /* room for direct_fill() */
	/* Of direct_fetch(): where it is, of how many bytes, and how many it has. */
	u64 at;
	u32 size, done;
	/* What direct_fetch() has read.  Its second half is room for the verifier. */
	u8 fetched[2 * DIRECT_PAGE];
};

void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym;

/* direct.bpf.c: look a page up and remember it.  Returns 1, or 0 if the page must be
 * read by the helper. */
int direct_fill(struct direct_pages *d, u64 address);

/* direct.bpf.c: read up to DIRECT_PAGE bytes by the page table into d->fetched.  Returns
 * their number, less than size where a page is absent. */
u32 direct_fetch(struct direct_pages *d, u64 address, u32 size);

/* direct.bpf.c: whether all remembered pages are still where they were.  1 or 0. */
int direct_is_same(struct direct_pages *d);

/* direct.bpf.c: one word of user memory, directly or by the helper; for places that
 * are not worth the inlined code of walk_words().  Returns 0 or an error. */
int direct_read(struct direct_pages *d, u64 *out, u64 address);

/* direct.bpf.c: n words, at most DIRECT_ACROSS, directly into d->across, for those that lie
 * in two pages.  Returns 0, or -1 if they must be read by the helper. */
int direct_across(struct direct_pages *d, u64 address, u32 n);

/* Words at any kernel address.  A load that faults gives zero. */
struct direct_view {
	u64 word[DIRECT_WORDS];
};

/*
 * The verifier wants a type for the words.  struct pt_regs begins with plain integers,
 * so no word is taken for a pointer.
 */
static __always_inline const struct direct_view *direct_view(u64 kernel)
{
	return bpf_rdonly_cast((const void *)kernel,
			       bpf_core_type_id_kernel(struct pt_regs));
}

/* A word at an address from direct_at().  There is none unless DIRECT_READS is set, so
 * nothing has to be asked again. */
static __always_inline u64 direct_load(u64 kernel)
{
	u64 v = 0;

	if (DIRECT_CAST) {
		v = direct_view(kernel)->word[0];
		/* The compiler must not merge this load with one of another kind. */
		barrier_var(v);
		return v;
	}
	bpf_probe_read_kernel(&v, sizeof(v), (const void *)kernel);
	return v;
}

/* The same of n words, a constant up to DIRECT_WORDS. */
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

/* A word at any kernel address, or where the verifier cannot know whence it comes. */
static __always_inline u64 direct_word(u64 kernel)
{
	u64 v = 0;

	if (DIRECT_READS)
		return direct_load(kernel);
	bpf_probe_read_kernel(&v, sizeof(v), (const void *)kernel);
	return v;
}

/*
 * Address of the task's mm_struct; 0 for a kernel thread.  The result is a number,
 * because a pointer costs a millisecond of load time per use: the verifier searches all
 * names of the kernel's BTF three times.
 */
static __always_inline u64 direct_mm(struct task_struct *task)
{
	return direct_word((u64)&task->mm);
}

/* Kernel address of the top page table of the mm_struct at mm. */
static __always_inline u64 direct_table(u64 mm)
{
	return direct_word(mm + bpf_core_field_offset(struct mm_struct, pgd));
}

/* Whether size bytes at an address lie in two pages. */
static __always_inline bool direct_parts(u64 address, u32 size)
{
	return (address & (DIRECT_PAGE - 1)) > DIRECT_PAGE - size;
}

/* Kernel address of size bytes at a user address; 0: use the helper. */
static __always_inline u64 direct_at(struct direct_pages *d, u64 address,
				     u32 size)
{
	u32 offset = address & (DIRECT_PAGE - 1);
	u64 number = address / DIRECT_PAGE;
	u32 slot = number & (DIRECT_PAGES - 1);

	if (!DIRECT_READS || seldom(direct_parts(address, size)))
		return 0;
	if (seldom(d->entry[slot].tag != (number ^ d->round)) &&
	    seldom(!direct_fill(d, address)))
		return 0;
	return d->entry[slot].page + offset;
}

/* Copies user memory, at most DIRECT_PAGE bytes.  0 or a negative number. */
static __always_inline int direct_copy(struct direct_pages *d, void *out,
				       u32 size, u64 address)
{
	if (!direct_foreign)
		return bpf_probe_read_user(out, size, (const void *)address);
	if (direct_fetch(d, address, size) != size)
		return -1;
	return bpf_probe_read_kernel(out, size, d->fetched);
}

/* Copies a text with its NUL, cut at size.  Returns the bytes copied, or a negative
 * number. */
static __always_inline long direct_copy_text(struct direct_pages *d, char *out,
					     u32 size, u64 address)
{
	u32 there;
	long n;

	if (!direct_foreign)
		return bpf_probe_read_user_str(out, size,
					       (const void *)address);
	there = direct_fetch(d, address, size);
	if (!there)
		return -1;
	n = bpf_probe_read_kernel_str(out, size, d->fetched);
	return n > there ? -1 : n;
}

/* Begins a sample.  The table is that of the sampled task; begin_user() sets it later
 * if it is 0 here. */
static __always_inline void direct_begin(struct direct_pages *d, u64 table)
{
	d->table = table;
	d->absent = 0;
	d->round += DIRECT_ROUND;
	/* The number has wrapped around: entries with the same number from
		 * thousands of samples ago must not match. */
	if (seldom(!d->round)) {
		d->round = DIRECT_ROUND;
		for (u32 i = 0; i < DIRECT_PAGES; i++)
			d->entry[i].tag = 0;
		for (u32 i = 0; i < DIRECT_REGIONS; i++)
			d->region[i].tag = 0;
	}
}

#endif
