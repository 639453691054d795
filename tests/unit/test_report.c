/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Reports: whole texts, their widths, and what they say where there is nothing. */
#include "user/report/report.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/report_profile.h"
#include "user/lib/buf.h"
#include "user/report/column.h"
#include "user/output/format.h"

static char text[1 << 20];

static int print(struct profile *p, const struct report_options *o)
{
	FILE *out = tmpfile();
	int err = report_print(p, NULL, o, out);

	rewind(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	fclose(out);
	return err;
}

static struct profile *usual(void)
{
	struct profile *p = report_profile();

	report_stack(p, "tclsh8.6",
		     "c:main;T:start@a.tcl:1;T:work@a.tcl:2;c:lsort", 40);
	report_stack(p, "tclsh8.6",
		     "c:main;T:start@a.tcl:1;T:work@a.tcl:3;.:Tcl;k:read", 30);
	report_stack(p, "tclsh8.6", "c:main;T:start@a.tcl:4;T:last;i:f", 28);
	report_stack(p, "tclsh8.6", "c:main;T:start@a.tcl:4;T:small", 1);
	report_stack(p, "R", "!:no table;R:fit;R:fit;c:memcpy", 100);
	report_stack(p, "R", "!:no table;R:fit;R:tiny", 1);
	return p;
}

static const struct {
	const char *what;
	struct report_options options;
	const char *text;
} rows[] = {
	{ "tree",
	  { .width = 80 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  " Under     %      In     %\n"
	  "1.01 s  50.5  0.00 s   0.0    R\n"
	  "1.01 s  50.5  0.00 s   0.0  ! └ [cut: no table]\n"
	  "1.01 s  50.5  0.00 s   0.0  R ╎ fit\n"
	  "1.00 s  50.0  0.00 s   0.0  R ╎ fit\n"
	  "1.00 s  50.0  1.00 s  50.0  C ╎ memcpy\n"
	  "0.99 s  49.5  0.00 s   0.0    tclsh8.6\n"
	  "0.99 s  49.5  0.00 s   0.0  C └ main\n"
	  "0.99 s  49.5  0.00 s   0.0  T ╎ start\n"
	  "0.70 s  35.0  0.00 s   0.0  T   ├ work\n"
	  "0.40 s  20.0  0.40 s  20.0  C   │ ├ lsort\n"
	  "0.30 s  15.0  0.00 s   0.0  ·   │ └ [Tcl interpreter]\n"
	  "0.30 s  15.0  0.30 s  15.0  k   │ ╎ read_[k]\n"
	  "0.28 s  14.0  0.00 s   0.0  T   └ last\n"
	  "0.28 s  14.0  0.28 s  14.0  i   ╎ f_[i]\n" },
	{ "wide, samples",
	  { .width = 200, .counts_only = true, .least = 20 },
	  "tclsh8.6, R · 200 samples · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 20 %\n"
	  "\n"
	  "Under     %     In     %\n"
	  "  101  50.5      0   0.0    R\n"
	  "  101  50.5      0   0.0  ! └ [cut: no table]\n"
	  "  101  50.5      0   0.0  R ╎ fit\n"
	  "  100  50.0      0   0.0  R ╎ fit\n"
	  "  100  50.0    100  50.0  C ╎ memcpy\n"
	  "   99  49.5      0   0.0    tclsh8.6\n"
	  "   99  49.5      0   0.0  C └ main\n"
	  "   99  49.5      0   0.0  T ╎ start\n"
	  "   70  35.0      0   0.0  T   └ work\n"
	  "   40  20.0     40  20.0  C     └ lsort\n" },
	{ "narrow",
	  { .width = 20 },
	  "tclsh8.6, R\n"
	  "200 samples · 2.00 s\n"
	  "cpu-clock\n"
	  "host lab1\n"
	  "In: itself\n"
	  "Under: it and below\n"
	  "left out: below 1 %\n"
	  "\n"
	  "Under\n"
	  " 50.5    R\n"
	  " 50.5  ! └ [cut…ble]\n"
	  " 50.5  R ╎ fit\n"
	  " 50.0  R ╎ fit\n"
	  " 50.0  C ╎ memcpy\n"
	  " 49.5    tclsh8.6\n"
	  " 49.5  C └ main\n"
	  " 49.5  T ╎ start\n"
	  " 35.0  T   ├ work\n"
	  " 20.0  C   ├ +1 ls…t\n"
	  " 15.0  ·   └ +1 [T…]\n"
	  " 15.0  k   ╎ +1 re…]\n"
	  " 14.0  T   └ last\n"
	  " 14.0  i   ╎ f_[i]\n" },
	{ "colours",
	  { .width = 50, .color = true, .depth = 3 },
	  "\033[1mtclsh8.6, R\033[0m\033[2m · \033[0m\033[1m200 samples\033[0m\033[2m · \033[0m\033[1m2.00 s\033[0m\033[2m · \033[0m\033[1mcpu-clock\033[0m\n"
	  "\033[1mhost lab1\033[0m\n"
	  "\033[1mIn: itself\033[0m\033[2m · \033[0m\033[1mUnder: it and below\033[0m\n"
	  "\033[1mleft out: below 1 %\033[0m\n"
	  "\n"
	  "\033[1mUnder     In  \033[0m\n"
	  " 50.5    0.0    \033[1mR\033[0m\n"
	  " 50.5    0.0  \033[1;35m!\033[0m \033[2m└ \033[0m\033[1;35m[cut: no table]\033[0m\n"
	  " 50.5    0.0  \033[34mR\033[0m \033[2m╎ \033[0m\033[34mfit\033[0m\n"
	  "\033[2m                  └ … 2 more, 50.5 %\033[0m\n"
	  " 49.5    0.0    \033[1mtclsh8.6\033[0m\n"
	  " 49.5    0.0  \033[33mC\033[0m \033[2m└ \033[0m\033[33mmain\033[0m\n"
	  " 49.5    0.0  \033[32mT\033[0m \033[2m╎ \033[0m\033[32mstart\033[0m\n"
	  "\033[2m                  └ … 3 more, 49.5 %\033[0m\n" },
	{ "functions: recursion counts once",
	  { .by = REPORT_FUNCTION, .width = 80 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  " Under     %      In     %\n"
	  "1.01 s  50.5  0.00 s   0.0  ! [cut: no table]\n"
	  "1.01 s  50.5  0.00 s   0.0  R fit\n"
	  "1.00 s  50.0  1.00 s  50.0  C memcpy\n"
	  "0.99 s  49.5  0.00 s   0.0  C main\n"
	  "0.99 s  49.5  0.00 s   0.0  T start\n"
	  "0.70 s  35.0  0.00 s   0.0  T work\n"
	  "0.40 s  20.0  0.40 s  20.0  C lsort\n"
	  "0.30 s  15.0  0.30 s  15.0  k read_[k]\n"
	  "0.30 s  15.0  0.00 s   0.0  · [Tcl interpreter]\n"
	  "0.28 s  14.0  0.28 s  14.0  i f_[i]\n"
	  "0.28 s  14.0  0.00 s   0.0  T last\n"
	  "                              … 2 more, 1.0 %\n" },
	{ "lines",
	  { .by = REPORT_LINE, .width = 59 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  "Under     In\n"
	  " 99.5   70.0  C [native]\n"
	  " 50.5    0.5  R [R]\n"
	  " 50.5    0.0  ! [marker]\n"
	  " 35.0    0.0  T a.tcl:1\n"
	  " 20.0    0.0  T a.tcl:2\n"
	  " 15.0   15.0  k [kernel]\n"
	  " 15.0    0.0  · [interpreter]\n"
	  " 15.0    0.0  T a.tcl:3\n"
	  " 14.5    0.5  T [Tcl]\n"
	  " 14.5    0.0  T a.tcl:4\n"
	  " 14.0   14.0  i [inlined]\n" },
	{ "threads",
	  { .by = REPORT_THREAD, .width = 59 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  "Under     In\n"
	  " 50.5   50.5    R\n"
	  " 49.5   49.5    tclsh8.6\n" },
	{ "events",
	  { .by = REPORT_EVENT, .width = 80 },
	  "tclsh8.6, R · 200 samples · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  "Under     %     In     %\n"
	  "  200 100.0    200 100.0    cpu-clock\n" },
	{ "callers and callees",
	  { .calls = "work", .width = 80 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  "Callers:\n"
	  " Under     %\n"
	  "0.70 s  35.0  T work\n"
	  "0.70 s  35.0  T └ start\n"
	  "0.70 s  35.0  C ╎ main\n"
	  "0.70 s  35.0    ╎ tclsh8.6\n"
	  "\n"
	  "Callees:\n"
	  " Under     %      In     %\n"
	  "0.70 s  35.0  0.00 s   0.0  T work\n"
	  "0.40 s  20.0  0.40 s  20.0  C ├ lsort\n"
	  "0.30 s  15.0  0.00 s   0.0  · └ [Tcl interpreter]\n"
	  "0.30 s  15.0  0.30 s  15.0  k ╎ read_[k]\n" },
	{ "recursive",
	  { .calls = "fit", .width = 80 },
	  "tclsh8.6, R · 200 samples · 2.00 s · cpu-clock · host lab1\n"
	  "In: itself · Under: it and below · left out: below 1 %\n"
	  "\n"
	  "Callers:\n"
	  " Under     %\n"
	  "1.01 s  50.5  R fit\n"
	  "1.01 s  50.5  ! └ [cut: no table]\n"
	  "1.01 s  50.5    ╎ R\n"
	  "\n"
	  "Callees:\n"
	  " Under     %      In     %\n"
	  "1.01 s  50.5  0.00 s   0.0  R fit\n"
	  "1.00 s  50.0  0.00 s   0.0  R └ fit\n"
	  "1.00 s  50.0  1.00 s  50.0  C ╎ memcpy\n" },
};

static void test_texts(void **state)
{
	struct profile *p = usual();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct report_options o = rows[i].options;

		print_message("# %s\n", rows[i].what);
		o.least = o.least ? o.least : 1;
		assert_int_equal(print(p, &o), 0);
		assert_string_equal(text, rows[i].text);
	}
	profile_free(p);
}

/* A line for a column too many, and what there is for one too few. */
static void test_widths(void **state)
{
	static const char *const names[] = {
		"short",
		"a_name_that_is_much_too_long_for_twenty_columns_and_more",
		"数据分析模块の関数名とても長い名前です数据分析模块",
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
		"e\xcc\x81"
	};
	struct profile *p = report_profile();
	u32 path[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		report_stack(p, names[i], names[i], 10);
	for (size_t i = 0; i < 5000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "T:deep%zu", i % 7);
		path[i] = report_frame(p, name);
		if (i % 50 == 49)
			profile_add(p, &(struct profile_key){ 0 }, path, i + 1,
				    &(struct profile_sum){ 3, 0 });
	}
	for (unsigned width = 0; width <= 200; width += width < 90 ? 1 : 10) {
		struct report_options o = { .width = width, .least = 0.1 };
		char *rest = text, *line;
		size_t lines = 0;

		assert_int_equal(print(p, &o), 0);
		for (; (line = strsep(&rest, "\n")); lines++)
			assert_in_range(column_width(line), 0,
					width < 20 ? 20 : width);
		assert_true(lines > 4900);
	}
	profile_free(p);
}

static void test_cut(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
		bool middle;
		const char *cut;
	} cuts[] = {
		{ "abc", 3, true, "abc" },
		{ "abcdef", 5, true, "ab…ef" },
		{ "abcdef", 4, true, "ab…f" },
		{ "abcdef", 4, false, "abc…" },
		{ "abcdef", 1, true, "…" },
		{ "abcdef", 0, true, "" },
		{ "数据分析", 8, true, "数据分析" },
		{ "数据分析", 7, true, "数…析" },
		{ "数据分析", 4, true, "数…" },
		{ "e\xcc\x81"
		  "bcde\xcc\x81",
		  4, true,
		  "e\xcc\x81"
		  "b…e\xcc\x81" },
		{ "\xff\xfe", 1, true, "…" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		struct buf out = { 0 };

		print_message("# %s to %zu\n", cuts[i].text, cuts[i].columns);
		column_cut(cuts[i].text, cuts[i].columns, cuts[i].middle, &out);
		assert_string_equal(buf_text(&out), cuts[i].cut);
		buf_release(&out);
	}
}

static void test_empty(void **state)
{
	struct profile *p = profile_new();
	struct report_options o = { .width = 80, .event = ~0u };

	(void)state;
	for (int by = REPORT_TREE; by <= REPORT_EVENT; by++) {
		o.by = by;
		assert_int_equal(print(p, &o), 0);
		assert_string_equal(text, "0 samples\nNo samples.\n");
	}
	profile_free(p);
}

static void test_source(void **state)
{
	static const char path[] = "/tmp/jpbpf-test-source/a.tcl";
	struct report_options o = { .width = 80, .source = path };
	struct profile *p = usual();
	char folder[] = "/tmp/jpbpf-test-XXXXXX", file[64];
	FILE *out;

	(void)state;
	assert_int_equal(print(p, &o), -ENOENT);
	o.source = "/dev/null";
	assert_int_equal(print(p, &o), -ENXIO);
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/b.tcl", folder);
	out = fopen(file, "w");
	fputs("one\n", out);
	fclose(out);
	o.source = file;
	assert_int_equal(print(p, &o), -ENOENT);
	unlink(file);
	snprintf(file, sizeof(file), "%s/a.tcl", folder);
	out = fopen(file, "w");
	fputs("work\nlsort \033[2J\n\tread\n\nnever", out);
	fclose(out);
	assert_int_equal(print(p, &o), 0);
	assert_string_equal(strstr(text, "\n\n") + 2,
			    " Under     %      In     %\n"
			    "0.70 s  35.0  0.00 s   0.0     1  work\n"
			    "0.40 s  20.0  0.00 s   0.0     2  lsort \\x1b[2J\n"
			    "0.30 s  15.0  0.00 s   0.0     3          read\n"
			    "0.29 s  14.5  0.00 s   0.0     4\n"
			    "                               5  never\n");
	unlink(file);
	rmdir(folder);
	profile_free(p);
}

static void test_unknown(void **state)
{
	struct profile *p = usual();
	struct report_options o = { .width = 80, .calls = "ork" };

	(void)state;
	assert_int_equal(print(p, &o), -ENOENT);
	profile_free(p);
}

static void test_errors(void **state)
{
	struct profile *p = usual();
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(report_write(p, out), -ENOSPC);
	fclose(out);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),  cmocka_unit_test(test_widths),
		cmocka_unit_test(test_cut),    cmocka_unit_test(test_empty),
		cmocka_unit_test(test_source), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
