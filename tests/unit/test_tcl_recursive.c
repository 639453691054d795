/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The evaluator of a Tcl that recurses in C, in machine code written down in
 * tcl_recursive.S; and none where there is none.
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

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/output/facts.h"
#include "user/elf/module.h"
#include "arch/code.h"
#include "walkers/tcl/text/tcl_text.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/walker.h"

static const char *program;

static void open_fixture(struct module *m, const char *name)
{
	const char *slash = strrchr(program, '/');
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%.*s%s",
		 slash ? (int)(slash - program + 1) : 0, program, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	*m = (struct module){ 0 };
	assert_int_equal(module_open(m, fd, path), 0);
}

static u64 symbol(const struct module *m, const char *name)
{
	u64 vaddr;

	assert_int_equal(module_dynsym(m, name, &vaddr, NULL), 0);
	return vaddr;
}

static void check_role(struct tcl_role role, u8 kind, u8 reg, s16 off)
{
	assert_int_equal(role.kind, kind);
	assert_int_equal(role.reg, reg);
	assert_int_equal(role.off, off);
}

static void check_range(const struct walker_mark *r, u64 start, u64 end,
			u8 index)
{
	assert_int_equal(r->start, start);
	assert_int_equal(r->end, end);
	assert_int_equal(r->index, index);
}

static const char *find(const struct module *m, u32 version,
			struct tcl_found *t)
{
	*t = (struct tcl_found){ .row = tcl_layouts_find(version) };
	/* tcl_bare.so, for one, has none. */
	module_dynsym(m, "stubs", &t->stubs.table, NULL);
	module_dynsym(m, "internal_stubs", &t->stubs.internal, NULL);
	return tcl_recursive_find(t, m);
}

static void test_all(void **state)
{
	const struct tcl_recursion *r;
	struct tcl_found t;
	struct module m;

	(void)state;
	open_fixture(&m, "tcl_recursive.so");
	assert_null(find(&m, 0x080519, &t));
	r = &t.file.recursion;
	assert_int_equal(t.file.tebc_start, symbol(&m, "engine"));
	assert_int_equal(r->proc, symbol(&m, "TclObjInterpProc"));
	assert_int_equal(r->ensemble, symbol(&m, "ensemble"));
	check_role(r->cmd_frame, TCL_ROLE_CFA, 0, -40);
	/* Not in the prologue, not once the slot is used for something else; over
	 * words pushed for a call, and to the other store. */
	assert_int_equal(t.n_ranges, 2);
	check_range(&t.range[0], symbol(&m, "engine_set"),
		    symbol(&m, "engine_reused"), 0);
	assert_int_equal(r->calls, 1);
	check_role(r->call[0].command, TCL_ROLE_REG, 15, 0);
	check_role(r->call[0].interp, TCL_ROLE_REG, 3, 0);
	check_role(r->call[0].objv, TCL_ROLE_REG, 13, 0);
	assert_true(r->call[0].has_objc);
	check_role(r->call[0].objc, TCL_ROLE_CFA, 0, -40);
	check_range(&t.range[1], symbol(&m, "evaluate_call"),
		    symbol(&m, "evaluate_ret"), 1);
	module_close(&m);
}

static void test_none(void **state)
{
	struct tcl_found t;
	struct module m;

	(void)state;
	/* Another version's offsets prove nothing here. */
	open_fixture(&m, "tcl_recursive.so");
	assert_string_equal(find(&m, 0x090001, &t),
			    "the bytecode engine was not found");
	module_close(&m);
	open_fixture(&m, "tcl_loops.so");
	assert_string_equal(find(&m, 0x080519, &t),
			    "the bytecode engine was not found");
	module_close(&m);
}

/* The home is good behind the store of the path, and no more where a way leads that has
 * none. */
static void test_eval(void **state)
{
	struct tcl_found t = { .row = tcl_layouts_find(0x080519) };
	struct tcl_role role;
	struct code c;
	struct module m;

	(void)state;
	open_fixture(&m, "tcl_recursive.so");
	assert_int_equal(code_decode_at(&c, &m, symbol(&m, "eval")), 0);
	assert_int_equal(tcl_keeper_find(&t, &role, 15, &c, &m, true), 0);
	check_role(role, TCL_ROLE_CFA, 0, -40);
	assert_int_equal(t.n_ranges, 1);
	check_range(&t.range[0], symbol(&m, "eval_path"),
		    symbol(&m, "eval_both"), 15);
	/* It stores no pc. */
	assert_int_equal(tcl_keeper_find(&t, &role, 15, &c, &m, false),
			 -ENOENT);
	code_release(&c);
	/* The engine stores no path. */
	assert_int_equal(code_decode_at(&c, &m, symbol(&m, "engine")), 0);
	assert_int_equal(tcl_keeper_find(&t, &role, 15, &c, &m, true), -ENOENT);
	assert_int_equal(t.n_ranges, 1);
	code_release(&c);
	module_close(&m);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_eval),
	};

	(void)argc;
	program = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
