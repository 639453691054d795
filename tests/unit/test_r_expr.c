/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The tokens of an expression to text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "walkers/r/r.h"
#include "walkers/r/text/r_text.h"
#include "walkers/walker.h"

static const char *const names[] = { NULL,
				     "f",
				     "x",
				     "+",
				     "[",
				     "[[",
				     "$",
				     "-",
				     "(",
				     "{",
				     "if",
				     "%in%",
				     "a",
				     "for",
				     "function",
				     "",
				     "fffffffffffffffffffffffffffffffffffffff",
				     "a\"b\\c\n\t\x1b\x7f\xc3\xa9" };
enum {
	F = 1,
	X,
	PLUS,
	SUBSET,
	ELEMENT,
	DOLLAR,
	MINUS,
	PAREN,
	BRACE,
	IF,
	IN,
	A,
	FOR,
	FUNCTION,
	MISSING,
	LONG,
	QUOTED
};

static const char *find(void *ctx, u64 id)
{
	(void)ctx;
	return id < sizeof(names) / sizeof(*names) ? names[id] : NULL;
}

/* Kinds as letters: s symbol, t string, r real, i integer, l logical, n NULL, o other,
 * = name, ( and ). */
static u64 kinds_of(const char *letters)
{
	static const char all[] = " stno=()  l  ir";
	u64 kinds = 0;

	for (u32 i = 0; letters[i]; i++)
		kinds |= (u64)(strchr(all, letters[i]) - all) << (i * 4);
	return kinds;
}

struct expression {
	const char *kinds;
	u64 word[8];
	u32 words;
	const char *text;
};

static void check(const struct expression *e)
{
	static const struct walker_texts texts = { find, NULL };
	struct buf out = { 0 }, text = { 0 };
	u64 word[10] = { 0 };

	word[0] = frame_walker(WALKER_R, e->words, R_EXPR, kinds_of(e->kinds));
	memcpy(word + 1, e->word, sizeof(e->word));
	if (r_expr(word, &texts, &out) && out.len) {
		buf_adds(&text, " [");
		buf_adds(&text, buf_text(&out));
		buf_addc(&text, ']');
	}
	assert_string_equal(buf_text(&text), e->text);
	buf_release(&text);
	buf_release(&out);
}

static void check_path(const struct expression *e)
{
	static const struct walker_texts texts = { find, NULL };
	struct buf out = { 0 };
	u64 word[10] = { 0 };
	bool whole;

	print_message("# %s\n", e->kinds);
	word[0] = frame_walker(WALKER_R, e->words, R_PATH, kinds_of(e->kinds));
	memcpy(word + 1, e->word, sizeof(e->word));
	whole = r_expr(word, &texts, &out);
	assert_int_equal(whole, e->text != NULL);
	assert_string_equal(buf_text(&out), e->text ? e->text : "");
	buf_release(&out);
}

#define ONE_AND_A_HALF 0x3ff8000000000000

static void test_expressions(void **state)
{
	static const struct expression all[] = {
		{ "(s)", { F }, 1, " [f()]" },
		{ "(sr)", { F, ONE_AND_A_HALF }, 2, " [f(1.5)]" },
		{ "(sil)", { F, 0xffffffff, 1 }, 3, " [f(-1L, TRUE)]" },
		{ "(sil)",
		  { F, 0x80000000, 0 },
		  3,
		  " [f(NA_integer_, FALSE)]" },
		{ "(sl)", { F, 0x80000000 }, 2, " [f(NA)]" },
		{ "(st)",
		  { F, QUOTED },
		  2,
		  " [f(\"a\\\"b\\\\c\\n\\t\\033\\177\xc3\xa9\")]" },
		{ "(stno)", { F, X }, 2, " [f(\"x\", NULL, ...)]" },
		{ "(s=ss)", { F, A, X, X }, 4, " [f(a = x, x)]" },
		{ "(s(ss))", { F, F, X }, 3, " [f(f(x))]" },
		{ "((ss)s)", { F, X, X }, 3, " [f(x)(x)]" },
		{ "(sss)", { PLUS, X, A }, 3, " [x + a]" },
		{ "(sss)", { IN, X, A }, 3, " [x %in% a]" },
		{ "(sss)", { DOLLAR, X, A }, 3, " [x$a]" },
		{ "(ss)", { MINUS, X }, 2, " [-x]" },
		{ "(ss)", { PAREN, X }, 2, " [(x)]" },
		{ "(ss)", { BRACE, X }, 2, " [{...}]" },
		{ "(sss", { BRACE, X, X }, 3, " [{...}]" },
		{ "(ssss)", { SUBSET, X, A, MISSING }, 4, " [x[a, ]]" },
		{ "(sss)", { ELEMENT, X, A }, 3, " [x[[a]]]" },
		{ "(ssss)", { IF, X, A, A }, 4, " [if (x) ...]" },
		{ "(ssss)", { FOR, X, A, A }, 4, " [for (x in a) ...]" },
		{ "(ssss)", { FUNCTION, X, A, A }, 4, " [function(...)]" },
		{ "s", { X }, 1, " [x]" },
		/* Cut off by the kernel side. */
		{ "(ss", { F, X }, 2, " [f(x, ...)]" },
		{ "(s(s", { F, F }, 2, " [f(f(...), ...)]" },
		{ "(sss", { PLUS, X, A }, 3, " [+(x, a, ...)]" },
		/* Cut off here. */
		{ "(sss)",
		  { LONG, LONG, LONG },
		  3,
		  " [fffffffffffffffffffffffffffffffffffffff(ffffffffffffffff"
		  "fffffffffffffffffffff...]" },
		/* Texts that never arrived, payload that is not there. */
		{ "(ss)", { F, 99 }, 2, "" },
		{ "(ss)", { F }, 1, "" },
		{ "(sr)", { F }, 1, "" },
		/* Nonsense. */
		{ "", { 0 }, 0, " [...]" },
		{ ")", { 0 }, 0, " [...]" },
		{ "()", { 0 }, 0, " [...]" },
		{ "((((((((((((",
		  { 0 },
		  0,
		  " [...(...)(...)(...)(...)(...)(...)(...)(...)(...)(...)(..."
		  ")]" },
		{ "(((((((((((s",
		  { F },
		  1,
		  " [f(...)(...)(...)(...)(...)(...)(...)(...)(...)(...)(...)]" },
		{ "(s==========",
		  { F, A, A, A, A, A },
		  6,
		  " [f(a = ..., a = ..., a = ..., a = ..., a = ..., ...)]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		check(&all[i]);
}

static void test_paths(void **state)
{
	static const struct expression all[] = {
		{ "sss)", { DOLLAR, X, F }, 3, "x$f" },
		{ "s(sss)s)", { DOLLAR, DOLLAR, X, A, F }, 5, "x$a$f" },
		{ "s(ss)s)", { DOLLAR, F, X, A }, 4, "f(x)$a" },
		{ "s(sss)i)", { ELEMENT, DOLLAR, X, A, 3 }, 5, "x$a[[3]]" },
		{ "ssr)", { ELEMENT, X, ONE_AND_A_HALF }, 3, "x[[1.5]]" },
		{ "sst)", { ELEMENT, X, A }, 3, "x[[\"a\"]]" },
		{ "sos)", { DOLLAR, F }, 2, "...$f" },
		{ "s(sss)s)",
		  { DOLLAR, DOLLAR, LONG, LONG, LONG },
		  5,
		  "fffffffffffffffffffffffffffffffffffffff$ffffffffffffffff"
		  "fffffffffffffffffffff..." },
		/* Cut off by the kernel side. */
		{ "s(sssss",
		  { DOLLAR, F, X, X, X, X },
		  6,
		  "f(x, x, x, x, ...)$..." },
		{ "s(sss)(sss",
		  { ELEMENT, DOLLAR, X, A, F, A, A },
		  7,
		  "x$a[[f(a, a, ...), ...]]" },
		/* Texts that never arrived, payload that is not there. */
		{ "sss)", { DOLLAR, X, 99 }, 3, NULL },
		{ "sss)", { DOLLAR, X }, 2, NULL },
		/* Nonsense. */
		{ "", { 0 }, 0, "..." },
		{ ")", { 0 }, 0, "..." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		check_path(&all[i]);
}

/* As R 4.2.2 writes it: deparse(call("f", VALUE)). */
static void test_reals(void **state)
{
	static const struct {
		double value;
		const char *text;
	} all[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -2.5, "-2.5" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.3" },
		{ 1.0 / 3, "0.333333333333333" },
		{ 2.0 / 3, "0.666666666666667" },
		{ 0.123456789012, "0.123456789012" },
		{ 10000, "10000" },
		{ 100000, "1e+05" },
		{ -100000, "-1e+05" },
		{ 123456, "123456" },
		{ 1200000, "1200000" },
		{ 3000000000.0, "3e+09" },
		{ 0.0001, "1e-04" },
		{ 0.00012, "0.00012" },
		{ 0.000012, "1.2e-05" },
		{ 1e15, "1e+15" },
		{ 123456789012345678.0, "123456789012345680" },
		{ 1.2345678901234567e25, "1.23456789012346e+25" },
		{ 1e100, "1e+100" },
		{ 1.5e-300, "1.5e-300" },
		{ 1.7976931348623157e308, "1.79769313486232e+308" },
		{ 5e-324, "4.94065645841247e-324" },
		{ 999999999999999.9, "1e+15" },
		{ INFINITY, "Inf" },
		{ -INFINITY, "-Inf" },
		{ NAN, "NaN" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct expression e = { "r", { 0 }, 1, NULL };
		char text[64];

		memcpy(e.word, &all[i].value, sizeof(e.word[0]));
		snprintf(text, sizeof(text), " [%s]", all[i].text);
		e.text = text;
		check(&e);
	}
	check(&(struct expression){
		"r", { 0x7ff00000000007a2 }, 1, " [NA_real_]" });
	/* As it becomes when something is computed with it. */
	check(&(struct expression){
		"r", { 0x7ff80000000007a2 }, 1, " [NA_real_]" });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_reals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
