/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The search for interpreters, made by hand in this process.  Live ones are in
 * test_tcl_proof.c.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/target/maps.h"
#include "walkers/tcl/prove/tcl_attach.h"
#include "walkers/tcl/derive/tcl_found.h"

#define STUBS	 0x7f0000001230ull
#define MAP_SIZE (3u << 20)

static u8 *memory;
static struct map map;
static struct maps maps = { .map = &map, .n = 1, .capacity = 1 };
static const struct tcl_layout_row *row;

/* Things that an Interp at offset 0x1000 of the memory points to. */
enum { INTERP = 0x1000, HANDLE = 0x2000, ENV = 0x3000, NS = 0x4000 };

static void put(u64 at, u64 value)
{
	memcpy(memory + at, &value, sizeof(value));
}

static u64 address(u64 at)
{
	return (u64)(uintptr_t)memory + at;
}

/* An interpreter that satisfies everything, its parts at base on. */
static void make_interp(u64 base)
{
	const struct tcl_layout *l = &row->layout;
	u64 interp = base + INTERP;

	put(interp + l->interp_stub_table, STUBS);
	put(interp + row->interp_handle, address(base + HANDLE));
	put(interp + l->interp_exec_env, address(base + ENV));
	put(interp + l->interp_global_ns, address(base + NS));
	put(base + HANDLE, address(interp));
	put(base + ENV + l->exec_env_interp, address(interp));
	put(base + NS + row->ns_interp, address(interp));
}

static int setup(void **state)
{
	(void)state;
	row = tcl_layouts_find(0x080613);
	memory = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	map = (struct map){ .start = address(0),
			    .end = address(MAP_SIZE),
			    .readable = true,
			    .writable = true,
			    .path = (char *)"" };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return munmap(memory, MAP_SIZE);
}

static int attach_self(u64 budget)
{
	const struct tcl_found found = { .stubs.table = STUBS, .row = row };
	const struct tcl_attach a = {
		.found = &found,
		.pid = getpid(),
		.budget = budget,
	};
	struct buf why = { 0 };
	int got = tcl_attach(&a, &maps, NULL, &why);

	assert_int_equal(why.len != 0, got < 0);
	buf_release(&why);
	return got;
}

static void test_proven(void **state)
{
	(void)state;
	make_interp(0);
	assert_int_equal(attach_self(0), 1);
	map.path = (char *)"[heap]";
	assert_int_equal(attach_self(0), 1);
}

static void test_far_away(void **state)
{
	(void)state;
	make_interp(MAP_SIZE - 0x8000);
	assert_int_equal(attach_self(0), 1);
}

static void test_all(void **state)
{
	const struct tcl_found found = { .stubs.table = STUBS, .row = row };
	const struct tcl_attach a = { .found = &found, .pid = getpid() };
	const struct tcl_attach short_ = {
		.found = &found,
		.pid = getpid(),
		.budget = 2u << 20,
	};
	struct buf why = { 0 };
	struct tcl_interps all;

	(void)state;
	make_interp(0);
	make_interp(0x10000);
	make_interp(MAP_SIZE - 0x8000);
	put(0x10000 + INTERP + row->interp_thread, 0x7f1234);
	put(8, STUBS);
	assert_int_equal(tcl_attach(&a, &maps, &all, &why), 1);
	assert_int_equal(all.n, 3);
	assert_int_equal(all.interp[0].address, address(INTERP));
	assert_int_equal(all.interp[1].address, address(0x10000 + INTERP));
	assert_int_equal(all.interp[1].thread, 0x7f1234);
	assert_int_equal(all.interp[2].thread, 0);
	assert_false(all.short_);
	free(all.interp);
	assert_int_equal(tcl_attach(&short_, &maps, &all, &why), 1);
	assert_int_equal(all.n, 2);
	assert_true(all.short_);
	free(all.interp);
	buf_release(&why);
}

static void test_none(void **state)
{
	(void)state;
	assert_int_equal(attach_self(0), 0);
	put(8, STUBS); /* an extension's copy of the pointer */
	put(0x100008, STUBS);
	assert_int_equal(attach_self(0), 0);
}

static void test_other_maps(void **state)
{
	static const struct map others[] = {
		{ .readable = true, .path = (char *)"" },
		{ .writable = true, .path = (char *)"" },
		{ .readable = true,
		  .writable = true,
		  .ino = 5,
		  .path = (char *)"/dev/zero" },
		{ .readable = true,
		  .writable = true,
		  .path = (char *)"[stack]" },
	};

	(void)state;
	make_interp(0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		map = others[i];
		map.start = address(0);
		map.end = address(MAP_SIZE);
		assert_int_equal(attach_self(0), 0);
	}
}

/* It has its handle, so it is an interpreter; but nothing else is in place. */
static void test_other_layout(void **state)
{
	const struct tcl_layout *l = &row->layout;

	(void)state;
	make_interp(0);
	put(ENV + l->exec_env_interp, 0);
	assert_int_equal(attach_self(0), -ENOTSUP);
	make_interp(0);
	put(NS + row->ns_interp, address(INTERP) + 8);
	assert_int_equal(attach_self(0), -ENOTSUP);
	make_interp(0);
	put(INTERP + l->interp_exec_env, 0);
	assert_int_equal(attach_self(0), -ENOTSUP);
	put(INTERP + l->interp_exec_env, 16);
	assert_int_equal(attach_self(0), -ENOTSUP);
	/* A good one beside it counts more: this one is being deleted. */
	make_interp(0x100000);
	assert_int_equal(attach_self(0), 1);
}

static void test_freed(void **state)
{
	(void)state;
	make_interp(0);
	put(HANDLE, 0);
	put(ENV + row->layout.exec_env_interp, 0);
	assert_int_equal(attach_self(0), 0);
}

static void test_budget(void **state)
{
	(void)state;
	assert_int_equal(attach_self(1 << 20), 2);
	assert_int_equal(attach_self(MAP_SIZE), 0);
	make_interp(2 << 20);
	put((2 << 20) + ENV + row->layout.exec_env_interp, 0);
	/* Not reached: accepted, but that is no proof for others. */
	assert_int_equal(attach_self(1 << 20), 2);
	assert_int_equal(attach_self(MAP_SIZE), -ENOTSUP);
}

static void test_gone(void **state)
{
	const struct tcl_found found = { .stubs.table = STUBS, .row = row };
	const struct tcl_attach a = { .found = &found, .pid = 1 << 30 };
	struct buf why = { 0 };

	(void)state;
	assert_int_equal(tcl_attach(&a, &maps, NULL, &why), -ESRCH);
	buf_release(&why);
}

int main(void)
{
#define HAND(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		HAND(test_proven),	 HAND(test_far_away),
		HAND(test_none),	 HAND(test_other_maps),
		HAND(test_other_layout), HAND(test_freed),
		HAND(test_budget),	 HAND(test_gone),
		HAND(test_all),
	};
#undef HAND

	return cmocka_run_group_tests(tests, NULL, NULL);
}
