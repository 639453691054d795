/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads through the direct map: the pages of a sample, the search for where the map
 * begins, and the read with its fallback.
 */
#include "host.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/walk.bpf.h"

#include "user/lib/mem.h"

#define PAGE	   4096ull
#define GIB	   (1ull << 30)
#define PLAIN	   HOST_PAGE_PLAIN
#define ENCRYPTED4 (1ull << 47)
#define ENCRYPTED5 (1ull << 51)
/* Every level has an index of its own. */
#define SOMEWHERE 0x00005a3c8f4d7000ull
#define FIRST_MIB (1u << 20) /* of HOST_PAGE_BASE: is there */

int direct_find(u64 *args);

static struct direct_pages pages;

static void map_fixed(u64 address, size_t size)
{
	void *at = (void *)address;

	assert_ptr_equal(mmap(at, size, PROT_READ,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			      -1, 0),
			 at);
}

static int start(void **state)
{
	(void)state;
	map_fixed(HOST_PAGE_BASE, FIRST_MIB);
	return 0;
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

/* ---- the pages of a sample -------------------------------------------------- */

static void map_page(u64 address, u64 physical)
{
	*host_page_entry(address, 12) = physical | PLAIN;
}

static void test_page_ends(void **state)
{
	static const u32 size[] = { 1, 8, 16, 64, 8 * DIRECT_WORDS, 4096 };
	const u64 page = HOST_PAGE_BASE + 0x5000;

	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	map_page(SOMEWHERE, 0x5000);
	map_page(SOMEWHERE + PAGE, 0x6000);
	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
		u64 last = PAGE - size[i];

		assert_int_equal(direct_at(&pages, SOMEWHERE, size[i]), page);
		assert_int_equal(direct_at(&pages, SOMEWHERE + last, size[i]),
				 page + last);
		if (size[i] == 1)
			continue;
		assert_int_equal(
			direct_at(&pages, SOMEWHERE + last + 1, size[i]), 0);
		assert_int_equal(
			direct_at(&pages, SOMEWHERE + PAGE - 1, size[i]), 0);
	}
	assert_int_equal(direct_at(&pages, SOMEWHERE + 0x123, 8), page + 0x123);
}

/* Two pages of one slot, and one that is not there. */
static void test_slots(void **state)
{
	const u64 other = SOMEWHERE + DIRECT_PAGES * PAGE;
	const u64 after = other + DIRECT_PAGES * PAGE;

	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	map_page(SOMEWHERE, 0x5000);
	map_page(other, 0x6000);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(direct_at(&pages, SOMEWHERE + 8, 8),
				 HOST_PAGE_BASE + 0x5008);
		assert_int_equal(direct_at(&pages, after + 8, 8), 0);
		assert_int_equal(direct_at(&pages, other + 16, 8),
				 HOST_PAGE_BASE + 0x6010);
		assert_int_equal(direct_at(&pages, after + 8, 8), 0);
	}
	for (u64 i = 0; i < DIRECT_PAGES + 20; i++)
		map_page(SOMEWHERE + i * PAGE, (100 + i) * PAGE);
	direct_begin(&pages, pages.table);
	for (u64 i = 0; i < DIRECT_PAGES + 20; i++)
		assert_int_equal(
			direct_at(&pages, SOMEWHERE + i * PAGE + i * 8, 8),
			HOST_PAGE_BASE + (100 + i) * PAGE + i * 8);
}

/* A remembered page costs no read; nothing is remembered into the next sample. */
static void test_begin(void **state)
{
	u64 reads;

	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	map_page(SOMEWHERE, 0x5000);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8),
			 HOST_PAGE_BASE + 0x5000);
	map_page(SOMEWHERE, 0x6000);
	reads = host_kernel_reads;
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8),
			 HOST_PAGE_BASE + 0x5000);
	assert_int_equal(host_kernel_reads, reads);
	direct_begin(&pages, pages.table);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8),
			 HOST_PAGE_BASE + 0x6000);
	assert_true(host_kernel_reads >= reads + 4);
	/* Another process. */
	direct_begin(&pages, (u64)host_page_new());
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
}

/* What reads of NULL and a field come to; page 0 is nobody's at the beginning. */
/* The number of a sample comes round; what it had is not taken then. */
static void test_rounds(void **state)
{
	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	map_page(SOMEWHERE, 0x5000);
	assert_int_not_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	*host_page_entry(SOMEWHERE, 12) = 0;
	for (u32 i = 0; i < 3 * 4096; i++) {
		direct_begin(&pages, (u64)host_task_current.mm->pgd);
		assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	}
	host_page_end();
}

static void test_first_page(void **state)
{
	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	assert_int_equal(direct_at(&pages, 8, 8), 0);
	/* Its slot was another page's in the sample before. */
	map_page(SOMEWHERE & ~(DIRECT_PAGES * PAGE - 1), 0x5000);
	assert_int_not_equal(
		direct_at(&pages, SOMEWHERE & ~(DIRECT_PAGES * PAGE - 1), 8),
		0);
	assert_int_equal(direct_at(&pages, 8, 8), 0);
	direct_begin(&pages, pages.table);
	for (u64 at = 0; at <= PAGE - 8; at += 8)
		assert_int_equal(direct_at(&pages, at, 8), 0);
	host_page_end();
	/* And with no direct map at all. */
	direct_begin(&pages, 0);
	assert_int_equal(direct_at(&pages, 8, 8), 0);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	assert_int_equal(direct_fill(NULL, SOMEWHERE), 0);
}

/* A page that only its owner can reach: the kernel has taken it out of the direct
 * map (memfd_secret(2)), and no more is said of that in the entry. */
static void test_secret_page(void **state)
{
	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	map_page(SOMEWHERE, FIRST_MIB + 0x5000);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	map_page(SOMEWHERE, 0x5000);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8),
			 HOST_PAGE_BASE + 0x5000);
}

/* ---- the search ------------------------------------------------------------- */

/* Run the search in a table whose memory begins so many GiB below it; the words
 * are at a page of base, or somewhere beside it. */
static u64 find(u32 levels, u64 flags, u64 gib, u32 wrong_word)
{
	const u64 base = (HOST_PAGE_TABLES & ~(GIB - 1)) - gib * GIB;
	u64 args[4] = { SOMEWHERE + 0x128, 0x1234567890abcdef,
			0xfedcba0987654321, 1ull << 46 };
	u64 *page, found;

	begin(levels, base, flags);
	page = host_page_new();
	page[0x128 / 8] = args[1];
	page[0x130 / 8] = args[2];
	if (wrong_word)
		args[wrong_word] ^= 1ull << 40;
	map_page(SOMEWHERE, host_page_physical(page));
	direct_base = 0;
	direct_levels = 0;
	direct_end = 0;
	found = direct_find(args) ? direct_base : 0;
	if (found) {
		assert_int_equal(direct_levels, levels);
		assert_int_equal(direct_at(&pages, SOMEWHERE + 0x130, 8),
				 page + 0x130 / 8);
		/* Once more is a check. */
		assert_int_equal(direct_find(args), 1);
		args[2]++;
		assert_int_equal(direct_find(args), 0);
		assert_int_equal(direct_base, 0);
		direct_base = found;
	}
	assert_int_equal(direct_base, found);
	host_page_end();
	return found ? base - found + 1 : 0;
}

static void test_find(void **state)
{
	static const u32 gib[] = { 0, 1, 5, 700 };

	(void)state;
	for (size_t i = 0; i < sizeof(gib) / sizeof(*gib); i++) {
		assert_int_equal(find(4, 0, gib[i], 0), 1);
		assert_int_equal(find(5, 0, gib[i], 0), 1);
	}
	assert_int_equal(find(4, ENCRYPTED4, 5, 0), 1);
	assert_int_equal(find(5, ENCRYPTED5, 5, 0), 1);
	/* The last that is tried. */
	assert_int_equal(find(4, 0, 65535, 0), 1);
}

static void test_find_nothing(void **state)
{
	u64 args[4] = { 0 };

	(void)state;
	assert_int_equal(find(4, 0, 5, 1), 0);
	assert_int_equal(find(5, 0, 5, 2), 0);
	/* No memory of a user's: a kernel thread. */
	begin(4, HOST_PAGE_BASE, 0);
	direct_base = 0;
	host_task_current.mm = NULL;
	assert_int_equal(direct_find(args), 0);
	assert_int_equal(direct_base, 0);
}

/* What lies beyond the end of RAM, or has bits that nobody knows, is not followed. */
static void test_end(void **state)
{
	u64 *page, at;

	(void)state;
	begin(4, HOST_PAGE_BASE, 0);
	/* The tables first, so that they lie below. */
	map_page(SOMEWHERE, 0);
	page = host_page_new();
	at = host_page_physical(page);
	map_page(SOMEWHERE, at);
	direct_end = at + 1;
	direct_begin(&pages, (u64)host_task_current.mm->pgd);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), page);
	direct_end = at;
	direct_begin(&pages, (u64)host_task_current.mm->pgd);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	direct_end = 1ull << 46;
	*host_page_entry(SOMEWHERE, 12) |= 1ull << 48;
	direct_begin(&pages, (u64)host_task_current.mm->pgd);
	assert_int_equal(direct_at(&pages, SOMEWHERE, 8), 0);
	host_page_end();
}

/* ---- words ------------------------------------------------------------------ */

static void check_words(struct walk *w, const u64 *at, bool direct)
{
	u64 out[DIRECT_WORDS], kernel = host_kernel_reads, reads = host_reads;

	direct_begin(&w->direct, (u64)host_task_current.mm->pgd);
	memset(out, 0xaa, sizeof(out));
	assert_int_equal(walk_words(w, out, DIRECT_WORDS, (u64)at), 0);
	assert_memory_equal(out, at, sizeof(out));
	memset(out, 0xaa, sizeof(out));
	assert_int_equal(walk_words(w, out, 1, (u64)at), 0);
	assert_memory_equal(out, at, 8);
	assert_int_equal(out[1], 0xaaaaaaaaaaaaaaaa);
	assert_int_equal(host_reads - reads, direct ? 0 : 2);
	if (direct)
		assert_true(host_kernel_reads >= kernel + 2);
}

static void check_error(struct walk *w, u64 at)
{
	u64 out[2] = { 1, 2 }, reads = host_reads;

	direct_begin(&w->direct, (u64)host_task_current.mm->pgd);
	assert_int_equal(walk_words(w, out, 2, at), -14);
	assert_int_equal(host_reads - reads, 1);
	assert_int_equal(out[0] | out[1], 0);
}

static void test_words(void **state)
{
	struct walk *w = xcalloc(1, sizeof(*w));
	u64 *page = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	for (u64 i = 0; i < 2 * PAGE / 8; i++)
		page[i] = i * 0x9e3779b97f4a7c15;
	assert_int_equal(mprotect(page + 2 * PAGE / 8, PAGE, PROT_NONE), 0);
	host_page_begin(4, HOST_PAGE_BASE, 0);
	host_page_fill(0, 0);
	check_words(w, page, true);
	check_words(w, page + 33, true);
	check_words(w, (u64 *)((u8 *)page + 41), true);
	/* One word still is in the first page. */
	assert_int_equal(direct_at(&w->direct, (u64)(page + 511), 16), 0);
	check_words(w, page + 512 - DIRECT_WORDS, true);
	check_words(w, page + 512, true);
	*host_page_entry((u64)page, 12) = 0;
	check_words(w, page + 33, false);
	check_error(w, (u64)(page + 2 * PAGE / 8));
	check_error(w, (u64)(page + 2 * PAGE / 8 - 1));
	check_error(w, 1ull << 47 | 8);
	free(w);
	munmap(page, 3 * PAGE);
}

/* NULL and a field: an error, as it always was. */
static void test_words_of_null(void **state)
{
	struct walk *w = xcalloc(1, sizeof(*w));

	(void)state;
	host_page_begin(4, HOST_PAGE_BASE, 0);
	host_page_fill(0, 0);
	check_error(w, 8);
	check_error(w, 4080);
	direct_begin(&w->direct, 0);
	w->direct.entry[0].page = (u64)w;
	check_error(w, 8);
	check_error(w, 0);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_page_ends, end),
		cmocka_unit_test_teardown(test_slots, end),
		cmocka_unit_test_teardown(test_begin, end),
		cmocka_unit_test_teardown(test_rounds, end),
		cmocka_unit_test_teardown(test_first_page, end),
		cmocka_unit_test_teardown(test_secret_page, end),
		cmocka_unit_test_teardown(test_find, end),
		cmocka_unit_test_teardown(test_find_nothing, end),
		cmocka_unit_test_teardown(test_end, end),
		cmocka_unit_test_teardown(test_words, end),
		cmocka_unit_test_teardown(test_words_of_null, end),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
