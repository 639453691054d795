/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which script an R runs, in proc file systems of our own, and where in it an
 * expression stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "walkers/r/r_script.h"

#define X10  "xxxxxxxxxx"
#define X63  X10 X10 X10 X10 X10 X10 "xx\n"
#define X252 X63 X63 X63 X63

static void test_line(void **state)
{
	static const char two[] = "s.R\nf <- 1\ng <- function() {\n h()\n}\n";
	static const char twice[] = "s.R\nf <- 1\n#\nf <- 1\n";
	static const char parts[] = "s.R\na; b; c\nd; b";
	static const char big[] =
		"s.R\n" X252 "abcd\n" X252 "abcde\n#" X252 "abcd\n";
	const struct {
		const char *script;
		struct r_expression e;
		u32 line;
	} cases[] = {
		{ two, { "f <- 1\n", 7, 1 }, 1 },
		{ two, { "g <- function() {\n h()\n}\n", 25, 2 }, 3 },
		{ two, { "g <- function() {\n h()\n}\n", 25, 3 }, 4 },
		{ two, { "g <- function() {\n h()\n}\n", 25, 4 }, 0 },
		{ two, { "g <- function() {\n h()\n}\n", 25, 0 }, 0 },
		/* Not what it says of itself; not at a beginning; not to an
		 * end; not there; nothing. */
		{ two, { "f <- 1\n", 6, 1 }, 0 },
		{ two, { "<- 1\n", 5, 1 }, 0 },
		{ two, { "g <- function() {", 17, 1 }, 0 },
		{ two, { "h <- 1\n", 7, 1 }, 0 },
		{ two, { "", 0, 1 }, 0 },
		{ "s.R", { "f <- 1\n", 7, 1 }, 0 },
		{ twice, { "f <- 1\n", 7, 1 }, 0 },
		{ twice, { "#\nf <- 1\n", 9, 2 }, 3 },
		{ parts, { " b;", 3, 1 }, 1 },
		{ parts, { " c\n", 3, 1 }, 1 },
		{ parts, { " b", 2, 1 }, 2 },
		/* Only the first 252 bytes were sent: the length tells. */
		{ big, { X252 "...", 257, 6 }, 0 },
		{ big, { X252 "...", 258, 5 }, 10 },
		{ big, { X252 "...", 2580, 5 }, 0 },
		{ big, { X252 "...", UINT64_MAX, 5 }, 0 },
		{ big, { "xx", 257, 1 }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = 0;
		u32 line = r_script_line(cases[i].script, &cases[i].e, &len);

		print_message("# %zu: %s\n", i, cases[i].e.text);
		assert_int_equal(line, cases[i].line);
		if (line)
			assert_int_equal(len, 3);
	}
}

static char folder[] = "/tmp/test_r_script.XXXXXX";

static char *path_of(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static void write_file(const char *name, const char *bytes, size_t len)
{
	char *path = path_of(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	fclose(f);
	free(path);
}

static void put_link(const char *name, const char *to)
{
	char *path = path_of(name), *target = path_of(to);

	unlink(path);
	assert_int_equal(symlink(target, path), 0);
	free(path);
	free(target);
}

static int make_folder(void **state)
{
	static const char *const dirs[] = { "7", "7/fd", "home", "other" };

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		char *path = path_of(dirs[i]);

		assert_int_equal(mkdir(path, 0700), 0);
		free(path);
	}
	write_file("home/s.R", "f <- 1\r\ng\rh\n", 12);
	write_file("home/real", "real\n", 5);
	write_file("other/s.R", "other\n", 6);
	write_file("home/zero.R", "a\0b\n", 4);
	put_link("home/link.R", "home/real");
	put_link("7/fd/0", "home/real");
	put_link("7/fd/3", "home/s.R");
	put_link("7/fd/4", "home/zero.R");
	put_link("7/fd/5", "home");
	put_link("7/cwd", "home");
	return 0;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {
		"7/fd/0",    "7/fd/3",	    "7/fd/4",	   "7/fd/5",
		"7/fd/6",    "7/cwd",	    "7/cmdline",   "home/s.R",
		"home/real", "home/link.R", "home/zero.R", "other/s.R",
		"7/fd",	     "7",	    "home",	   "other",
		"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = path_of(names[i]);

		remove(path);
		free(path);
	}
	return 0;
}

#define ARGUMENTS(text) text, sizeof(text)

static void test_read(void **state)
{
	static const struct {
		const char *arguments;
		size_t len;
		const char *text; /* NULL: none */
	} cases[] = {
		{ ARGUMENTS("R\0--file=s.R"), "s.R\nf <- 1\ng\rh\n" },
		{ ARGUMENTS("R\0-f\0s.R\0--args\0-f\0x"),
		  "s.R\nf <- 1\ng\rh\n" },
		/* Wherever it is now. */
		{ ARGUMENTS("R\0--file=was/s.R"), "was/s.R\nf <- 1\ng\rh\n" },
		{ ARGUMENTS("R\0--file=link.R"), "link.R\nreal\n" },
		{ ARGUMENTS("R\0--file=closed.R"), NULL },
		{ ARGUMENTS("R\0--file=zero.R"), NULL },
		{ ARGUMENTS("R\0--file=-"), NULL },
		{ ARGUMENTS("R\0--file="), NULL },
		{ ARGUMENTS("R\0--file=a\ns.R"), NULL },
		{ ARGUMENTS("R\0--args\0--file=s.R"), NULL },
		{ ARGUMENTS("R\0-f"), NULL },
		{ ARGUMENTS("R"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = { 0 };
		u64 id;

		write_file("7/cmdline", cases[i].arguments, cases[i].len);
		id = r_script_read(folder, 7, &out);
		print_message("# %zu: %s\n", i, buf_text(&out));
		assert_int_equal(id != 0, cases[i].text != NULL);
		if (id)
			assert_string_equal(buf_text(&out), cases[i].text);
		buf_release(&out);
	}
	assert_int_equal(r_script_read(folder, 8, NULL), 0);
}

/* Two open files of one name. */
static void test_doubt(void **state)
{
	struct buf out = { 0 };

	(void)state;
	write_file("7/cmdline", ARGUMENTS("R\0--file=s.R"));
	put_link("7/fd/6", "home/s.R");
	assert_int_not_equal(r_script_read(folder, 7, &out), 0);
	put_link("7/fd/6", "other/s.R");
	assert_int_equal(r_script_read(folder, 7, &out), 0);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_doubt),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
