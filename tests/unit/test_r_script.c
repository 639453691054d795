/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which script an R runs, in proc file systems of our own. */
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

#include "user/lib/mem.h"
#include "walkers/r/text/r_text.h"
#include "walkers/walker.h"

/* What is kept: one text per script. */
static struct {
	u64 id[64];
	char *text[64];
	size_t n, room; /* texts */
} kept;

static bool add(void *ctx, u64 id, const char *text, size_t len)
{
	(void)ctx;
	assert_int_equal(strlen(text), len);
	for (size_t i = 0; i < kept.n; i++) {
		if (kept.id[i] != id)
			continue;
		assert_string_equal(kept.text[i], text);
		return true;
	}
	if (kept.n >= kept.room)
		return false;
	kept.id[kept.n] = id;
	kept.text[kept.n++] = xstrdup(text);
	return true;
}

static const struct walker_keep keep = { add, NULL };

static void start_keeping(size_t room)
{
	while (kept.n)
		free(kept.text[--kept.n]);
	kept.room = room;
}

static const char *text_of(u64 id)
{
	for (size_t i = 0; i < kept.n; i++)
		if (kept.id[i] == id)
			return kept.text[i];
	return NULL;
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
	write_file("home/my own .R", "blank\n", 6);
	write_file("home/zero.R", "a\0b\n", 4);
	put_link("home/link.R", "home/real");
	put_link("7/fd/0", "home/real");
	put_link("7/fd/3", "home/s.R");
	put_link("7/fd/4", "home/zero.R");
	put_link("7/fd/5", "home");
	put_link("7/fd/8", "home/my own .R");
	put_link("7/cwd", "home");
	return 0;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {
		"7/fd/0",      "7/fd/3",	 "7/fd/4",    "7/fd/5",
		"7/fd/8",      "home/my own .R", "7/fd/6",    "7/cwd",
		"7/cmdline",   "home/s.R",	 "home/real", "home/link.R",
		"home/zero.R", "other/s.R",	 "7/fd",      "7",
		"home",	       "other",		 "",
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
		/* As R's front end writes blanks. */
		{ ARGUMENTS("R\0--file=my~+~own~+~.R"), "my own .R\nblank\n" },
		{ ARGUMENTS("R\0-f\0my~+~own~+~.R"), "my own .R\nblank\n" },
		{ ARGUMENTS("R\0--file=~+"), NULL },
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
		u64 id;

		start_keeping(1);
		write_file("7/cmdline", cases[i].arguments, cases[i].len);
		id = r_script_read(folder, 7, &keep);
		print_message("# %zu\n", i);
		assert_int_equal(id != 0, cases[i].text != NULL);
		assert_int_equal(kept.n, id ? 1 : 0);
		if (id)
			assert_string_equal(text_of(id), cases[i].text);
	}
	assert_int_equal(r_script_read(folder, 8, &keep), 0);
}

/* A script is kept once; and what there is no room for has no id. */
static void test_kept(void **state)
{
	u64 first, second;

	(void)state;
	start_keeping(2);
	write_file("7/cmdline", ARGUMENTS("R\0--file=was/s.R"));
	first = r_script_read(folder, 7, &keep);
	assert_int_equal(kept.n, 1);
	assert_int_equal(r_script_read(folder, 7, &keep), first);
	assert_int_equal(kept.n, 1);
	write_file("7/cmdline", ARGUMENTS("R\0--file=now/s.R"));
	second = r_script_read(folder, 7, &keep);
	assert_true(second && second != first);
	assert_int_equal(kept.n, 2);
	write_file("7/cmdline", ARGUMENTS("R\0--file=then/s.R"));
	assert_int_equal(r_script_read(folder, 7, &keep), 0);
	write_file("7/cmdline", ARGUMENTS("R\0--file=link.R"));
	assert_int_equal(r_script_read(folder, 7, &keep), 0);
	start_keeping(0);
	assert_int_equal(r_script_read(folder, 7, &keep), 0);
}

/* Two open files of one name. */
static void test_doubt(void **state)
{
	(void)state;
	start_keeping(1);
	write_file("7/cmdline", ARGUMENTS("R\0--file=s.R"));
	put_link("7/fd/6", "home/s.R");
	assert_int_not_equal(r_script_read(folder, 7, &keep), 0);
	put_link("7/fd/6", "other/s.R");
	assert_int_equal(r_script_read(folder, 7, &keep), 0);
	start_keeping(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_doubt),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
