/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A page table of the test's own process, for reads through the "direct map".
 *
 * The direct map is the process's memory as it is: the "physical" address of a
 * byte is its address less a base.  An entry has room for 46 bits, so with the
 * usual base what lies below it is not in the table and goes to the helper, as
 * does what may be mapped but is no memory.  The tables themselves lie at a fixed
 * address, so that a search for the base takes the same way every time.
 */
#include "host.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/direct.bpf.h"

#define PAGE	   4096ull
#define HUGE	   (2ull << 20)
#define POOL_PAGES 16384u
#define POOL	   ((u8 *)HOST_PAGE_TABLES)
#define ADDRESS	   0x0007fffffffff000ull
/* With four levels, whether memory is encrypted. */
#define ENCRYPTED   (1ull << 47)
#define ADDRESS_END (1ull << 46) /* of physical addresses */
/* Sanitizers reserve terabytes. */
#define LARGEST	    (1ull << 30)
#define TABLE_FLAGS (HOST_PAGE_PRESENT | HOST_PAGE_WRITE | HOST_PAGE_USER)

/* That of the task, with other tables: another would be another program's.  mm is
 * for a task that has none. */
static struct mm_struct mm, *memory, *memory_before;
static unsigned long *pgd_before;
static u64 base, table_flags;
static u32 levels, pages; /* levels: 0: not begun */

static void make_pool(void)
{
	static bool is_made;

	if (!is_made && mmap(POOL, POOL_PAGES * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				     MAP_FIXED_NOREPLACE,
			     -1, 0) != POOL)
		err(1, "no place for page tables");
	is_made = true;
}

void *host_page_new(void)
{
	if (pages >= POOL_PAGES)
		errx(1, "more page tables than expected");
	return POOL + pages++ * PAGE;
}

void host_page_begin(u32 of_levels, u64 at_base, u64 flags)
{
	if (levels)
		errx(1, "a page table is in use");
	make_pool();
	levels = of_levels;
	base = at_base;
	table_flags = flags;
	memory_before = host_task_current.mm;
	memory = memory_before ? memory_before : &mm;
	pgd_before = memory->pgd;
	memory->pgd = host_page_new();
	host_task_current.mm = memory;
	direct_levels = levels;
	direct_address = levels == 5 ? ADDRESS : ADDRESS & ~ENCRYPTED;
	direct_base = base;
	direct_end = levels == 5 ? 1ull << 51 : ADDRESS_END;
}

void host_page_end(void)
{
	memset(POOL, 0, pages * PAGE);
	pages = 0;
	levels = 0;
	memory->pgd = pgd_before;
	host_task_current.mm = memory_before;
	direct_levels = 0;
	direct_address = 0;
	direct_base = 0;
	direct_end = 0;
}

u64 host_page_physical(const void *p)
{
	return (u64)p - base;
}

u64 *host_page_entry(u64 address, u32 shift)
{
	u64 *table = (u64 *)memory->pgd, *e;

	for (u32 at = levels == 5 ? 48 : 39;; at -= 9) {
		e = &table[address >> at & 511];
		if (at == shift)
			return e;
		if (!*e)
			*e = host_page_physical(host_page_new()) | TABLE_FLAGS |
			     table_flags;
		if (!(*e & HOST_PAGE_PRESENT) || (*e & HOST_PAGE_HUGE))
			errx(1, "an entry is there that leads to no table");
		table = (u64 *)(base + (*e & ADDRESS & ~table_flags));
	}
}

static bool is_left_out(u64 address, u32 one_in, u64 seed)
{
	u64 state = seed ^ address;

	return one_in && host_random(&state) % one_in == 0;
}

static void fill(u64 start, u64 end, u32 absent_one_in, u64 seed)
{
	u64 size;

	for (u64 at = start; at < end; at += size) {
		bool huge =
			!absent_one_in && at % HUGE == 0 && end - at >= HUGE;

		size = huge ? HUGE : PAGE;
		if (is_left_out(at, absent_one_in, seed))
			continue;
		*host_page_entry(at, huge ? 21 : 12) =
			(at - base) | HOST_PAGE_PLAIN |
			(huge ? HOST_PAGE_HUGE : 0);
	}
}

/* A line of the maps file: is it memory that others than this process can read? */
static bool is_memory(const char *line, u64 *start, u64 *end)
{
	char readable;

	if (sscanf(line, "%llx-%llx %c", start, end, &readable) != 3)
		errx(1, "unexpected line in /proc/self/maps");
	return readable == 'r' && !strstr(line, "[v") &&
	       *start != HOST_PAGE_TABLES && *start >= base &&
	       *end - base <= ADDRESS_END && *end - *start <= LARGEST;
}

void host_page_fill(u32 absent_one_in, u64 seed)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t size = 0;
	u64 start, end;

	if (!f)
		err(1, "/proc/self/maps");
	while (getline(&line, &size, f) > 0)
		if (is_memory(line, &start, &end))
			fill(start, end, absent_one_in, seed);
	free(line);
	fclose(f);
}
