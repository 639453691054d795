/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Recognising Tcl: Debian bookworm's library, exactly; and files that have to
 * do with Tcl without being it.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/elf/module.h"
#include "walkers/tcl/tcl.h"
#include "walkers/walker.h"

#define LIBDIR "/usr/lib/x86_64-linux-gnu/"
#define LIBTCL LIBDIR "libtcl8.6.so"

static const struct walker *tcl(void)
{
	return walkers[WALKER_TCL];
}

static void open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		print_message("%s is not installed\n", path);
		skip();
	}
	*m = (struct module){ 0 };
	assert_int_equal(module_open(m, fd, path), 0);
}

static void need_bookworm(struct module *m)
{
	static const u8 id[] = { 0x56, 0x3b, 0x90, 0x48, 0xc3 };

	if (m->build_id_len > sizeof(id) &&
	    !memcmp(m->build_id, id, sizeof(id)))
		return;
	module_close(m);
	print_message("the installed libtcl8.6.so is another build\n");
	skip();
}

static void test_libtcl(void **state)
{
	struct buf why = { 0 }, text = { 0 };
	struct walker_mark mark[WALKER_MAX_MARKS];
	struct tcl_file f;
	struct module m;
	void *data;

	(void)state;
	open_module(&m, LIBTCL);
	need_bookworm(&m);
	assert_int_equal(tcl()->file.probe(&m, &data, &why), 1);
	tcl()->file.describe(data, &text);
	assert_string_equal(buf_text(&text),
			    "Tcl 8.6.13 (threaded, optimized)");
	assert_int_equal(tcl()->file.value_size, sizeof(f));
	tcl()->file.value(data, &f);
	assert_int_equal(f.stubs, 0x1c0740);
	assert_int_equal(f.tebc_start, 0xcd760);
	assert_int_equal(f.tebc_end, 0xda3ca);
	assert_int_equal(f.dispatch, 0x42040);
	assert_int_equal(f.trampolines, 1);
	assert_int_equal(f.trampoline[0].ret, 0x420c8);
	assert_int_equal(f.layout.interp_exec_env, 456);
	assert_int_equal(tcl()->file.marks(data, mark, WALKER_MAX_MARKS), 1);
	assert_int_equal(mark[0].start, 0x42060);
	assert_int_equal(mark[0].end, 0x42112);
	assert_int_equal(mark[0].index, 0);
	assert_true(tcl()->file.internal(data, 0x2c340));
	assert_true(tcl()->file.internal(data, 0x16b000));
	tcl()->file.forget(data);
	buf_release(&why);
	buf_release(&text);
	module_close(&m);
}

static void check_not_tcl(const char *path)
{
	struct buf why = { 0 };
	void *data = NULL;
	struct module m;

	open_module(&m, path);
	assert_int_equal(tcl()->file.probe(&m, &data, &why), 0);
	assert_null(data);
	assert_string_equal(buf_text(&why), "");
	module_close(&m);
}

static void test_libc(void **state)
{
	(void)state;
	check_not_tcl(LIBDIR "libc.so.6");
}

/* A program that only links with Tcl. */
static void test_tclsh(void **state)
{
	(void)state;
	check_not_tcl("/usr/bin/tclsh8.6");
}

/* It has stub tables of the same make, and its own patch level. */
static void test_tk(void **state)
{
	(void)state;
	check_not_tcl(LIBDIR "libtk8.6.so");
}

static const char *program;

static void check_refused(const char *fixture, const char *text)
{
	const char *slash = strrchr(program, '/');
	struct buf why = { 0 };
	char path[4096];
	void *data = NULL;
	struct module m;

	snprintf(path, sizeof(path), "%.*s%s",
		 slash ? (int)(slash - program + 1) : 0, program, fixture);
	open_module(&m, path);
	assert_int_equal(tcl()->file.probe(&m, &data, &why), -ENOTSUP);
	assert_null(data);
	assert_string_equal(buf_text(&why), text);
	buf_release(&why);
	module_close(&m);
}

static void test_old(void **state)
{
	(void)state;
	check_refused("tcl_old.so",
		      "Tcl 8.4.20 is not supported, versions from 8.5.0 on "
		      "are; of this one, only C functions are shown");
}

static void test_no_loop(void **state)
{
	(void)state;
	check_refused("tcl_bare.so",
		      "Tcl 8.6.13, compiled in a way not understood: the "
		      "evaluator's loop was not found");
}

static void test_newer(void **state)
{
	(void)state;
	check_refused(
		"tcl_newer.so",
		"Tcl 8.8.1 is not known here, and its code is not like "
		"that of 8.7.0 to 8.7.x (please report it, with the output of "
		"\"jpbpf info FILE\"): the evaluator's loop was not "
		"found");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libtcl), cmocka_unit_test(test_libc),
		cmocka_unit_test(test_tclsh),  cmocka_unit_test(test_tk),
		cmocka_unit_test(test_old),    cmocka_unit_test(test_no_loop),
		cmocka_unit_test(test_newer),
	};

	(void)argc;
	program = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
