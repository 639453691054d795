// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* A result takes the place of the earlier one when it is whole. */
#include "user/session/outfile.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/log.h"

#define LONG 100000 /* bytes of a result */

static char folder[] = "/tmp/test_outfile.XXXXXX";

static int write_long(FILE *out)
{
	for (int i = 0; i < LONG; i++)
		if (fputc('x', out) == EOF)
			return -errno;
	return 0;
}

static int write_error(FILE *out)
{
	fputs("half", out);
	return -EIO;
}

/* Write to a file of the folder.  Returns the error. */
static int write_to(const char *path, int (*write)(FILE *out))
{
	struct outfile o;

	assert_int_equal(outfile_open(&o, path), 0);
	return outfile_close(&o, write(o.out));
}

static void make(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct stat see(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static void is_replaced(void **state)
{
	struct stat before, now;

	(void)state;
	assert_int_equal(write_to("new", write_long), 0);
	assert_int_equal(see("new").st_size, LONG);
	make("old", "old");
	chmod("old", 0640);
	before = see("old");
	assert_int_equal(write_to("old", write_long), 0);
	now = see("old");
	assert_int_equal(now.st_size, LONG);
	assert_true(now.st_ino != before.st_ino);
	assert_int_equal(now.st_mode, before.st_mode);
	assert_int_equal(now.st_nlink, 1);
	unlink("new");
	unlink("old");
	/* Nothing else is there. */
	assert_int_equal(see(".").st_nlink, 2);
}

static void is_written_over(void **state)
{
	struct stat before;

	(void)state;
	make("one", "a text that is longer than nothing");
	assert_int_equal(link("one", "two"), 0);
	assert_int_equal(symlink("one", "three"), 0);
	before = see("one");
	assert_int_equal(write_to("two", write_long), 0);
	assert_int_equal(see("one").st_ino, before.st_ino);
	assert_int_equal(see("one").st_size, LONG);
	make("one", "x");
	assert_int_equal(write_to("three", write_long), 0);
	assert_true(S_ISLNK(see("three").st_mode));
	assert_int_equal(see("one").st_size, LONG);
	assert_int_equal(write_to("/dev/null", write_long), 0);
	assert_true(S_ISCHR(see("/dev/null").st_mode));
}

static void stays_after_an_error(void **state)
{
	const char *const name[] = { "alone", "one" };
	struct rlimit had, limit;

	(void)state;
	make("alone", "old");
	make("one", "old");
	getrlimit(RLIMIT_FSIZE, &had);
	limit = (struct rlimit){ LONG / 2, had.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(write_to(name[i], write_error), -EIO);
		assert_int_equal(see(name[i]).st_size, 3);
		setrlimit(RLIMIT_FSIZE, &limit);
		assert_int_equal(write_to(name[i], write_long), -EFBIG);
		setrlimit(RLIMIT_FSIZE, &had);
		assert_int_equal(see(name[i]).st_size, 3);
	}
	for (const char *const *n =
		     (const char *[]){ "alone", "one", "two", "three", NULL };
	     *n; n++)
		assert_int_equal(unlink(*n), 0);
}

/* The folder belongs to somebody else. */
static void needs_no_folder(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	make("old", "old");
	chmod("old", 0666);
	chmod(".", 0555);
	assert_int_equal(seteuid(65534), 0);
	assert_int_equal(write_to("old", write_long), 0);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(see("old").st_size, LONG);
	unlink("old");
}

static int enter(void **state)
{
	(void)state;
	log_set_level(LOG_QUIET);
	return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") || rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_replaced),
		cmocka_unit_test(is_written_over),
		cmocka_unit_test(stays_after_an_error),
		cmocka_unit_test(needs_no_folder),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
