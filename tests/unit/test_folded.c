/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Folded stacks: lines, and streams that fail. */
#include "user/output/format.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/profile/profile.h"

static void add(struct profile *p, const u32 *id, size_t depth, u64 value)
{
	const struct profile_key key = { .task = profile_add_command(p,
								     "tclsh") };

	profile_add(p, &key, id, depth, &(struct profile_sum){ value, 7 });
}

static struct profile *small_profile(void)
{
	struct profile *p = profile_new();
	struct frame main_proc = { .name = intern_text(p->texts, "main") };
	struct frame odd_proc = { .name = intern_text(p->texts, "a;b\n") };
	u32 proc = profile_add_frame(p, &main_proc);
	u32 odd = profile_add_frame(p, &odd_proc);

	add(p, (const u32[]){ proc, odd }, 2, 12);
	add(p, NULL, 0, 1);
	add(p, (const u32[]){ proc }, 1, 1ull << 40);
	add(p, (const u32[]){ odd, odd }, 2, 2);
	return p;
}

static void test_lines(void **state)
{
	struct profile *p = small_profile();
	const struct format *f = format_find("folded");
	char text[512];
	FILE *out = tmpfile();
	size_t len;

	(void)state;
	assert_non_null(f);
	assert_int_equal(f->write(p, out), 0);
	rewind(out);
	len = fread(text, 1, sizeof(text) - 1, out);
	text[len] = '\0';
	assert_string_equal(text, "tclsh 1\n"
				  "tclsh;a\\x3bb\\x0a;a\\x3bb\\x0a 2\n"
				  "tclsh;main 1099511627776\n"
				  "tclsh;main;a\\x3bb\\x0a 12\n");
	fclose(out);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = profile_new();
	FILE *out = tmpfile();

	(void)state;
	assert_int_equal(folded_write(p, out), 0);
	assert_int_equal(ftell(out), 0);
	fclose(out);
	profile_free(p);
}

static void test_errors(void **state)
{
	struct profile *p = small_profile();
	FILE *out = fopen("/dev/full", "w");
	int fd[2];

	(void)state;
	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(folded_write(p, out), -ENOSPC);
	fclose(out);

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	close(fd[0]);
	out = fdopen(fd[1], "w");
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(folded_write(p, out), -EPIPE);
	/* The error of an earlier write. */
	assert_true(ferror(out));
	profile_free(p);
	p = profile_new();
	assert_int_equal(folded_write(p, out), -EIO);
	fclose(out);
	profile_free(p);
}

static void test_formats(void **state)
{
	(void)state;
	assert_null(format_find("no such"));
	assert_null(format_find(""));
	for (const struct format *f = formats; f->name; f++) {
		assert_ptr_equal(format_find(f->name), f);
		assert_non_null(f->help);
		assert_non_null(f->write);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
