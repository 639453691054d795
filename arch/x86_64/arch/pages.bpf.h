/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The way through a page table: pages_find() from its top, pages_down() from any level.
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
#define ENTRY_ADDRESS_4 0x00003ffffffff000ull
#define ENTRY_ADDRESS_5 0x0007fffffffff000ull
#define ENTRY_STRANGE_4 0x0007400000000000ull /* bits that are neither */

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
	/* The zero page is memory.  Devices are not in the direct map, so reading them
	 * fails. */
	u64 mask = direct_foreign ? LEAF_MASK & ~ENTRY_SPECIAL : LEAF_MASK;

	if ((entry & mask) != LEAF_WANT || at == ~0ull)
		return 0;
	return direct_base + (at & ~in) +
	       (address & in & ~(u64)(DIRECT_PAGE - 1));
}

static __always_inline u64 down(u64 entry)
{
	u64 at = physical(entry);

	return (entry & ENTRY_PRESENT) && at != ~0ull ? direct_base + at : 0;
}

#define PAGES_LAST 12u /* shift of the tables of the last level */

/* Where the table's top level is, for a way down: the table, or 0; its shift to *shift. */
static __always_inline u64 pages_top(u64 table, u64 address, u32 *shift)
{
	bool five = direct_levels == 5;

	*shift = five ? 48 : 39;
	return direct_base && !(address >> (five ? 56 : 47)) ? table : 0;
}

/*
 * Kernel address of the page at a user address, by a table of the level of this shift; 0:
 * none, or not ordinary.  The table of the last level goes to *last, if there is one.
 */
static __always_inline u64 pages_down(u64 table, u64 address, u32 shift,
				      u64 *last)
{
	/* One copy of the code for all levels. */
#pragma clang loop unroll(disable)
	for (; table && shift >= PAGES_LAST; shift -= 9) {
		u64 entry = next(table, address, shift);

		/* What is known of the map is read each time: the stack has no room. */
		barrier();
		if (shift == PAGES_LAST)
			*last = table;
		if (shift == PAGES_LAST ||
		    (shift <= 30 && seldom(entry & ENTRY_HUGE)))
			return leaf(entry, address, shift);
		table = down(entry);
	}
	return 0;
}

static __always_inline u64 pages_find(u64 table, u64 address, u64 *last)
{
	u32 shift;

	table = pages_top(table, address, &shift);
	return pages_down(table, address, shift, last);
}

#endif
