/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel's address of a user page, and the search for the direct map that makes
 * these addresses known (once, at the start).
 *
 * The base of the direct map is random (KASLR) and the kernel does not publish it.  One
 * address in the map is known: that of our own process's top page table.  The base lies
 * a whole number of GiB below it.  Each candidate base is tried: the page table is
 * walked with it to a page of our own that holds two random words.  A wrong base leads
 * to other memory or to none, and not to these words.  There is at most one candidate
 * per GiB of memory, and no address beyond the end of RAM is followed.
 */
#include "arch/pages.bpf.h"

#define GIB	       (1ull << 30)
#define MAX_CANDIDATES (1u << 16) /* 64 TiB */

u64 direct_base = 0;
u32 direct_levels = 0;
u64 direct_address = 0;
u64 direct_end = 0;
const volatile u32 direct_foreign = 0;

/* Kernel address of the page, by a region that is remembered or looked up. */
static __always_inline u64 look_up(struct direct_pages *d, u64 address)
{
	u64 number = address / DIRECT_REGION, tag = number ^ d->round;
	struct direct_region *r = &d->region[number & (DIRECT_REGIONS - 1)];

	if (seldom(r->tag != tag)) {
		r->pages = pages_region(d->table, address);
		r->tag = r->pages ? tag : 0;
	}
	return pages_in(r->pages, address);
}

int direct_fill(struct direct_pages *d, u64 address)
{
	u64 number = address / DIRECT_PAGE, page, at;
	u32 slot = number & (DIRECT_PAGES - 1);

	if (!d || !DIRECT_READS)
		return 0;
	page = look_up(d, address);
	if (!page)
		return 0;
	/* The word that is wanted, or the one beside it, is read anyway.  A load that
	 * faulted gives zero, too: the helper tells the two apart. */
	at = page + (address & (DIRECT_PAGE - 8));
	if (!direct_load(at) && !direct_load(at ^ 8) &&
	    bpf_probe_read_kernel(&d->probe, sizeof(d->probe),
				  (const void *)page))
		return 0;
	d->entry[slot].page = page;
	d->entry[slot].tag = number ^ d->round;
	return 1;
}

int direct_read(struct direct_pages *d, u64 *out, u64 address)
{
	u64 kernel;

	if (!d || !out)
		return -1;
	kernel = direct_at(d, address, sizeof(*out));
	if (!kernel)
		return direct_copy(d, out, sizeof(*out), address);
	*out = direct_load(kernel);
	return 0;
}

int direct_across(struct direct_pages *d, u64 address, u32 n)
{
	u32 below = (DIRECT_PAGE - (address & (DIRECT_PAGE - 1))) / sizeof(u64);
	u64 low, high;

	if (!d || n > DIRECT_ACROSS || address % sizeof(u64))
		return -1;
	low = direct_at(d, address, sizeof(u64));
	high = direct_at(d, address + below * sizeof(u64), sizeof(u64));
	if (!low || !high)
		return -1;
	high -= below * sizeof(u64);
	/* In memory, so that the verifier sees one way through the loop. */
	d->size = below;
	for (u32 i = 0; i < DIRECT_ACROSS && i < n; i++) {
		d->across[i] = direct_load(i < d->size ? low : high);
		low += sizeof(u64);
		high += sizeof(u64);
	}
	return 0;
}

/*
 * The chains of calls that lead here leave 32 bytes of the BPF stack, so what lives across
 * a look-up is in d.
 */
static __always_inline u32 fetch_part(struct direct_pages *d)
{
	u64 number, page;
	u32 part;

	page = pages_find(d->table, d->at);
	if (!page) {
		d->absent = d->at;
		return 0;
	}
	number = d->at / DIRECT_PAGE;
	d->entry[number & (DIRECT_PAGES - 1)].page = page;
	d->entry[number & (DIRECT_PAGES - 1)].tag = number ^ d->round;
	part = DIRECT_PAGE - (d->at & (DIRECT_PAGE - 1));
	if (part > d->size - d->done)
		part = d->size - d->done;
	barrier_var(part);
	if (part > DIRECT_PAGE || d->done >= DIRECT_PAGE)
		return 0;
	page += d->at & (DIRECT_PAGE - 1);
	d->at += part;
	if (bpf_probe_read_kernel(&d->fetched[d->done], part,
				  (const void *)page))
		return 0;
	return part;
}

u32 direct_fetch(struct direct_pages *d, u64 address, u32 size)
{
	if (!d || !direct_foreign || size > DIRECT_PAGE)
		return 0;
	d->at = address;
	d->size = size;
	d->done = 0;
	for (u32 i = 0; i < 2 && d->done < d->size; i++)
		d->done += fetch_part(d);
	return d->done;
}

static long check_page(u32 i, struct direct_pages **context)
{
	struct direct_pages *d = *context;
	struct direct_page *entry = &d->entry[i & (DIRECT_PAGES - 1)];
	u64 number = entry->tag ^ d->round;

	if (number < DIRECT_ROUND &&
	    pages_find(d->table, number * DIRECT_PAGE) != entry->page)
		d->table = 0;
	return !d->table;
}

int direct_is_same(struct direct_pages *d)
{
	if (!d)
		return 0;
	bpf_loop(DIRECT_PAGES, check_page, &d, 0);
	return d->table != 0;
}

struct search {
	u64 table, address, word[2];
	u32 levels;
};

/* Whether the candidate map leads to the two words. */
static __always_inline bool leads(const struct search *s)
{
	u64 page = pages_find(s->table, s->address);

	page += s->address & (DIRECT_PAGE - 1);
	return page >= DIRECT_PAGE && direct_word(page) == s->word[0] &&
	       direct_word(page + 8) == s->word[1];
}

static long try_candidate(u32 i, struct search *s)
{
	direct_levels = s->levels;
	direct_address = pages_address(s->levels);
	direct_base = (s->table & ~(GIB - 1)) - i * GIB;
	if (leads(s))
		return 1;
	direct_base = 0;
	return 0;
}

static __always_inline void search(struct search *s)
{
	u32 candidates = direct_end / GIB + 1;

	if (candidates > MAX_CANDIDATES)
		candidates = MAX_CANDIDATES;
	s->levels = 4;
	bpf_loop(candidates, try_candidate, s, 0);
	s->levels = 5;
	if (!direct_base)
		bpf_loop(candidates, try_candidate, s, 0);
}

/*
 * Run by user space itself at the start.  args: address of two words in its own memory,
 * the two words, the end of RAM.  The first run searches for the map.  Each later run
 * checks the result and discards it if the check fails.  Returns whether the map is
 * known.
 */
SEC("raw_tp")
int direct_find(u64 *args)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 mm = direct_mm(task);
	struct search s = { .address = args[0], .word = { args[1], args[2] } };

	if (!mm || !(DIRECT_READS || direct_foreign))
		return 0;
	s.table = direct_table(mm);
	if (!direct_end) {
		direct_end = args[3];
		search(&s);
		return direct_base != 0;
	}
	if (!leads(&s))
		direct_base = 0;
	return direct_base != 0;
}
