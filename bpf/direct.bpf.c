/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From a user address to the kernel's own address of that page, and, once at the
 * start, where the kernel maps all memory.
 *
 * The page table of x86-64: four or five levels of 512 entries, each the physical
 * address of the next one and flags (arch/x86/include/asm/pgtable_types.h, v6.1).
 *
 * The beginning of the direct map is random (KASLR) and not shown to anybody.  It
 * lies a whole number of GiB below any address in it; one is known, that of our
 * process's top page table.  So each candidate is tried: walk the table as if it
 * were the right one, to a page of ours that holds two random words.  A wrong one
 * leads to other memory or to none, and never to these words.  There are no more
 * candidates than GiB of memory, and no address beyond its end is followed.
 */
#include "bpf/direct.bpf.h"

#define ENTRY_PRESENT	    (1ull << 0)
#define ENTRY_USER	    (1ull << 2)
#define ENTRY_WRITE_THROUGH (1ull << 3)
#define ENTRY_CACHE_OFF	    (1ull << 4)
#define ENTRY_HUGE	    (1ull << 7)
#define ENTRY_SPECIAL	    (1ull << 9) /* zero page, device memory */
/* Linux uses 46 bits of physical address with four levels and 52 with five
 * (MAX_PHYSMEM_BITS); bit 47 or 51 may say that memory is encrypted. */
#define ENTRY_ADDRESS_4 0x00003ffffffff000ull
#define ENTRY_ADDRESS_5 0x0007fffffffff000ull
#define ENTRY_STRANGE_4 0x0007400000000000ull /* bits that are neither */

#define GIB	       (1ull << 30)
#define MAX_CANDIDATES (1u << 16) /* 64 TiB */

const volatile u32 direct_reads = 1;
u64 direct_base = 0;
u32 direct_levels = 0;
u64 direct_end = 0;

/* What a page of ordinary memory has set among these, and what not. */
#define LEAF_MASK                                                             \
	(ENTRY_PRESENT | ENTRY_USER | ENTRY_WRITE_THROUGH | ENTRY_CACHE_OFF | \
	 ENTRY_SPECIAL)
#define LEAF_WANT (ENTRY_PRESENT | ENTRY_USER)

static __always_inline u64 next(u64 table, u64 address, u32 shift)
{
	return direct_word(table + ((address >> shift) & 511) * 8);
}

/* Physical address in an entry; all ones: it is no memory of this machine. */
static __always_inline u64 physical(u64 entry)
{
	u64 mask = direct_levels == 5 ? ENTRY_ADDRESS_5 : ENTRY_ADDRESS_4;

	if (direct_levels != 5 && (entry & ENTRY_STRANGE_4))
		return ~0ull;
	return (entry & mask) < direct_end ? entry & mask : ~0ull;
}

/* Kernel address of what an entry points to, of 1 << shift bytes: the part of it
 * that holds address, cut to a page.  0: no ordinary memory. */
static __always_inline u64 leaf(u64 entry, u64 address, u32 shift)
{
	u64 at = physical(entry), in = (1ull << shift) - 1;

	if ((entry & LEAF_MASK) != LEAF_WANT || at == ~0ull)
		return 0;
	return direct_base + (at & ~in) +
	       (address & in & ~(u64)(DIRECT_PAGE - 1));
}

static __always_inline u64 down(u64 entry)
{
	u64 at = physical(entry);

	return (entry & ENTRY_PRESENT) && at != ~0ull ? direct_base + at : 0;
}

/* Kernel address of the page at a user address; 0: none, or not ordinary.  The
 * table of the last level goes to *last, if there is one. */
static __always_inline u64 page_of(u64 table, u64 address, u64 *last)
{
	u64 entry;

	if (!direct_base || !table || address >> (direct_levels == 5 ? 56 : 47))
		return 0;
	if (direct_levels == 5)
		table = down(next(table, address, 48));
	if (table)
		table = down(next(table, address, 39));
	if (!table)
		return 0;
	entry = next(table, address, 30);
	if (entry & ENTRY_HUGE)
		return leaf(entry, address, 30);
	table = down(entry);
	if (!table)
		return 0;
	entry = next(table, address, 21);
	if (entry & ENTRY_HUGE)
		return leaf(entry, address, 21);
	table = down(entry);
	*last = table;
	return table ? leaf(next(table, address, 12), address, 12) : 0;
}

int direct_fill(struct direct_pages *d, u64 address)
{
	u64 number = address / DIRECT_PAGE;
	u32 slot = number & (DIRECT_PAGES - 1);
	u32 region = address / DIRECT_REGION & (DIRECT_REGIONS - 1);
	u64 page, word;

	if (!d)
		return 0;
	if (d->region[region] == address / DIRECT_REGION) {
		page = leaf(next(d->last_table[region], address, 12), address,
			    12);
	} else {
		d->last_table[region] = 0;
		page = page_of(d->table, address, &d->last_table[region]);
		d->region[region] =
			d->last_table[region] ? address / DIRECT_REGION : ~0ull;
	}
	if (!page)
		return 0;
	/* Zero is also what a load gives that the kernel had to repair. */
	if (!direct_word(page) &&
	    bpf_probe_read_kernel(&word, sizeof(word), (const void *)page))
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
		return bpf_probe_read_user(out, sizeof(*out),
					   (const void *)address);
	*out = direct_word(kernel);
	return 0;
}

struct search {
	u64 table, address, word[2];
	u32 levels;
};

struct search_context {
	struct search *s;
};

/* Does the map lead to the words? */
static __always_inline bool leads(const struct search *s)
{
	u64 last, page = page_of(s->table, s->address, &last);

	page += s->address & (DIRECT_PAGE - 1);
	return page >= DIRECT_PAGE && direct_word(page) == s->word[0] &&
	       direct_word(page + 8) == s->word[1];
}

static long try_candidate(u32 i, struct search_context *ctx)
{
	struct search *s = ctx->s;

	direct_levels = s->levels;
	direct_base = (s->table & ~(GIB - 1)) - i * GIB;
	if (leads(s))
		return 1;
	direct_base = 0;
	return 0;
}

static __always_inline void search(struct search *s)
{
	struct search_context ctx = { s };
	u32 candidates = direct_end / GIB + 1;

	if (candidates > MAX_CANDIDATES)
		candidates = MAX_CANDIDATES;
	s->levels = 4;
	bpf_loop(candidates, try_candidate, &ctx, 0);
	s->levels = 5;
	if (!direct_base)
		bpf_loop(candidates, try_candidate, &ctx, 0);
}

/*
 * Run by user space itself at the start, with the address of two words in its own
 * memory, what they are, and the end of RAM.  The first run looks for the map, those
 * after it check what was found; one that fails undoes it.
 */
SEC("raw_tp")
int direct_find(u64 *args)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 mm = direct_mm(task);
	struct search s = { .address = args[0], .word = { args[1], args[2] } };

	if (!mm)
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
