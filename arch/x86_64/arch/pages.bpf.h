/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The way through a page table: pages_region() says where the pages of a region of 2 MiB
 * are, pages_in() where one of them is.
 *
 * The page table of x86-64 has four or five levels of 512 entries, each the physical
 * address of the next one and flags (arch/x86/include/asm/pgtable_types.h, v6.1).
 */
#ifndef JPBPF_ARCH_PAGES_BPF_H
#define JPBPF_ARCH_PAGES_BPF_H

#include "bpf/direct.bpf.h"

#define ENTRY_PRESENT	    (1ull << 0)
#define ENTRY_USER	    (1ull << 2)
#define ENTRY_WRITE_THROUGH (1ull << 3)
#define ENTRY_CACHE_OFF	    (1ull << 4)
#define ENTRY_HUGE	    (1ull << 7)
#define ENTRY_SPECIAL	    (1ull << 9) /* zero page, device memory */
/* Linux uses 46 bits of physical address with four levels and 52 with five
 * (MAX_PHYSMEM_BITS); bit 47 or 51 may say that memory is encrypted. */
#define ENTRY_ADDRESS	0x0007fffffffff000ull
#define ENTRY_ENCRYPTED (1ull << 47) /* with four levels */

/* What a page of ordinary memory has set among these, and what not. */
#define LEAF_MASK                                                             \
	(ENTRY_PRESENT | ENTRY_USER | ENTRY_WRITE_THROUGH | ENTRY_CACHE_OFF | \
	 ENTRY_SPECIAL)
#define LEAF_WANT (ENTRY_PRESENT | ENTRY_USER)

static __always_inline u64 next(u64 table, u64 address, u32 shift)
{
	return direct_word(table + ((address >> shift) & 511) * 8);
}

/* The bits of an entry that are a physical address. */
static __always_inline u64 pages_address(u32 levels)
{
	return levels == 5 ? ENTRY_ADDRESS : ENTRY_ADDRESS & ~ENTRY_ENCRYPTED;
}

/* Kernel address of what an entry points to, of 1 << shift bytes: the part of it
 * that holds address, cut to a page.  0: no ordinary memory. */
static __always_inline u64 leaf(u64 entry, u64 address, u32 shift)
{
	u64 at = entry & direct_address, in = (1ull << shift) - 1;
	/* The zero page is memory.  Devices are not in the direct map, so reading them
	 * fails. */
	u64 mask = direct_foreign ? LEAF_MASK & ~ENTRY_SPECIAL : LEAF_MASK;

	if (seldom((entry & mask) != LEAF_WANT) || seldom(at >= direct_end))
		return 0;
	return direct_base + (at & ~in) +
	       (address & in & ~(u64)(DIRECT_PAGE - 1));
}

static __always_inline u64 down(u64 entry)
{
	u64 at = entry & direct_address;

	return (entry & ENTRY_PRESENT) && at < direct_end ? direct_base + at
							  : 0;
}

#define PAGES_HUGE 1u /* added to an address: the region is one piece */

/*
 * Where the pages of the region are that holds a user address: the kernel address of the
 * table of the last level; or that of the region itself, + PAGES_HUGE; 0: nowhere, or
 * not in ordinary memory.
 */
static __always_inline u64 pages_region(u64 table, u64 address)
{
	bool five = direct_levels == 5;
	u32 shift = five ? 48 : 39;
	u64 entry;

	if (!direct_base || address >> (five ? 56 : 47))
		return 0;
	address &= ~(u64)(DIRECT_REGION - 1);
	/* One copy of the code for all levels. */
#pragma clang loop unroll(disable)
	for (; table && shift > 12; shift -= 9) {
		entry = next(table, address, shift);
		/* Otherwise the compiler keeps direct_base and direct_end on the BPF
		 * stack, which has no room for them. */
		barrier();
		if (shift <= 30 && seldom(entry & ENTRY_HUGE)) {
			table = leaf(entry, address, shift);
			return table ? table + PAGES_HUGE : 0;
		}
		table = down(entry);
	}
	return table;
}

/* Kernel address of the page at a user address of the region; 0: none, or not ordinary. */
static __always_inline u64 pages_in(u64 region, u64 address)
{
	u64 in = address & (DIRECT_REGION - 1) & ~(u64)(DIRECT_PAGE - 1);

	if (seldom(!region))
		return 0;
	if (seldom(region & PAGES_HUGE))
		return region - PAGES_HUGE + in;
	return leaf(next(region, address, 12), address, 12);
}

static __always_inline u64 pages_find(u64 table, u64 address)
{
	return pages_in(pages_region(table, address), address);
}

#endif
