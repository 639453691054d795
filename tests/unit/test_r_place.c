/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where in a script an expression stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "walkers/r/text/r_text.h"
#include "walkers/walker.h"

#define X10  "xxxxxxxxxx"
#define X63  X10 X10 X10 X10 X10 X10 "xx\n"
#define X252 X63 X63 X63 X63

#define SECONDS_MAX 5 /* also under sanitizers */

/* Texts get new ids for each question. */
static const char *text[1024];
static size_t n_texts = 1;
static char head[(1 << 20) + 8];

static u64 add(const char *t)
{
	assert_true(n_texts < sizeof(text) / sizeof(text[0]));
	text[n_texts] = t;
	return n_texts++;
}

static const char *find(void *ctx, u64 id)
{
	(void)ctx;
	return id < n_texts ? text[id] : NULL;
}

static const struct walker_texts texts = { find, NULL };

static struct r_expression expression(const char *script, const char *t,
				      u64 bytes, u32 line)
{
	snprintf(head, sizeof(head), "s.R\n%s", script);
	return (struct r_expression){ add(head), add(t), bytes, line };
}

static u32 ask(const struct r_expression *e)
{
	const char *name = NULL;
	size_t len = 0;
	u32 line = r_place_line(&texts, e, &name, &len);

	if (line) {
		assert_int_equal(len, 3);
		assert_memory_equal(name, "s.R", 3);
	}
	return line;
}

static u32 line_of(const char *script, const char *t, u64 bytes, u32 line)
{
	struct r_expression e = expression(script, t, bytes, line);

	return ask(&e);
}

static void test_line(void **state)
{
	static const char two[] = "f <- 1\ng <- function() {\n h()\n}\n";
	static const char twice[] = "f <- 1\n#\nf <- 1\n";
	static const char parts[] = "a; b; c\nd; b";
	static const char big[] =
		"" X252 "abcd\n" X252 "abcde\n#" X252 "abcd\n";
	const struct {
		const char *script, *text;
		u64 bytes;
		u32 line, expected;
	} cases[] = {
		{ two, "f <- 1\n", 7, 1, 1 },
		{ two, "g <- function() {\n h()\n}\n", 25, 2, 3 },
		{ two, "g <- function() {\n h()\n}\n", 25, 3, 4 },
		{ two, "g <- function() {\n h()\n}\n", 25, 4, 0 },
		{ two, "g <- function() {\n h()\n}\n", 25, 0, 0 },
		/* Not what it says of itself; not at a beginning; not to an
		 * end; not there; nothing. */
		{ two, "f <- 1\n", 6, 1, 0 },
		{ two, "<- 1\n", 5, 1, 0 },
		{ two, "g <- function() {", 17, 1, 0 },
		{ two, "h <- 1\n", 7, 1, 0 },
		{ two, "", 0, 1, 0 },
		{ "", "f <- 1\n", 7, 1, 0 },
		{ twice, "f <- 1\n", 7, 1, 0 },
		{ twice, "#\nf <- 1\n", 9, 2, 3 },
		{ parts, " b;", 3, 1, 1 },
		{ parts, " c\n", 3, 1, 1 },
		{ parts, " b", 2, 1, 2 },
		/* Only the first 252 bytes were sent: the length tells. */
		{ big, X252 "...", 257, 6, 0 },
		{ big, X252 "...", 258, 5, 10 },
		{ big, X252 "...", 2580, 5, 0 },
		{ big, X252 "...", UINT64_MAX, 5, 0 },
		{ big, "xx", 257, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("# %zu: %s\n", i, cases[i].text);
		assert_int_equal(line_of(cases[i].script, cases[i].text,
					 cases[i].bytes, cases[i].line),
				 cases[i].expected);
	}
}

static void test_missing(void **state)
{
	struct r_expression e = expression("a\n", "a\n", 2, 1), other = e;

	(void)state;
	other.script = 9999;
	assert_int_equal(ask(&other), 0);
	other.script = add("no newline");
	assert_int_equal(ask(&other), 0);
	other.script = add("s.R\n");
	assert_int_equal(ask(&other), 0);
	other.script = add("s.R\na");
	assert_int_equal(ask(&other), 0);
	other = e;
	other.text = n_texts;
	assert_int_equal(ask(&other), 0);
	/* It can come later. */
	add("a\n");
	assert_int_equal(ask(&other), 1);
	assert_int_equal(ask(&e), 1);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* A megabyte in which the text begins everywhere, or every second expression is as long
 * as it; asked once for each of some lengths. */
static void test_hostile(void **state)
{
	static const char fill[] = { 'a', ';' };
	const size_t size = 1 << 20;
	char *script = malloc(size + 1), like[257];
	double since, used;

	(void)state;
	for (size_t kind = 0; kind < sizeof(fill); kind++) {
		struct r_expression e;

		memset(script, fill[kind], size);
		script[size] = '\0';
		memset(like, fill[kind], 252);
		memcpy(like + 251, kind ? "b..." : "a...", 5);
		e = expression(script, like, 0, 1);
		since = cpu_seconds();
		for (e.bytes = 300000; e.bytes < 300010; e.bytes++)
			assert_int_equal(ask(&e), 0);
		used = cpu_seconds() - since;
		print_message("# %.3f s\n", used);
		assert_true(used < SECONDS_MAX);
	}
	free(script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
