/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From a user address to the page, through page tables made by hand: each kind of
 * entry at each level.
 */
#include "host.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

#include "bpf/walk.bpf.h"

#define PAGE	   4096ull
#define PLAIN	   HOST_PAGE_PLAIN
#define HUGE	   (HOST_PAGE_PLAIN | HOST_PAGE_HUGE)
#define ENCRYPTED4 (1ull << 47)
#define ENCRYPTED5 (1ull << 51)
/* Every level has an index of its own; in a page of 2 MiB and of 1 GiB it is not
 * the first of 4 KiB. */
#define SOMEWHERE  0x00005a3c8f4d7000ull
#define SOMEWHERE5 0x00b75a3c8f4d7000ull
#define IN_2MIB	   (SOMEWHERE & 0x1ff000)
#define IN_1GIB	   (SOMEWHERE & 0x3ffff000)
#define NONE	   0ull

/* Memory of five levels begins far below: its addresses have more bits. */
#define BASE4 HOST_PAGE_BASE
#define BASE5 (HOST_PAGE_BASE - (6ull << 48))

static struct direct_pages pages;

static void map_fixed(u64 address, size_t size)
{
	void *at = (void *)address;

	assert_ptr_equal(mmap(at, size, PROT_READ,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			      -1, 0),
			 at);
}

static void begin(u32 levels, u64 base, u64 flags)
{
	host_page_begin(levels, base, flags);
	memset(&pages, 0, sizeof(pages));
	direct_begin(&pages, (u64)host_task_current.mm->pgd);
}

/* A test that fails leaves the table behind. */
static int end(void **state)
{
	(void)state;
	if (direct_levels)
		host_page_end();
	return 0;
}

/* An entry at some level, and what the page at the address is by it. */
struct lookup {
	const char *what;
	u64 address;
	u32 shift; /* the entry's level */
	u64 entry;
	u64 want; /* "physical" */
};

static void check_lookup(u64 base, const struct lookup *l)
{
	u32 slot = l->address / PAGE & (DIRECT_PAGES - 1);
	u64 before = pages.entry[slot].tag, page = l->want ? base + l->want : 0;

	*host_page_entry(l->address, l->shift) = l->entry;
	if (page)
		map_fixed(page, PAGE);
	if (direct_fill(&pages, l->address + 8) != !!page)
		fail_msg("%s", l->what);
	if (page && pages.entry[slot].page != page)
		fail_msg("%s: %#llx", l->what, pages.entry[slot].page);
	assert_int_equal(pages.entry[slot].tag,
			 page ? l->address / PAGE ^ pages.round : before);
	if (page)
		munmap((void *)page, PAGE);
}

static void check_lookups(u32 levels, u64 flags, const struct lookup *l,
			  size_t n)
{
	const u64 base = levels == 4 ? BASE4 : BASE5;

	for (; n--; l++) {
		begin(levels, base, flags);
		check_lookup(base, l);
		host_page_end();
	}
}

#define CHECK(levels, flags, table) \
	check_lookups(levels, flags, table, sizeof(table) / sizeof(*(table)))

static const struct lookup leaves[] = {
	{ "4 KiB", SOMEWHERE, 12, 0x123456789000 | PLAIN, 0x123456789000 },
	{ "2 MiB", SOMEWHERE, 21, 0x123456600000 | HUGE,
	  0x123456600000 + IN_2MIB },
	{ "1 GiB", SOMEWHERE, 30, 0x123440000000 | HUGE,
	  0x123440000000 + IN_1GIB },
	{ "4 KiB, far up", SOMEWHERE, 12, 0x3fffffff8000 | PLAIN,
	  0x3fffffff8000 },
	{ "4 KiB, flags that say nothing", SOMEWHERE, 12,
	  0x123456789000 | PLAIN | HOST_PAGE_WRITE | HOST_PAGE_ACCESSED |
		  HOST_PAGE_DIRTY | HOST_PAGE_GLOBAL | HOST_PAGE_NO_EXECUTE |
		  3ull << 10 | 0x7full << 52,
	  0x123456789000 },
	/* Bit 7 is PAT here, and bit 12 is where a huge page has it. */
	{ "4 KiB, bit 7", SOMEWHERE, 12, 0x123456789000 | HUGE,
	  0x123456789000 },
	{ "2 MiB, bit 12", SOMEWHERE, 21, 0x123456601000 | HUGE,
	  0x123456600000 + IN_2MIB },
	{ "first page of all", 0, 12, 0x123456789000 | PLAIN, 0x123456789000 },
	{ "last page of all", (1ull << 47) - PAGE, 12, 0x123456789000 | PLAIN,
	  0x123456789000 },
};

static const struct lookup absent[] = {
	{ "4 KiB", SOMEWHERE, 12, 0, NONE },
	{ "2 MiB", SOMEWHERE, 21, 0, NONE },
	{ "1 GiB", SOMEWHERE, 30, 0, NONE },
	{ "512 GiB", SOMEWHERE, 39, 0, NONE },
	/* Swapped out, or being moved: the rest of the entry means nothing. */
	{ "4 KiB, swap", SOMEWHERE, 12, 0x123456789000 | HOST_PAGE_USER, NONE },
	{ "2 MiB, being split", SOMEWHERE, 21, 0x123456600000 | (HUGE & ~1ull),
	  NONE },
	{ "1 GiB, not present", SOMEWHERE, 30, 0x123440000000 | (HUGE & ~1ull),
	  NONE },
	/* PROT_NONE: bit 8 instead of bit 0. */
	{ "4 KiB, PROT_NONE", SOMEWHERE, 12,
	  0x123456789000 | HOST_PAGE_USER | HOST_PAGE_GLOBAL, NONE },
	{ "2 MiB, PROT_NONE", SOMEWHERE, 21,
	  0x123456600000 | (HUGE & ~1ull) | HOST_PAGE_GLOBAL, NONE },
};

#define NOT_ORDINARY(name, bits)                                            \
	{ "4 KiB, " name, SOMEWHERE, 12, (0x123456789000 | PLAIN) ^ (bits), \
	  NONE },                                                           \
		{ "2 MiB, " name, SOMEWHERE, 21,                            \
		  (0x123456600000 | HUGE) ^ (bits), NONE },                 \
	{                                                                   \
		"1 GiB, " name, SOMEWHERE, 30,                              \
			(0x123440000000 | HUGE) ^ (bits), NONE              \
	}

static const struct lookup not_ordinary[] = {
	NOT_ORDINARY("the kernel's", HOST_PAGE_USER),
	NOT_ORDINARY("special", HOST_PAGE_SPECIAL),
	NOT_ORDINARY("write-through", HOST_PAGE_WRITE_THROUGH),
	NOT_ORDINARY("not cached", HOST_PAGE_CACHE_OFF),
	NOT_ORDINARY("both", HOST_PAGE_WRITE_THROUGH | HOST_PAGE_CACHE_OFF),
};

/* Nine bits each have an entry; those above must not be lost. */
static const struct lookup not_canonical[] = {
	{ "2^47", 1ull << 47, 12, 0x1000 | PLAIN, NONE },
	{ "bit 47", SOMEWHERE | 1ull << 47, 12, 0x1000 | PLAIN, NONE },
	{ "bit 48", SOMEWHERE | 1ull << 48, 12, 0x1000 | PLAIN, NONE },
	{ "a tag in bit 57", SOMEWHERE | 1ull << 57, 12, 0x1000 | PLAIN, NONE },
	{ "the kernel's", SOMEWHERE | 0xffffull << 47, 12, 0x1000 | PLAIN,
	  NONE },
	{ "the last", ~0xfffull, 12, 0x1000 | PLAIN, NONE },
};

static const struct lookup five_levels[] = {
	{ "4 KiB", SOMEWHERE5, 12, 0x6123456789000 | PLAIN, 0x6123456789000 },
	{ "2 MiB", SOMEWHERE5, 21, 0x6123456600000 | HUGE,
	  0x6123456600000 + IN_2MIB },
	{ "1 GiB", SOMEWHERE5, 30, 0x6123440000000 | HUGE,
	  0x6123440000000 + IN_1GIB },
	{ "below 2^47", SOMEWHERE, 12, 0x6000000200000 | PLAIN,
	  0x6000000200000 },
	{ "above 2^47", 1ull << 47, 12, 0x6000000200000 | PLAIN,
	  0x6000000200000 },
	{ "last page of all", (1ull << 56) - PAGE, 12, 0x6000000200000 | PLAIN,
	  0x6000000200000 },
	{ "absent at the top", SOMEWHERE5, 48, 0, NONE },
	{ "absent at the next", SOMEWHERE5, 39, 0, NONE },
	{ "absent in the middle", SOMEWHERE5, 30, 0, NONE },
	{ "special", SOMEWHERE5, 12,
	  0x6000000200000 | PLAIN | HOST_PAGE_SPECIAL, NONE },
	{ "2^56", 1ull << 56, 12, 0x6000000200000 | PLAIN, NONE },
	{ "bit 57", SOMEWHERE | 1ull << 57, 12, 0x6000000200000 | PLAIN, NONE },
	{ "the last", ~0xfffull, 12, 0x6000000200000 | PLAIN, NONE },
};

static const struct lookup encrypted4[] = {
	{ "4 KiB", SOMEWHERE, 12, 0x123456789000 | PLAIN | ENCRYPTED4,
	  0x123456789000 },
	{ "2 MiB", SOMEWHERE, 21, 0x123456600000 | HUGE | ENCRYPTED4,
	  0x123456600000 + IN_2MIB },
	{ "1 GiB, bit 51", SOMEWHERE, 30, 0x123440000000 | HUGE | ENCRYPTED5,
	  0x123440000000 + IN_1GIB },
};

static const struct lookup encrypted5[] = {
	{ "4 KiB", SOMEWHERE5, 12, 0x6123456789000 | PLAIN | ENCRYPTED5,
	  0x6123456789000 },
	{ "2 MiB", SOMEWHERE5, 21, 0x6123456600000 | HUGE | ENCRYPTED5,
	  0x6123456600000 + IN_2MIB },
};

static void test_lookups(void **state)
{
	(void)state;
	CHECK(4, 0, leaves);
	CHECK(4, 0, absent);
	CHECK(4, 0, not_ordinary);
	CHECK(4, 0, not_canonical);
}

static void test_lookups_five_levels(void **state)
{
	(void)state;
	CHECK(5, 0, five_levels);
	CHECK(5, 0, not_ordinary);
}

static void test_lookups_encrypted(void **state)
{
	(void)state;
	CHECK(4, ENCRYPTED4, encrypted4);
	CHECK(4, ENCRYPTED5, encrypted4);
	CHECK(5, ENCRYPTED5, encrypted5);
	CHECK(5, HOST_PAGE_NO_EXECUTE, five_levels);
}

/* A table that is there, behind an entry that is not, at each level. */
static void test_absent_tables(void **state)
{
	(void)state;
	for (u32 levels = 4; levels <= 5; levels++)
		for (u32 shift = 12; shift <= levels * 9 + 3; shift += 9) {
			begin(levels, HOST_PAGE_BASE, 0);
			*host_page_entry(SOMEWHERE, 12) = 0x5000 | PLAIN;
			assert_int_equal(direct_fill(&pages, SOMEWHERE), 1);
			*host_page_entry(SOMEWHERE, shift) &= ~1ull;
			/* In the next sample, that is. */
			direct_begin(&pages, (u64)host_task_current.mm->pgd);
			assert_int_equal(direct_fill(&pages, SOMEWHERE), 0);
			host_page_end();
		}
}

static int start(void **state)
{
	(void)state;
	map_fixed(HOST_PAGE_BASE + 0x5000, PAGE);
	return 0;
}

/* Words in two pages, as many as there is room for; others are not this reader's. */
static void test_across(void **state)
{
	u64 *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const u32 n = DIRECT_ACROSS, words = PAGE / sizeof(u64);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	for (u32 i = 0; i < 2 * words; i++)
		page[i] = i * 0x9e3779b97f4a7c15;
	begin(4, BASE4, 0);
	host_page_fill(0, 0);
	for (u32 in_first = 0; in_first <= n; in_first++) {
		const u64 *at = page + words - in_first;

		memset(pages.across, 0xaa, sizeof(pages.across));
		assert_int_equal(direct_across(&pages, (u64)at, n), 0);
		assert_memory_equal(pages.across, at, n * sizeof(u64));
	}
	assert_int_equal(direct_across(&pages, (u64)page, n + 1), -1);
	assert_int_equal(direct_across(&pages, (u64)page + 4, 2), -1);
	*host_page_entry((u64)(page + words), 12) = 0;
	direct_begin(&pages, pages.table);
	assert_int_equal(direct_across(&pages, (u64)(page + words - 1), 2), -1);
	munmap(page, 2 * PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_lookups, end),
		cmocka_unit_test_teardown(test_lookups_five_levels, end),
		cmocka_unit_test_teardown(test_lookups_encrypted, end),
		cmocka_unit_test_teardown(test_absent_tables, end),
		cmocka_unit_test_teardown(test_across, end),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
