/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Folded stacks: escapes, lines, and streams that fail. */
#include "user/output/folded.h"

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
#include "user/lib/buf.h"
#include "user/output/format.h"
#include "user/output/text.h"

static const struct {
	const char *text, *expected;
} escapes[] = {
	{ "", "" },
	{ "::ns::proc {x y} \\ \"'", "::ns::proc {x y} \\ \"'" },
	{ "a;b", "a\\x3bb" },
	{ "a\nb\rc\td", "a\\x0ab\\x0dc\\x09d" },
	{ "\033[31m\001\037\177", "\\x1b[31m\\x01\\x1f\\x7f" },
	{ "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	  "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
	/* C1 control characters, and the first that is none. */
	{ "\xc2\x80\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9f\xc2\xa0" },
	/* Not UTF-8: lone, cut, overlong, surrogate, too large. */
	{ "\x80\xbf\xff\xfe", "\\x80\\xbf\\xff\\xfe" },
	{ "\xc3", "\\xc3" },
	{ "\xe2\x82", "\\xe2\\x82" },
	{ "\xe2\x82z", "\\xe2\\x82z" },
	{ "\xf0\x9f\x98", "\\xf0\\x9f\\x98" },
	{ "\xc3\xc3\xa9", "\\xc3\xc3\xa9" },
	{ "\xc0\xaf", "\\xc0\\xaf" },
	{ "\xc1\xbf", "\\xc1\\xbf" },
	{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
	{ "\xe0\xa0\x80", "\xe0\xa0\x80" },
	{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	{ "\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80" },
};

static void test_escape(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		struct buf out = { 0 };

		buf_adds(&out, "x");
		folded_escape(escapes[i].text, &out);
		assert_string_equal(buf_text(&out) + 1, escapes[i].expected);
		buf_release(&out);
	}
}

/* n times the unit, escaped. */
static void escape_times(const char *unit, int n, struct buf *out)
{
	struct buf text = { 0 };

	for (int i = 0; i < n; i++)
		buf_adds(&text, unit);
	buf_reset(out);
	folded_escape(buf_text(&text), out);
	buf_release(&text);
}

static void test_length(void **state)
{
	struct buf out = { 0 };

	(void)state;
	escape_times("a", 1024, &out);
	assert_int_equal(out.len, 1024);
	assert_string_equal(out.data + 1020, "aaaa");
	escape_times("a", 1025, &out);
	assert_int_equal(out.len, 1024);
	assert_string_equal(out.data + 1020, "a...");
	escape_times("a", 1000000, &out);
	assert_int_equal(out.len, 1024);
	/* Cut between characters and between escapes: 340 * 3, 255 * 4. */
	escape_times("\xe2\x82\xac", 342, &out);
	assert_string_equal(out.data + 1017, "\xe2\x82\xac...");
	escape_times(";", 257, &out);
	assert_string_equal(out.data + 1016, "\\x3b...");
	escape_times(";", 256, &out);
	assert_int_equal(out.len, 1024);
	assert_string_equal(out.data + 1016, "\\x3b\\x3b");
	buf_release(&out);
}

static void add(struct profile *p, const u32 *id, size_t depth, u64 value)
{
	const struct profile_key key = { .command = intern_text(p->texts,
								"tclsh") };

	profile_add(p, &key, id, depth, &(struct profile_sum){ value, 7 },
		    true);
}

static struct profile *small_profile(void)
{
	struct profile *p = profile_new();
	struct frame main_proc = { .name = intern_text(p->texts, "main") };
	struct frame odd_proc = { .name = intern_text(p->texts, "a;b\n") };
	u32 proc = profile_add_frame(p, &main_proc, true);
	u32 odd = profile_add_frame(p, &odd_proc, true);

	add(p, (const u32[]){ proc, odd }, 2, 12);
	add(p, NULL, 0, 1);
	add(p, (const u32[]){ proc }, 1, 1ull << 40);
	add(p, (const u32[]){ odd, odd }, 2, 2);
	return p;
}

/* Everything that a frame can be. */
static void test_texts(void **state)
{
	enum { NAME = 1, MODULE, SPACE, FILE_NAME, EXPRESSION };
	static const char *const text[] = { "",	     "name",  "libc.so.6",
					    "stats", "fit.R", "f(x)" };
	static const struct {
		struct frame frame;
		const char *text;
	} row[] = {
		{ { .name = NAME }, "name" },
		{ { .name = 0 }, "[unknown]" },
		{ { .name = NAME, .module = MODULE }, "name" },
		{ { .name = NAME, .module = MODULE, .flags = FRAME_ADDRESS },
		  "[libc.so.6+name]" },
		{ { .type = FRAME_IS_INLINED, .name = NAME }, "name_[i]" },
		{ { .type = FRAME_IS_JIT, .name = NAME }, "name_[j]" },
		{ { .type = FRAME_IS_JIT, .module = MODULE }, "libc.so.6" },
		{ { .type = FRAME_IS_KERNEL, .name = NAME }, "name_[k]" },
		{ { .type = FRAME_IS_KERNEL }, "[kernel]" },
		{ { .type = FRAME_IS_INTERPRETER, .name = NAME },
		  "[name interpreter]" },
		{ { .type = FRAME_IS_MARKER, .name = NAME }, "[name]" },
		{ { .type = FRAME_IS_MARKER, .name = NAME, .flags = FRAME_CUT },
		  "[cut: name]" },
		{ { .type = FRAME_IS_SCRIPT, .name = NAME, .space = SPACE },
		  "stats::name" },
		{ { .type = FRAME_IS_SCRIPT,
		    .name = NAME,
		    .space = SPACE,
		    .flags = FRAME_UNEXPORTED },
		  "stats:::name" },
		{ { .type = FRAME_IS_SCRIPT,
		    .name = NAME,
		    .space = SPACE,
		    .flags = FRAME_COROUTINE | FRAME_QUALIFIED },
		  "coroutine stats::name" },
		{ { .type = FRAME_IS_SCRIPT, .flags = FRAME_ANONYMOUS },
		  "<anonymous>" },
		{ { .type = FRAME_IS_SCRIPT,
		    .name = NAME,
		    .space = SPACE,
		    .flags = FRAME_ANONYMOUS },
		  "stats::<anonymous name>" },
		{ { .type = FRAME_IS_SCRIPT, .flags = FRAME_PROMISE },
		  "<promise>" },
		{ { .type = FRAME_IS_SCRIPT,
		    .name = NAME,
		    .flags = FRAME_PROMISE },
		  "<promise name>" },
		{ { .name = NAME, .file = FILE_NAME, .line = 12 },
		  "name (fit.R:12)" },
		{ { .name = NAME, .line = 3 }, "name (#3)" },
		{ { .name = NAME, .expression = EXPRESSION }, "name [f(x)]" },
	};
	struct profile *p = profile_new();

	(void)state;
	for (u32 i = 0; i <= EXPRESSION; i++)
		assert_int_equal(intern_text(p->texts, text[i]), i);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct buf out = { 0 };

		text_frame(p, &row[i].frame, TEXT_SPACE | TEXT_PLACE, &out);
		assert_string_equal(buf_text(&out), row[i].text);
		buf_release(&out);
	}
	profile_free(p);
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
		cmocka_unit_test(test_escape),	cmocka_unit_test(test_length),
		cmocka_unit_test(test_texts),	cmocka_unit_test(test_lines),
		cmocka_unit_test(test_empty),	cmocka_unit_test(test_errors),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
