/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where the bytecode engine keeps its pc: in the installed Tcl, and in forms of
 * machine code written down in tcl_engine.S.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/elf/module.h"
#include "arch/x86_64/code.h"
#include "walkers/tcl/derive/tcl_functions.h"
#include "walkers/tcl/derive/tcl_stubs.h"
#include "walkers/tcl/derive/tcl_track.h"
#include "walkers/tcl/derive/tcl_version.h"

#define LIBTCL "/usr/lib/x86_64-linux-gnu/libtcl8.6.so"

static const char *program;

static bool open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*m = (struct module){ 0 };
	return fd >= 0 && !module_open(m, fd, path);
}

/* Debian bookworm's, or skipped. */
static void open_libtcl(struct module *m, struct module_function *tebc)
{
	struct tcl_stubs stubs;
	struct tcl_version v;

	if (!open_module(m, LIBTCL)) {
		print_message(LIBTCL " is not installed\n");
		skip();
	}
	assert_int_equal(tcl_stubs_find(m, &stubs), 1);
	assert_int_equal(tcl_version_find(m, stubs.major, &v), 0);
	if (strcmp(v.text, "8.6.13")) {
		module_close(m);
		print_message("nothing is known of Tcl %s here\n", v.text);
		skip();
	}
	assert_int_equal(tcl_functions_tebc(m, &stubs, tebc), 0);
}

static void test_libtcl_track(void **state)
{
	struct module_function tebc;
	struct tcl_track t;
	struct module m;
	u64 last, known = 0;

	(void)state;
	open_libtcl(&m, &tebc);
	last = tebc.start;
	assert_int_equal(tcl_track_find(&t, &m, &tebc), 0);
	assert_true(t.range[0].finishing);
	assert_int_equal(t.range[0].start, tebc.start);
	for (size_t i = 0; i < t.n; i++) {
		assert_true(t.range[i].start >= last);
		assert_true(t.range[i].end > t.range[i].start);
		known += t.range[i].end - t.range[i].start;
		last = t.range[i].end;
	}
	assert_true(last <= tebc.end);
	assert_true(known > (tebc.end - tebc.start) * 9 / 10);
	tcl_track_release(&t);
	module_close(&m);
}

static void open_engine(struct module *m)
{
	char path[4096];
	const char *slash = strrchr(program, '/');

	snprintf(path, sizeof(path), "%.*stcl_engine.so",
		 slash ? (int)(slash - program + 1) : 0, program);
	assert_true(open_module(m, path));
}

static u64 symbol(const struct module *m, const char *name)
{
	u64 vaddr;

	assert_int_equal(module_dynsym(m, name, &vaddr, NULL), 0);
	return vaddr;
}

static const struct tcl_track_range *range_at(const struct tcl_track *t,
					      u64 vaddr)
{
	for (size_t i = 0; i < t->n; i++)
		if (vaddr >= t->range[i].start && vaddr < t->range[i].end)
			return &t->range[i];
	return NULL;
}

struct track_case {
	const char *name;
	u8 kind, reg;
	s16 off;
	s32 add;
};

static void check_track(const struct module *m, const struct tcl_track *t,
			const struct track_case *c)
{
	const struct tcl_track_range *r = range_at(t, symbol(m, c->name));

	assert_non_null(r);
	assert_false(r->finishing);
	assert_int_equal(r->role.kind, c->kind);
	assert_int_equal(r->role.reg, c->reg);
	assert_int_equal(r->role.off, c->off);
	assert_int_equal(r->add, c->add);
}

static void find_track(const struct module *m, const char *name,
		       struct tcl_track *t)
{
	struct module_function f;

	assert_int_equal(module_function_at(m, symbol(m, name), &f), 0);
	assert_int_equal(tcl_track_find(t, m, &f), 0);
}

static void test_tracks(void **state)
{
	static const struct track_case cases[] = {
		{ "engine_next", TCL_ROLE_REG, 3, 0, 0 },
		{ "engine_opcode", TCL_ROLE_REG, 3, 0, 0 },
		{ "engine_spill", TCL_ROLE_REG, 3, 0, 0 },
		{ "engine_spilled", TCL_ROLE_CFA, 0, 8 - 48, 0 },
		{ "engine_step", TCL_ROLE_REG, 3, 0, 0 },
		{ "engine_stepped", TCL_ROLE_REG, 3, 0, -5 },
	};
	const struct tcl_track_range *r;
	struct tcl_track t;
	struct module m;

	(void)state;
	open_engine(&m);
	find_track(&m, "engine", &t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_track(&m, &t, &cases[i]);
	r = range_at(&t, symbol(&m, "engine_finish"));
	assert_non_null(r);
	assert_true(r->finishing);
	assert_null(range_at(&t, symbol(&m, "engine_unknown")));
	tcl_track_release(&t);
	module_close(&m);
}

static void test_unoptimised(void **state)
{
	static const struct track_case cases[] = {
		{ "unoptimised_read", TCL_ROLE_CFA, 0, -0x10 - 16, 0 },
		{ "unoptimised_step", TCL_ROLE_CFA, 0, -0x10 - 16, -1 },
	};
	struct tcl_track t;
	struct module m;

	(void)state;
	open_engine(&m);
	find_track(&m, "unoptimised", &t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_track(&m, &t, &cases[i]);
	tcl_track_release(&t);
	module_close(&m);
}

static void test_no_tracks(void **state)
{
	static const char *const names[] = { "flag", "elsewhere", "computed" };
	struct module_function f;
	struct tcl_track t;
	struct module m;

	(void)state;
	open_engine(&m);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		u64 start = symbol(&m, names[i]);

		assert_int_equal(module_function_at(&m, start, &f), 0);
		assert_int_equal(tcl_track_find(&t, &m, &f), -ENOENT);
		assert_int_equal(t.n, 0);
		tcl_track_release(&t);
	}
	module_close(&m);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracks),
		cmocka_unit_test(test_unoptimised),
		cmocka_unit_test(test_no_tracks),
		cmocka_unit_test(test_libtcl_track),
	};

	(void)argc;
	program = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
