/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The embedded configuration: Debian bookworm's, exactly; of a program with Tcl
 * in it that is loaded at a fixed address; and of damaged files, which may give
 * anything but a crash.
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
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/elf/module.h"
#include "user/elf/pairs.h"
#include "walkers/tcl/text/tcl_text.h"
#include "walkers/walker.h"

#define LIBDIR "/usr/lib/x86_64-linux-gnu/"
#define LIBTCL LIBDIR "libtcl8.6.so"

static const struct pair bookworm[] = {
	{ (char *)"debug", (char *)"0" },
	{ (char *)"threaded", (char *)"1" },
	{ (char *)"profiled", (char *)"0" },
	{ (char *)"64bit", (char *)"0" },
	{ (char *)"optimized", (char *)"1" },
	{ (char *)"mem_debug", (char *)"0" },
	{ (char *)"compile_debug", (char *)"0" },
	{ (char *)"compile_stats", (char *)"0" },
	{ (char *)"libdir,runtime", (char *)"/usr/lib/x86_64-linux-gnu" },
	{ (char *)"bindir,runtime", (char *)"/usr/bin" },
	{ (char *)"scriptdir,runtime", (char *)"/usr/share/tcltk/tcl8.6" },
	{ (char *)"includedir,runtime", (char *)"/usr/include/tcl8.6" },
	{ (char *)"docdir,runtime", (char *)"/usr/share/man" },
	{ (char *)"libdir,install", (char *)"/usr/lib/x86_64-linux-gnu" },
	{ (char *)"bindir,install", (char *)"/usr/bin" },
	{ (char *)"scriptdir,install", (char *)"/usr/share/tcltk/tcl8.6" },
	{ (char *)"includedir,install", (char *)"/usr/include/tcl8.6" },
	{ (char *)"docdir,install", (char *)"/usr/share/man" },
};
#define BOOKWORM (sizeof(bookworm) / sizeof(bookworm[0]))

static void open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		print_message("%s is not there\n", path);
		skip();
	}
	*m = (struct module){ 0 };
	assert_int_equal(module_open(m, fd, path), 0);
}

static void check_bookworm(const char *path)
{
	struct pairs p;
	struct module m;

	open_module(&m, path);
	assert_int_equal(tcl_config_read(&p, &m), 0);
	assert_int_equal(p.n, BOOKWORM);
	for (size_t i = 0; i < p.n; i++) {
		assert_string_equal(p.pair[i].key, bookworm[i].key);
		assert_string_equal(p.pair[i].value, bookworm[i].value);
	}
	pairs_release(&p);
	module_close(&m);
}

/* Values as those of bookworm can be expected of no other build. */
static void need_bookworm(void)
{
	static const u8 id[] = { 0x56, 0x3b, 0x90, 0x48, 0xc3 };
	struct module m;
	bool same;

	open_module(&m, LIBTCL);
	same = m.build_id_len > sizeof(id) &&
	       !memcmp(m.build_id, id, sizeof(id));
	module_close(&m);
	if (!same) {
		print_message("the installed libtcl8.6.so is another build\n");
		skip();
	}
}

static void test_library(void **state)
{
	(void)state;
	need_bookworm();
	check_bookworm(LIBTCL);
}

static void test_program(void **state)
{
	const char *folder = getenv("JPBPF_TEST_DIR");
	char path[4096];

	(void)state;
	need_bookworm();
	snprintf(path, sizeof(path), "%s/programs/static_tcl",
		 folder ? folder : "build/tests");
	check_bookworm(path);
}

static void test_others(void **state)
{
	static const char *const without[] = { LIBDIR "libtk8.6.so",
					       LIBDIR "libc.so.6",
					       "/usr/bin/tclsh8.6" };

	(void)state;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		struct pairs p;
		struct module m;

		if (access(without[i], R_OK))
			continue;
		open_module(&m, without[i]);
		assert_int_equal(tcl_config_read(&p, &m), -ENOENT);
		assert_int_equal(p.n, 0);
		pairs_release(&p);
		module_close(&m);
	}
}

static void test_describe(void **state)
{
	static const struct {
		const char *debug, *bit64, *stats, *text;
	} cases[] = {
		{ "0", "1", "0", "" },
		{ "1", "0", "0", " (debug)" },
		{ "1", "1", "1", " (debug, compile_stats)" },
		{ "yes", "0", "11", "" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair pair[] = {
			{ (char *)"debug", (char *)cases[i].debug },
			{ (char *)"64bit", (char *)cases[i].bit64 },
			{ (char *)"compile_stats", (char *)cases[i].stats },
		};
		const struct pairs p = { .pair = pair, .n = 3 };

		buf_reset(&out);
		tcl_config_describe(&p, &out);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
	buf_release(&out);
}

/* Everything that info does with a file. */
static void look_at(const u8 *bytes, size_t len)
{
	const struct walker *tcl = walkers[WALKER_TCL];
	int fd = memfd_create("damaged", MFD_CLOEXEC);
	struct walker_site site = { 0 };
	struct fact *facts = fact_new();
	struct buf why = { 0 };
	struct module m = { 0 };
	void *data = NULL;

	assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	if (!module_open(&m, fd, "damaged")) {
		site.m = &m;
		if (tcl->file.probe(&m, &data, &why) > 0) {
			site.data = data;
			tcl->file.facts(&site, facts);
			tcl->file.forget(data);
		}
		tcl->file.config(&site, facts);
		module_close(&m);
	}
	buf_release(&why);
	fact_free(facts);
}

static void test_damaged(void **state)
{
	int fd = open(LIBTCL, O_RDONLY | O_CLOEXEC);
	size_t size, at;
	struct stat st;
	u8 *bytes;

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(fstat(fd, &st), 0);
	size = st.st_size;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(bytes, MAP_FAILED);
	close(fd);
	for (at = 0; at < 4096; at += 61)
		look_at(bytes, at);
	for (at = 4096; at < size; at += size / 37)
		look_at(bytes, at);
	look_at(bytes, size - 1);
	/* Headers, and pointers in data, point anywhere. */
	for (at = 0; at < 64; at++) {
		u8 old = bytes[at];

		bytes[at] ^= 0xff;
		look_at(bytes, size);
		bytes[at] = old;
	}
	for (at = size / 2; at + 8 < size; at += 4093)
		memset(bytes + at, 0xa5, 8);
	look_at(bytes, size);
	munmap(bytes, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library), cmocka_unit_test(test_program),
		cmocka_unit_test(test_others),	cmocka_unit_test(test_describe),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
