/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The evaluator's loop: in Debian bookworm's library, exactly; and in forms of
 * machine code written down in tcl_loops.S.
 */
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
#include "arch/flow.h"
#include "walkers/tcl/derive/tcl_found.h"

#define LIBTCL "/usr/lib/x86_64-linux-gnu/libtcl8.6.so"

/* The loops by the layout of a version. */
static void find(struct tcl_found *t, const struct module *m, u32 version)
{
	*t = (struct tcl_found){ .row = tcl_layouts_find(version) };
	assert_int_equal(tcl_trampolines_find(t, m), 0);
}

static bool open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*m = (struct module){ 0 };
	return fd >= 0 && !module_open(m, fd, path);
}

static void check_role(struct tcl_role role, u8 kind, u8 reg, s16 off)
{
	assert_int_equal(role.kind, kind);
	assert_int_equal(role.reg, reg);
	assert_int_equal(role.off, off);
}

static void test_libtcl(void **state)
{
	static const u8 id[] = { 0x56, 0x3b, 0x90, 0x48, 0xc3 };
	struct tcl_found t;
	struct module m;

	(void)state;
	if (!open_module(&m, LIBTCL)) {
		print_message(LIBTCL " is not installed\n");
		skip();
	}
	if (memcmp(m.build_id, id, sizeof(id))) {
		module_close(&m);
		print_message("the installed libtcl8.6.so is another build\n");
		skip();
	}
	find(&t, &m, 0x080613);
	assert_int_equal(t.file.trampolines, 1);
	assert_int_equal(t.unproven, 0);
	assert_int_equal(t.n_ranges, 1);
	assert_int_equal(t.range[0].start, 0x42060);
	assert_int_equal(t.range[0].end, 0x42112);
	assert_int_equal(t.file.trampoline[0].start, 0x42060);
	assert_int_equal(t.file.trampoline[0].end, 0x42112);
	assert_int_equal(t.file.trampoline[0].body, 0x4206a);
	assert_int_equal(t.file.trampoline[0].popped, 0x420c4);
	assert_int_equal(t.file.trampoline[0].ret, 0x420c8);
	assert_int_equal(t.file.trampoline[0].epilogue, 0x420f7);
	check_role(t.file.trampoline[0].interp, TCL_ROLE_REG, 13, 0);
	check_role(t.file.trampoline[0].root, TCL_ROLE_REG, 12, 0);
	check_role(t.file.trampoline[0].callback, TCL_ROLE_REG, 3, 0);
	/* Another version's offsets prove nothing here. */
	find(&t, &m, 0x090001);
	assert_int_equal(t.file.trampolines, 0);
	assert_int_equal(t.unproven, 0);
	module_close(&m);
}

static const char *program;

static void open_loops(struct module *m)
{
	char path[4096];
	const char *slash = strrchr(program, '/');

	snprintf(path, sizeof(path), "%.*stcl_loops.so",
		 slash ? (int)(slash - program + 1) : 0, program);
	assert_true(open_module(m, path));
}

static u64 symbol(const struct module *m, const char *name)
{
	u64 vaddr;

	assert_int_equal(module_dynsym(m, name, &vaddr, NULL), 0);
	return vaddr;
}

static void test_forms(void **state)
{
	struct tcl_found t;
	struct module m;

	(void)state;
	open_loops(&m);
	find(&t, &m, 0x080613);
	assert_int_equal(t.file.trampolines, 2);
	assert_int_equal(t.unproven, symbol(&m, "moving_root_call"));
	assert_int_equal(t.file.trampoline[0].ret, symbol(&m, "in_slots_ret"));
	assert_int_equal(t.file.trampoline[0].popped,
			 symbol(&m, "in_slots_popped"));
	assert_int_equal(t.file.trampoline[0].body,
			 symbol(&m, "in_slots_again"));
	assert_int_equal(t.file.trampoline[0].epilogue,
			 symbol(&m, "in_slots_end"));
	check_role(t.file.trampoline[0].interp, TCL_ROLE_REG, 12, 0);
	check_role(t.file.trampoline[0].root, TCL_ROLE_CFA, 0, -40);
	check_role(t.file.trampoline[0].callback, TCL_ROLE_CFA, 0, -32);
	assert_int_equal(t.n_ranges, 3);
	assert_int_equal(t.range[0].start, symbol(&m, "in_slots_again"));
	assert_int_equal(t.range[0].end, symbol(&m, "in_slots_gap"));
	assert_int_equal(t.range[1].start, symbol(&m, "in_slots_piece"));
	assert_int_equal(t.range[1].end, symbol(&m, "in_slots_end"));
	assert_int_equal(t.range[0].index, 0);
	assert_int_equal(t.range[1].index, 0);
	/* Of a function that writes the root's place before the loop, the loop only. */
	assert_int_equal(t.file.trampoline[1].start,
			 symbol(&m, "root_written_again"));
	assert_int_equal(t.file.trampoline[1].body,
			 symbol(&m, "root_written_again"));
	assert_int_equal(t.file.trampoline[1].end,
			 symbol(&m, "root_written_end"));
	assert_int_equal(t.range[2].start, symbol(&m, "root_written_again"));
	assert_int_equal(t.range[2].end, symbol(&m, "root_written_end"));
	assert_int_equal(t.range[2].index, 1);
	module_close(&m);
}

static void test_depths(void **state)
{
	struct module_function f;
	struct code c;
	struct module m;
	struct flow flow;
	int at;

	(void)state;
	open_loops(&m);
	assert_int_equal(module_function_at(&m, symbol(&m, "in_slots"), &f), 0);
	assert_int_equal(code_decode(&c, &m, &f), 0);
	flow_open(&flow, &c, &m);
	flow_release(&flow);
	assert_int_equal(c.insn[0].depth, 8);
	assert_int_equal(c.insn[1].depth, 16);
	at = code_index(&c, symbol(&m, "in_slots_ret"));
	assert_int_equal(c.insn[at].depth, 48);
	at = code_index(&c, symbol(&m, "in_slots_piece"));
	assert_int_equal(c.insn[at].depth, 48);
	assert_int_equal(code_index(&c, f.start + 1), -1);
	assert_int_equal(code_index(&c, f.end), -1);
	code_release(&c);
	module_close(&m);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libtcl),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_depths),
	};

	(void)argc;
	program = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
