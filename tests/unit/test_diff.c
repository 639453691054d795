/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two profiles: folded, and what is told as change, noise, new and gone. */
#include "user/report/report.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/report_profile.h"

static const struct {
	const char *what;
	struct report_options options;
	const char *text;
} rows[] = {
	{ "folded",
	  { .by = REPORT_FOLDED },
	  "R;fit;solve (a.R:3) 600 400\n"
	  "R;fit;old 100 0\n"
	  "R;fit;gc 300 304\n"
	  "R;fit;young 0 296\n" },
	{ "folded, as it is",
	  { .by = REPORT_FOLDED, .as_they_are = true },
	  "R;fit;solve (a.R:3) 600 200\n"
	  "R;fit;old 100 0\n"
	  "R;fit;gc 300 152\n"
	  "R;fit;young 0 148\n" },
	{ "functions",
	  { .by = REPORT_FUNCTION, .width = 80 },
	  "A: 1000 samples · 10.00 s · B: 500 samples · 5.00 s · Under: it and below\n"
	  "B in A's total · ~: may be chance\n"
	  "\n"
	  "    A → B         Change\n"
	  "  0.0 →  29.6        new  R young\n"
	  " 60.0 →  40.0    -33.3 %  R solve\n"
	  " 10.0 →   0.0       gone  R old\n"
	  " 30.0 →  30.4  ~  +1.3 %  C gc\n"
	  "100.0 → 100.0  ~  +0.0 %  R fit\n" },
	{ "functions, as they are",
	  { .by = REPORT_FUNCTION, .width = 80, .as_they_are = true },
	  "A: 1000 samples · 10.00 s · B: 500 samples · 5.00 s · Under: it and below\n"
	  "B as it is · ~: may be chance\n"
	  "\n"
	  "    A → B         Change\n"
	  "100.0 →  50.0    -50.0 %  R fit\n"
	  " 60.0 →  20.0    -66.7 %  R solve\n"
	  " 30.0 →  15.2    -49.3 %  C gc\n"
	  "  0.0 →  14.8        new  R young\n"
	  " 10.0 →   0.0       gone  R old\n" },
	{ "lines",
	  { .by = REPORT_LINE, .width = 80 },
	  "A: 1000 samples · 10.00 s · B: 500 samples · 5.00 s · Under: it and below\n"
	  "B in A's total · ~: may be chance\n"
	  "\n"
	  "    A → B         Change\n"
	  " 60.0 →  40.0    -33.3 %  R a.R:3\n"
	  " 30.0 →  30.4  ~  +1.3 %  C [native]\n"
	  "100.0 → 100.0  ~  +0.0 %  R [R]\n" },
	{ "tree",
	  { .width = 80, .least = 1 },
	  "A: 1000 samples · 10.00 s · B: 500 samples · 5.00 s · Under: it and below\n"
	  "B in A's total · ~: may be chance\n"
	  "\n"
	  "    A → B         Change\n"
	  "100.0 → 100.0  ~  +0.0 %    R\n"
	  "100.0 → 100.0  ~  +0.0 %  R └ fit\n"
	  " 60.0 →  40.0    -33.3 %  R   ├ solve\n"
	  " 30.0 →  30.4  ~  +1.3 %  C   ├ gc\n"
	  "  0.0 →  29.6        new  R   ├ young\n"
	  " 10.0 →   0.0       gone  R   └ old\n" },
	{ "narrow, colours",
	  { .by = REPORT_FUNCTION, .width = 20, .color = true, .least = 30 },
	  "\033[1mA: 1000 samples\033[0m\n"
	  "\033[1m10.00 s\033[0m\n"
	  "\033[1mB: 500 samples\033[0m\n"
	  "\033[1m5.00 s\033[0m\n"
	  "\033[1mUnder: it and below\033[0m\n"
	  "\033[1mB in A's total\033[0m\n"
	  "\033[1m~: may be chance\033[0m\n"
	  "\n"
	  "\033[1m   Change\033[0m\n"
	  "  -33.3 %  \033[34mR\033[0m \033[34msolve\033[0m\n"
	  "\033[2m~  +1.3 %  \033[0m\033[2mC\033[0m \033[2mgc\033[0m\n"
	  "\033[2m~  +0.0 %  \033[0m\033[2mR\033[0m \033[2mfit\033[0m\n"
	  "\033[2m             …29.6 %\033[0m\n" },
};

static char text[1 << 16];

static void print(struct profile *a, struct profile *b,
		  const struct report_options *o)
{
	FILE *out = tmpfile();

	assert_int_equal(report_print(a, b, o, out), 0);
	rewind(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	fclose(out);
}

static void test_texts(void **state)
{
	struct profile *a = report_profile(), *b = report_profile();

	(void)state;
	report_stack(a, "R", "R:fit;R:solve@a.R:3", 600);
	report_stack(a, "R", "R:fit;R:old", 100);
	report_stack(a, "R", "R:fit;c:gc", 300);
	report_stack(b, "R", "R:fit;c:gc", 152);
	report_stack(b, "R", "R:fit;R:solve@a.R:3", 200);
	report_stack(b, "R", "R:fit;R:young", 148);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print_message("# %s\n", rows[i].what);
		print(a, b, &rows[i].options);
		assert_string_equal(text, rows[i].text);
	}
	profile_free(a);
	profile_free(b);
}

static void test_empty(void **state)
{
	struct profile *a = profile_new(), *b = report_profile();
	struct report_options o = { .width = 20 };

	(void)state;
	o.by = REPORT_FOLDED;
	print(a, b, &o);
	assert_string_equal(text, "");
	o.by = REPORT_FUNCTION;
	print(a, b, &o);
	assert_non_null(strstr(text, "No samples."));
	report_stack(b, "R", "R:fit", 10);
	print(a, b, &o);
	assert_non_null(strstr(text, "new  R fit"));
	print(b, a, &o);
	assert_non_null(strstr(text, "gone  R fit"));
	profile_free(a);
	profile_free(b);
}

static void test_errors(void **state)
{
	struct profile *p = report_profile();
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	report_stack(p, "R", "R:fit", 10);
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(
		report_print(p, p,
			     &(struct report_options){ .by = REPORT_FOLDED },
			     out),
		-ENOSPC);
	fclose(out);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
