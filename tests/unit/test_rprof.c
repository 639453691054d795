/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* R's own format: with and without places, hostile names, streams that fail. */
#include "user/output/rprof.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/profile/profile.h"
#include "user/output/format.h"

#define MAX_DEPTH 8

/* Where the mark was; it is taken out of the name. */
static char *take_out(char *name, char mark, char *otherwise)
{
	char *at = strchr(name, mark);

	if (!at)
		return otherwise;
	memmove(at, at + 1, strlen(at));
	return at;
}

/* One stack, outermost first, parted by "|"; "~" parts a name from what stands before
 * it, "^" from what stands behind. */
static void add(struct profile *p, const char *stack, u64 count)
{
	u32 frame[MAX_DEPTH];
	size_t depth = 0;

	while (*stack) {
		size_t len = strcspn(stack, "|");
		char name[128] = "", *behind, *before;

		assert_true(len < sizeof(name) && depth < MAX_DEPTH);
		memcpy(name, stack, len);
		before = take_out(name, '~', name);
		behind = take_out(name, '^', name + strlen(name));
		frame[depth++] = profile_name(p, name, (u32)(before - name),
					      (u32)strlen(behind));
		stack += len + (stack[len] == '|');
	}
	profile_add(p, frame, depth, count);
}

static void becomes(struct profile *p, const char *expected)
{
	const struct format *f = format_find("rprof");
	static char text[1 << 16];
	FILE *out = tmpfile();
	size_t len;

	assert_non_null(f);
	profile_sort(p);
	assert_int_equal(f->write(p, out), 0);
	rewind(out);
	len = fread(text, 1, sizeof(text) - 1, out);
	text[len] = '\0';
	assert_string_equal(text, expected);
	fclose(out);
	profile_free(p);
}

static void test_plain(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_set_interval(p, 10101);
	add(p, "R|base::~lapply|FUN", 2);
	add(p, "R|std::sort|base::~sort", 1);
	add(p, "R", 1);
	add(p, "R|two words|a\"b", 1);
	add(p, "R|a;b\n\xff", 1);
	add(p, "", 3);
	becomes(p, "sample.interval=10101\n"
		   "\"R\" \n"
		   "\"a;b\\x0a\\xff\" \"R\" \n"
		   "\"FUN\" \"lapply\" \"R\" \n"
		   "\"FUN\" \"lapply\" \"R\" \n"
		   "\"sort\" \"std::sort\" \"R\" \n"
		   "\"a\"b\" \"two\xc2\xa0words\" \"R\" \n");
}

/* Names that Rprof() has otherwise, and frames that it has not. */
static void test_names(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_set_interval(p, 10101);
	add(p, "R|<anonymous>|<anonymous>x|[R interpreter]", 1);
	add(p, "R|base::~<anonymous>|a$b[[\"k\"]]$f", 1);
	add(p, "R|f^ (m.R:1)|[Tcl interpreter]", 1);
	add(p, "R|[a.so+0x1 interpreter]|interpreter]", 1);
	add(p, "[R interpreter]", 1);
	becomes(p, "line profiling: sample.interval=10101\n"
		   "\"<anonymous>x\" \"<Anonymous>\" \"R\" \n"
		   "\"interpreter]\" \"R\" \n"
		   "\"a$b[[\"k\"]]$f\" \"<Anonymous>\" \"R\" \n"
		   "#File 1: m.R\n"
		   "1#1 \"f\" \"R\" \n"
		   "\"[R\xc2\xa0interpreter]\" \n");
}

static void test_places(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_set_interval(p, 1001);
	add(p, "R|go^ (/a b/m.R:7)|spin^ (lib (1).R:12)", 2);
	add(p, "R|go^ (/a b/m.R:8)|f(int (*)(char))^ (x.c:3)", 1);
	add(p, "R|w (x.tcl:12)|w (x.tcl:12)^ (a:b:3)", 1);
	add(p, "R|plain", 1);
	becomes(p,
		"line profiling: sample.interval=1001\n"
		"#File 1: lib (1).R\n"
		"#File 2: /a b/m.R\n"
		"1#12 \"spin\" 2#7 \"go\" \"R\" \n"
		"1#12 \"spin\" 2#7 \"go\" \"R\" \n"
		"#File 3: x.c\n"
		"3#3 \"f(int\xc2\xa0(*)(char))\" 2#8 \"go\" \"R\" \n"
		"\"plain\" \"R\" \n"
		"#File 4: a:b\n"
		"4#3 \"w\xc2\xa0(x.tcl:12)\" \"w\xc2\xa0(x.tcl:12)\" \"R\" \n");
}

/* What looks like a place and is none. */
static void test_no_places(void **state)
{
	static const char *const names[] = {
		"f (x:1)",
		"f^ (x)",
		"f^ (x:)",
		"f^ (x:1",
		"^(x:1)",
		"f^(x:1)",
		"f^)",
		"f^ x:1)",
		"f^ (1)",
		"f^ (:1) ",
		"f^ (:1)",
		"f^:1)",
		"f^ (x:9999999999)",
		"f^ (x:1))",
		"f^ [g(x:1)]",
		"f^ (#3)",
		"f^ :1)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct profile *p = profile_new();
		FILE *out = tmpfile();
		char text[256] = "";

		add(p, names[i], 1);
		assert_int_equal(rprof_write(p, out), 0);
		rewind(out);
		assert_non_null(fgets(text, sizeof(text), out));
		assert_string_equal(text, "sample.interval=20000\n");
		fclose(out);
		profile_free(p);
	}
}

static void test_empty(void **state)
{
	(void)state;
	becomes(profile_new(), "sample.interval=20000\n");
}

static void test_errors(void **state)
{
	struct profile *p = profile_new();
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	add(p, "R|f (x.R:1)", 1);
	assert_int_equal(rprof_write(p, out), -ENOSPC);
	fclose(out);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_places), cmocka_unit_test(test_no_places),
		cmocka_unit_test(test_empty),  cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
