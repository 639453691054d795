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
#include "arch/code.h"
#include "walkers/tcl/derive/tcl_found.h"

#define LIBTCL "/usr/lib/x86_64-linux-gnu/libtcl8.6.so"

static const char *program;
static struct tcl_pc_range range[TCL_MAX_PC_RANGES];

static bool open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*m = (struct module){ 0 };
	return fd >= 0 && !module_open(m, fd, path);
}

/* Debian bookworm's, or skipped. */
static void open_libtcl(struct module *m, struct module_function *tebc)
{
	struct tcl_found t = { 0 };

	if (!open_module(m, LIBTCL)) {
		print_message(LIBTCL " is not installed\n");
		skip();
	}
	assert_int_equal(tcl_stubs_find(m, &t.stubs), 1);
	assert_int_equal(tcl_version_find(m, t.stubs.major, &t.version), 0);
	if (strcmp(t.version.text, "8.6.13")) {
		module_close(m);
		print_message("nothing is known of Tcl %s here\n",
			      t.version.text);
		skip();
	}
	assert_null(tcl_functions_find(&t, m));
	*tebc = (struct module_function){ .start = t.file.tebc_start,
					  .end = t.file.tebc_end };
}

static void test_libtcl_track(void **state)
{
	struct module_function tebc;
	u32 n, last = 0, known = 0;
	struct module m;

	(void)state;
	open_libtcl(&m, &tebc);
	n = tcl_track_find(range, &m, tebc.start);
	assert_true(n > 1);
	assert_true(range[0].finishing);
	assert_int_equal(range[0].start, 0);
	for (u32 i = 0; i < n; i++) {
		assert_true(range[i].start >= last);
		assert_true(range[i].end > range[i].start);
		known += range[i].end - range[i].start;
		last = range[i].end;
	}
	assert_true(last <= tebc.end - tebc.start);
	assert_true(known > (tebc.end - tebc.start) * 9 / 10);
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

struct track {
	u64 start; /* of the engine */
	u32 n;
};

static const struct tcl_pc_range *range_at(const struct track *t, u64 vaddr)
{
	for (u32 i = 0; i < t->n; i++)
		if (vaddr >= t->start + range[i].start &&
		    vaddr < t->start + range[i].end)
			return &range[i];
	return NULL;
}

struct track_case {
	const char *name;
	u8 kind, reg;
	s16 off;
	s32 add;
};

static void check_track(const struct module *m, const struct track *t,
			const struct track_case *c)
{
	const struct tcl_pc_range *r = range_at(t, symbol(m, c->name));

	assert_non_null(r);
	assert_false(r->finishing);
	assert_int_equal(r->role.kind, c->kind);
	assert_int_equal(r->role.reg, c->reg);
	assert_int_equal(r->role.off, c->off);
	assert_int_equal(r->add, c->add);
}

static void find_track(const struct module *m, const char *name,
		       struct track *t)
{
	struct module_function f;

	assert_int_equal(module_function_at(m, symbol(m, name), &f), 0);
	t->start = f.start;
	t->n = tcl_track_find(range, m, f.start);
	assert_true(t->n > 0);
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
	const struct tcl_pc_range *r;
	struct track t;
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
	module_close(&m);
}

static void test_unoptimised(void **state)
{
	static const struct track_case cases[] = {
		{ "unoptimised_read", TCL_ROLE_CFA, 0, -0x10 - 16, 0 },
		{ "unoptimised_step", TCL_ROLE_CFA, 0, -0x10 - 16, -1 },
	};
	struct track t;
	struct module m;

	(void)state;
	open_engine(&m);
	find_track(&m, "unoptimised", &t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_track(&m, &t, &cases[i]);
	module_close(&m);
}

static void test_no_tracks(void **state)
{
	static const char *const names[] = { "flag", "elsewhere", "computed" };
	struct module_function f;
	struct module m;

	(void)state;
	open_engine(&m);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		u64 start = symbol(&m, names[i]);

		assert_int_equal(module_function_at(&m, start, &f), 0);
		assert_int_equal(tcl_track_find(range, &m, f.start), 0);
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
