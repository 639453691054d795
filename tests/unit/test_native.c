/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native names, from native.so (native.S) and from what objcopy makes of it: the
 * same code stripped, with its symbols in a separate file, or compressed inside.
 */
#include "tests/unit/fixture.h"
#include "tests/unit/native_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

extern char **environ;

static char folder[] = "/tmp/test_native.XXXXXX";

/* Run a tool in the folder; true when it ended well. */
static bool run(const char *const *argv)
{
	pid_t pid;
	int status;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv,
			 environ))
		return false;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

#define RUN(...) run((const char *const[]){ __VA_ARGS__, NULL })

static void open_at(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("cannot open %s", path);
	assert_int_equal(module_open(m, fd, path), 0);
}

struct name_case {
	u64 offset;		    /* in .text */
	const char *full, *dynamic; /* NULL: none */
};

static const struct name_case names[] = {
	{ 0x00, "sized", "sized" },
	{ 0x07, "sized", "sized" },
	{ 0x08, NULL, NULL },
	{ 0x0f, NULL, NULL },
	{ 0x10, "unsized", "unsized" },
	{ 0x1f, "unsized", "unsized" },
	{ 0x20, NULL, NULL },
	{ 0x2b, NULL, NULL },
	{ 0x30, "alias", "alias" },
	{ 0x3f, "alias", "alias" },
	{ 0x40, "outer", "outer" },
	{ 0x44, "outer", "outer" },
	{ 0x4f, "outer", "outer" },
	{ 0x50, "foo::bar", "foo::bar" },
	{ 0x60, "versioned", "versioned" },
	{ 0x7f, "hidden", NULL },
	{ 0x80, NULL, NULL },
	{ 0x90, "bare", "bare" },
	{ 0x9f, "bare", "bare" },
	{ 0xa0, NULL, NULL },
	{ 0x100000, NULL, NULL },
	{ -0x1000, NULL, NULL },
};

static void check_file(const char *path, bool full)
{
	struct module m;
	u64 text, size;

	open_at(&m, path);
	assert_int_equal(module_section(&m, ".text", &text, &size), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		native_check_name(&m, text + names[i].offset,
				  full ? names[i].full : names[i].dynamic);
	module_close(&m);
}

static void test_symtab(void **state)
{
	char *path = fixture_path("native.so");

	(void)state;
	check_file(path, true);
	free(path);
}

static void test_dynsym(void **state)
{
	char *from = fixture_path("native.so");

	(void)state;
	if (!RUN("objcopy", "--strip-all", from, "stripped.so"))
		skip();
	check_file("stripped.so", false);
	free(from);
}

static void test_version(void **state)
{
	char *from = fixture_path("native.so");

	(void)state;
	if (!RUN("objcopy", "--redefine-sym", "versioned=versioned@@VERS_1",
		 "--redefine-sym", "hidden=hidden@VERS_1", from, "version.so"))
		skip();
	check_file("version.so", true);
	free(from);
}

/* A stripped copy whose .gnu_debuglink says link.debug. */
static bool make_linked(void)
{
	char *from = fixture_path("native.so");
	bool ok = RUN("objcopy", "--only-keep-debug", from, "link.debug") &&
		  RUN("objcopy", "--strip-all",
		      "--add-gnu-debuglink=link.debug", from, "linked.so");

	free(from);
	return ok;
}

static void check_linked(bool full)
{
	char *path = xasprintf("%s/linked.so", folder);

	check_file(path, full);
	free(path);
}

static void test_debuglink(void **state)
{
	(void)state;
	if (!make_linked())
		skip();
	check_linked(true);
	assert_int_equal(mkdir(".debug", 0700), 0);
	assert_int_equal(rename("link.debug", ".debug/link.debug"), 0);
	check_linked(true);
	assert_int_equal(unlink(".debug/link.debug"), 0);
	check_linked(false);
}

/* A link to what does something when it is opened, as a watchdog does. */
static void check_not_opened(void)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;

	assert_int_equal(mkfifo("trap", 0600), 0);
	assert_int_equal(symlink("trap", "link.debug"), 0);
	assert_true(inotify_add_watch(watch, "trap", IN_OPEN) >= 0);
	check_linked(false);
	assert_int_equal(read(watch, &event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
	assert_int_equal(unlink("link.debug"), 0);
	assert_int_equal(unlink("trap"), 0);
}

/* What lies at the link's place may be anything. */
static void test_debuglink_hostile(void **state)
{
	int fd;

	(void)state;
	if (!make_linked())
		skip();
	fd = open("link.debug", O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	check_linked(false); /* another checksum */
	assert_int_equal(unlink("link.debug"), 0);
	assert_int_equal(mkfifo("link.debug", 0600), 0);
	check_linked(false); /* and it does not block */
	assert_int_equal(unlink("link.debug"), 0);
	assert_int_equal(mkdir("link.debug", 0700), 0);
	check_linked(false);
	assert_int_equal(rmdir("link.debug"), 0);
	check_not_opened();
}

static void test_mini_debug_info(void **state)
{
	char *from = fixture_path("native.so");

	(void)state;
	if (!RUN("objcopy", "--only-keep-debug", "--keep-symbol=hidden",
		 "--keep-symbol=local_alias", "--strip-unneeded", from,
		 "mini") ||
	    !RUN("xz", "-f", "mini") ||
	    !RUN("objcopy", "--strip-all", "--add-section",
		 ".gnu_debugdata=mini.xz", from, "mini.so"))
		skip();
	check_file("mini.so", true);
	free(from);
}

static void check_lines(const char *path, bool known)
{
	static const struct {
		u64 offset;
		const char *file;
		u32 line;
	} cases[] = {
		{ 0x00, "made.c", 12 },
		{ 0x03, "made.c", 12 },
		{ 0x04, "made.c", 13 },
		{ 0x07, "made.c", 13 },
		{ 0x08, "other;\n.h", 70000 },
		{ 0x0f, "other;\n.h", 70000 },
		{ 0x10, NULL, 0 },
		{ 0x100000, NULL, 0 },
		{ -0x1000, NULL, 0 },
	};
	struct module m;
	u64 text, size;

	open_at(&m, path);
	assert_int_equal(module_section(&m, ".text", &text, &size), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct native_said said =
			native_said(&m, text + cases[i].offset);
		bool has = known && cases[i].file;

		assert_string_equal(buf_text(&said.file),
				    has ? cases[i].file : "");
		assert_int_equal(said.line, has ? cases[i].line : 0);
		native_said_release(&said);
	}
	module_close(&m);
}

static void test_lines(void **state)
{
	char *from = fixture_path("native_lines.so"),
	     *none = fixture_path("native.so");

	(void)state;
	check_lines(from, true);
	check_lines(none, false);
	if (RUN("objcopy", "--compress-debug-sections=zlib", from, "packed.so"))
		check_lines("packed.so", true);
	if (RUN("objcopy", "--compress-debug-sections=zlib-gnu", from,
		"old.so"))
		check_lines("old.so", true);
	if (RUN("objcopy", "--only-keep-debug", from, "far.debug") &&
	    RUN("objcopy", "--strip-all", "--add-gnu-debuglink=far.debug", from,
		"far.so")) {
		char *path = xasprintf("%s/far.so", folder);

		check_lines(path, true);
		assert_int_equal(unlink("far.debug"), 0);
		check_lines(path, false);
		free(path);
	}
	free(from);
	free(none);
}

struct many {
	u64 vaddr[64], start[64];
	size_t named, placed;
};

static void take_many(void *ctx, const struct native_answer *a)
{
	struct many *many = ctx;

	assert_true(a->index < 64);
	many->named += a->what == NATIVE_NAME;
	many->placed += a->what == NATIVE_PLACE;
	if (a->what == NATIVE_NAME)
		many->start[a->index] = a->start;
}

/* Many addresses in one question; lines only if they are asked for. */
static void test_many(void **state)
{
	char *path = fixture_path("native_lines.so");

	(void)state;
	for (unsigned parts = 0; parts < 2; parts++) {
		struct many many = { 0 };
		struct module m;
		u64 text, size;

		open_at(&m, path);
		assert_int_equal(module_section(&m, ".text", &text, &size), 0);
		for (size_t i = 0; i < 64; i++)
			many.vaddr[i] = text - 8 + i;
		const struct native_file file = { &m, many.vaddr, 64 };

		assert_int_equal(native_ask(&file, 1, parts ? NATIVE_LINES : 0,
					    take_many, &many),
				 0);
		assert_int_equal(many.named, 16);
		assert_int_equal(many.placed, parts ? 16 : 0);
		assert_int_equal(many.start[7], 0);
		assert_int_equal(many.start[8], text);
		assert_int_equal(many.start[23], text);
		module_close(&m);
	}
	free(path);
}

/* Two small files of one owner are asked at once; a large file
 * has a process of its own. */
static void test_together(void **state)
{
	char *path = fixture_path("native_lines.so");
	struct many many = { 0 };
	struct module m[2];
	u64 text, size;

	(void)state;
	for (size_t i = 0; i < 2; i++)
		open_at(&m[i], path);
	assert_int_equal(module_section(&m[0], ".text", &text, &size), 0);
	for (size_t i = 0; i < 64; i++)
		many.vaddr[i] = text - 8 + i % 32;
	const struct native_file file[] = { { &m[0], many.vaddr, 32 },
					    { &m[1], many.vaddr + 32, 32 } };

	assert_true(native_are_together(&m[0], &m[1]));
	assert_int_equal(native_ask(file, 2, 0, take_many, &many), 0);
	assert_int_equal(many.named, 32);
	for (size_t i = 0; i < 64; i += 32) {
		assert_int_equal(many.start[i + 7], 0);
		assert_int_equal(many.start[i + 8], text);
		assert_int_equal(many.start[i + 23], text);
	}
	m[1].key.size = 2 << 20;
	assert_false(native_are_together(&m[0], &m[1]));
	for (size_t i = 0; i < 2; i++)
		module_close(&m[i]);
	free(path);
}

/* Start and size of this process's vDSO. */
static const void *own_vdso(size_t *len)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start = 0, end = 0;
	char line[4096];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (strstr(line, "[vdso]"))
			sscanf(line, "%lx-%lx", &start, &end);
	}
	fclose(f);
	*len = end - start;
	return (const void *)start;
}

static void test_vdso(void **state)
{
	struct module m;
	size_t len;
	const void *bytes = own_vdso(&len);
	u64 vaddr;

	(void)state;
	if (!bytes)
		skip();
	assert_int_equal(module_open_image(&m, bytes, len, "[vdso]"), 0);
	assert_int_equal(module_dynsym(&m, "__vdso_gettimeofday", &vaddr, NULL),
			 0);
	/* gettimeofday is a weak alias. */
	native_check_name(&m, vaddr, "__vdso_gettimeofday");
	native_check_name(&m, 0x100000000, NULL);
	module_close(&m);
}

/* An executable that is not relocatable keeps its addresses. */
static void test_fixed_address(void **state)
{
	struct module m;
	u64 text, size;

	(void)state;
	if (!RUN("gcc", "-no-pie", "-static", "-nostdlib", "-Wl,-e,sized",
		 "native.o", "-o", "fixed"))
		skip();
	open_at(&m, "fixed");
	assert_int_equal(module_section(&m, ".text", &text, &size), 0);
	assert_true(text >= 0x400000);
	native_check_name(&m, text + 0x45, "outer");
	native_check_name(&m, text + 0x25, NULL);
	module_close(&m);
}

/* Bytes of the headers and tables broken in turn: at most there are no names. */
static void check_broken(const char *file)
{
	char *path = fixture_path(file);
	char bytes[32768];
	FILE *f = fopen(path, "re");
	size_t len = fread(bytes, 1, sizeof(bytes), f);

	fclose(f);
	for (size_t i = 0; i < len; i += 61) {
		struct many many = { 0 };
		struct module m;
		char saved = bytes[i];

		for (size_t k = 0; k < 32; k++)
			many.vaddr[k] = 0x1000 + 8 * k;
		bytes[i] ^= 0xff;
		if (!module_open_image(&m, bytes, len, "broken")) {
			native_ask(&(struct native_file){ &m, many.vaddr, 32 },
				   1, NATIVE_LINES, take_many, &many);
			module_close(&m);
		}
		bytes[i] = saved;
	}
	free(path);
}

static void test_broken(void **state)
{
	(void)state;
	check_broken("native.so");
	check_broken("native_lines.so");
}

static int make_folder(void **state)
{
	char *object = fixture_path("native.o");
	int err;

	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	err = !mkdtemp(folder) || chdir(folder) || symlink(object, "native.o");
	free(object);
	return err;
}

static int remove_folder(void **state)
{
	(void)state;
	return !(RUN("rm", "-rf", folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symtab),
		cmocka_unit_test(test_dynsym),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_debuglink),
		cmocka_unit_test(test_debuglink_hostile),
		cmocka_unit_test(test_mini_debug_info),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_fixed_address),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
