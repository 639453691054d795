/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A packed table must answer as the rows it was made from, at every boundary
 * and on both sides of it.
 */
#include "user/unwind/table.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cfi_find.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"

#define MIB ((size_t)1 << 20)

static void check_address(struct arena *a, const struct unwind_file *f,
			  const struct cfi_table *t, u64 vaddr)
{
	const struct unwind_rule *want = cfi_find(t, vaddr);
	const struct unwind_rule *got = table_find(a, f, vaddr);

	if (memcmp(want, got, sizeof(*want)))
		fail_msg("rules differ at %#llx", (unsigned long long)vaddr);
}

static void check_agreement(struct arena *a, const struct unwind_file *f,
			    const struct cfi_table *t)
{
	for (size_t i = 0; i < t->rows; i++) {
		u64 vaddr = t->row[i].vaddr;

		if (vaddr)
			check_address(a, f, t, vaddr - 1);
		check_address(a, f, t, vaddr);
		check_address(a, f, t, vaddr + 1);
	}
	check_address(a, f, t, 0);
	check_address(a, f, t, UINT32_MAX);
	check_address(a, f, t, (u64)UINT32_MAX + 1);
	check_address(a, f, t, UINT64_MAX);
}

/* Unused rows repeat the last used one; bases rise. */
static void check_form(struct arena *a, const struct unwind_file *f)
{
	for (u32 i = 0; i < f->chunks; i++) {
		const struct unwind_chunk *c = arena_chunk(a, f->first + i);
		const struct unwind_chunk *next;

		assert_int_equal(c->row[0].delta, 0);
		for (u32 k = 1; k < UNWIND_CHUNK_ROWS; k++) {
			assert_true(c->row[k].delta >= c->row[k - 1].delta);
			if (c->row[k].delta == c->row[k - 1].delta)
				assert_int_equal(c->row[k].rule,
						 c->row[k - 1].rule);
		}
		if (i + 1 == f->chunks)
			break;
		next = arena_chunk(a, f->first + i + 1);
		assert_true(next->base >
			    c->base + c->row[UNWIND_CHUNK_ROWS - 1].delta);
	}
}

/* Rules that tell themselves apart. */
static struct cfi_table make_table(const u32 *vaddr, size_t rows, size_t rules)
{
	struct cfi_table t = { .rows = rows, .rules = rules };

	t.row = xcalloc(rows, sizeof(*t.row));
	t.rule = xcalloc(rules, sizeof(*t.rule));
	for (size_t i = 0; i < rules; i++)
		t.rule[i].cfa_off = (s32)i;
	for (size_t i = 0; i < rows; i++)
		t.row[i] = (struct cfi_row){ vaddr[i], i % rules };
	return t;
}

static void check_made(const u32 *vaddr, size_t rows, size_t rules, u32 chunks)
{
	struct cfi_table t = make_table(vaddr, rows, rules);
	struct arena *a = arena_new(-1, 4 * MIB);
	struct unwind_file f;

	assert_int_equal(table_store(a, &t, &f), 0);
	assert_int_equal(f.chunks, chunks);
	assert_int_equal(f.rules, rules);
	assert_int_equal(table_chunks(&t), chunks + (rules + 1) / 2);
	check_form(a, &f);
	check_agreement(a, &f, &t);
	cfi_release(&t);
	arena_free(a);
}

static void test_shapes(void **state)
{
	static const u32 one[] = { 0 };
	static const u32 far[] = {
		0,	65535,	    65536,	    131071,
		131072, 4000000000, UINT32_MAX - 1, UINT32_MAX
	};
	u32 dense[200];

	(void)state;
	check_made(one, 1, 1, 1);
	/* 0..65535 | 65536..131071 | 131072 | 4000000000 | the last two */
	check_made(far, 8, 3, 5);
	for (u32 i = 0; i < 200; i++)
		dense[i] = i;
	for (u32 n = 1; n <= 200; n++)
		check_made(dense, n, 7, (n + 14) / 15);
}

/* Two tables in one arena, across the border of a segment. */
static void test_neighbours(void **state)
{
	struct arena *a = arena_new(-1, 4 * MIB);
	struct cfi_table low, high;
	struct unwind_file f, g;
	u32 vaddr[3000], first;

	(void)state;
	for (u32 i = 0; i < 3000; i++)
		vaddr[i] = i * 40;
	low = make_table(vaddr, 1500, 11);
	high = make_table(vaddr, 3000, 500);
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS - 250, &first), 0);
	assert_int_equal(table_store(a, &low, &f), 0);
	assert_int_equal(table_store(a, &high, &g), 0);
	assert_true(g.rules_first >= ARENA_SEGMENT_CHUNKS);
	assert_true(g.first < ARENA_SEGMENT_CHUNKS);
	check_agreement(a, &f, &low);
	check_agreement(a, &g, &high);
	table_drop(a, &f);
	check_agreement(a, &g, &high);
	cfi_release(&low);
	cfi_release(&high);
	arena_free(a);
}

static void test_no_space(void **state)
{
	static const u32 vaddr[] = { 0, 100 };
	struct cfi_table t = make_table(vaddr, 2, 2);
	struct arena *a = arena_new(-1, MIB);
	struct unwind_file f = { 0 }, none = { 0 };
	u32 first;

	(void)state;
	assert_int_equal(arena_alloc(a, ARENA_SEGMENT_CHUNKS - 1, &first), 0);
	assert_int_equal(table_store(a, &t, &f), -ENOSPC);
	assert_memory_equal(&f, &none, sizeof(f));
	table_drop(a, &none);
	cfi_release(&t);
	arena_free(a);
}

static void check_library(const char *name, const char *function)
{
	struct arena *a = arena_new(-1, 64 * MIB);
	void *handle = dlopen(name, RTLD_LAZY);
	void *address = handle ? dlsym(handle, function) : NULL;
	struct unwind_file f;
	struct cfi_table t;
	struct module m;
	Dl_info info;

	if (!address) {
		print_message("%s is not here\n", name);
		arena_free(a);
		return;
	}
	assert_true(dladdr(address, &info));
	assert_int_equal(
		module_open(&m, open(info.dli_fname, O_RDONLY), info.dli_fname),
		0);
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	assert_int_equal(table_store(a, &t, &f), 0);
	assert_int_equal(table_chunks(&t), f.chunks + (f.rules + 1) / 2);
	/* About 4.3 bytes a row, as unwind.h says. */
	assert_true((size_t)f.chunks * ARENA_CHUNK < t.rows * 45 / 10);
	check_form(a, &f);
	check_agreement(a, &f, &t);
	cfi_release(&t);
	module_close(&m);
	arena_free(a);
}

static void test_libraries(void **state)
{
	(void)state;
	check_library("libc.so.6", "printf");
	check_library("libtcl8.6.so", "Tcl_Eval");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_no_space),
		cmocka_unit_test(test_libraries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
