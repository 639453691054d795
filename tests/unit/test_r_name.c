/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Frame words to text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jpbpf/frame.h>

#include "tests/host/text.h"
#include "user/lib/buf.h"
#include "walkers/r/r.h"
#include "walkers/r/text/r_text.h"
#include "walkers/walker.h"

static const char *find(void *ctx, u64 id)
{
	static const char *const text[] = { NULL,
					    "lapply",
					    "base",
					    "obj",
					    "run",
					    "compiler",
					    "tryCmpfun",
					    "tryCompile",
					    "cmpfun",
					    "{\nx\n",
					    "s.R\n#\n{\nx\n",
					    "a/b.R",
					    "#\n{\nx\n",
					    "$",
					    "::",
					    "a::b" };

	(void)ctx;
	return id < sizeof(text) / sizeof(text[0]) ? text[id] : NULL;
}

#define WORD(extra, sub, value) frame_walker(WALKER_R, extra, sub, value)

#define FILE_LINE(n) ((u64)R_LINE_FILE << 32 | (n))
#define SYMBOLS_3                                                  \
	(R_EXPR_SYMBOL | R_EXPR_SYMBOL << 4 | R_EXPR_SYMBOL << 8 | \
	 R_EXPR_CLOSE << 12)

static void test_name(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[4];
		const char *text;
	} cases[] = {
		{ { WORD(2, R_FUNCTION, 0), 1, 2 }, "base::lapply" },
		{ { WORD(2, R_FUNCTION, 0), 4, 0 }, "run" },
		{ { WORD(2, R_FUNCTION, 0), 99, 0 }, "[r name lost]" },
		{ { WORD(2, R_FUNCTION, 0), 1, 99 }, "[r name lost]" },
		{ { WORD(2, R_FUNCTION, 0), 0, 0 }, "[r name lost]" },
		{ { WORD(1, R_FUNCTION, 0), 1, 0 }, "[r frame]" },
		{ { WORD(2, R_MEMBER, R_OP_NS), 2, 1 }, "base::lapply" },
		{ { WORD(2, R_MEMBER, R_OP_NS_HIDDEN), 2, 1 },
		  "base:::lapply" },
		{ { WORD(2, R_MEMBER, R_OP_NS_HIDDEN), 5, 6 }, "<JIT>" },
		{ { WORD(2, R_MEMBER, R_OP_NS_HIDDEN), 5, 7 }, "<JIT>" },
		{ { WORD(2, R_MEMBER, R_OP_NS_HIDDEN), 5, 8 },
		  "compiler:::cmpfun" },
		{ { WORD(2, R_MEMBER, R_OP_DOLLAR), 5, 6 },
		  "compiler$tryCmpfun" },
		{ { WORD(2, R_MEMBER, R_OP_DOLLAR), 3, 4 }, "obj$run" },
		{ { WORD(2, R_MEMBER, R_OP_AT), 3, 4 }, "obj@run" },
		{ { WORD(2, R_MEMBER, R_OP_SUBSET), 3, 4 }, "obj[[run]]" },
		{ { WORD(2, R_MEMBER, R_OP_DOLLAR), 3, 99 }, "[r name lost]" },
		{ { WORD(2, R_MEMBER, R_OP_DOLLAR), 99, 4 }, "[r name lost]" },
		{ { WORD(2, R_MEMBER, 0), 3, 4 }, "[r frame]" },
		{ { WORD(2, R_MEMBER, R_OP_SUBSET + 1), 3, 4 }, "[r frame]" },
		{ { WORD(2, R_MEMBER, FRAME_VALUE48_MASK), 3, 4 },
		  "[r frame]" },
		{ { WORD(0, R_MEMBER, R_OP_AT), 3, 4 }, "[r frame]" },
		{ { WORD(0, R_ANONYMOUS, 0), 0, 0 }, "<anonymous>" },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 11, 0 },
		  "<anonymous b.R:12>" },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 4, 0 },
		  "<anonymous run:12>" },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 11, 2 },
		  "base::<anonymous b.R:12>" },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 99, 0 },
		  "[r name lost]" },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 11, 99 },
		  "[r name lost]" },
		{ { WORD(1, R_ANONYMOUS, FILE_LINE(12)), 4 }, "[r name lost]" },
		{ { WORD(2, R_ANONYMOUS, (u64)R_LINE_TYPED << 32 | 3), 0, 0 },
		  "<anonymous #3>" },
		{ { WORD(2, R_ANONYMOUS, (u64)R_LINE_TYPED << 32 | 3), 0, 2 },
		  "base::<anonymous #3>" },
		{ { WORD(2, R_ANONYMOUS, 0), 0, 2 }, "base::<anonymous>" },
		{ { WORD(2, R_ANONYMOUS, 0), 0, 99 }, "[r name lost]" },
		{ { WORD(3, R_PATH, SYMBOLS_3), 13, 3, 4 }, "obj$run" },
		{ { WORD(3, R_PATH, SYMBOLS_3), 13, 3, 99 }, "[r name lost]" },
		{ { WORD(2, R_PATH, SYMBOLS_3), 13, 3 }, "[r name lost]" },
		{ { WORD(2, R_METHOD, 0), 4, 3 }, "run,obj-method" },
		{ { WORD(3, R_METHOD, 0), 4, 3, 1 }, "run,obj,lapply-method" },
		{ { WORD(3, R_METHOD, 0), 4, 3, 99 }, "[r name lost]" },
		{ { WORD(2, R_METHOD, 0), 99, 3 }, "[r name lost]" },
		{ { WORD(1, R_METHOD, 0), 4 }, "[r frame]" },
		{ { WORD(1, R_SOURCE, 0), 11 }, "source b.R" },
		{ { WORD(1, R_SOURCE, 0), 10 }, "source s.R" },
		{ { WORD(1, R_SOURCE, 0), 4 }, "source run" },
		{ { WORD(1, R_SOURCE, 0), 9 }, "source {" },
		{ { WORD(1, R_SOURCE, 0), 99 }, "[r name lost]" },
		{ { WORD(0, R_SOURCE, 0), 4 }, "[r name lost]" },
		{ { WORD(0, R_UNNAMED, 0), 0, 0 }, "[r frame]" },
		{ { WORD(0, 63, 0), 0, 0 }, "[r frame]" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		buf_adds(&out, "x");
		assert_int_equal(text_read(walkers[WALKER_R], cases[i].word,
					   &texts, &out),
				 WALKER_FRAME);
		assert_string_equal(buf_text(&out) + 1, cases[i].text);
	}
	buf_release(&out);
}

/* The package is no part of the name. */
static void test_package(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[4];
		const char *package, *name;
		u16 flags;
	} cases[] = {
		{ { WORD(2, R_FUNCTION, 0), 1, 2 }, "base", "lapply", 0 },
		{ { WORD(2, R_FUNCTION, 0), 14, 2 }, "base", "::", 0 },
		{ { WORD(2, R_FUNCTION, 0), 15, 0 }, "", "a::b", 0 },
		{ { WORD(2, R_MEMBER, R_OP_NS), 2, 1 }, "base", "lapply", 0 },
		{ { WORD(2, R_MEMBER, R_OP_NS_HIDDEN), 2, 1 },
		  "base",
		  "lapply",
		  FRAME_UNEXPORTED },
		{ { WORD(2, R_MEMBER, R_OP_DOLLAR), 3, 4 }, "", "obj$run", 0 },
		{ { WORD(2, R_ANONYMOUS, FILE_LINE(12)), 11, 2 },
		  "base",
		  "b.R:12",
		  FRAME_ANONYMOUS },
		{ { WORD(0, R_PROMISE, 0) }, "", "", FRAME_PROMISE },
		{ { WORD(1, R_PROMISE, 0), 3 }, "", "obj", FRAME_PROMISE },
		{ { WORD(2, R_FUNCTION, 0), 99, 2 },
		  "",
		  "[r name lost]",
		  FRAME_OURS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct walker_text t = { .line = 0 };

		assert_int_equal(r_name(cases[i].word, &texts, &t),
				 WALKER_FRAME);
		assert_string_equal(t.space ? t.space : "", cases[i].package);
		assert_string_equal(buf_text(&t.name), cases[i].name);
		assert_int_equal(t.flags, cases[i].flags);
		buf_release(&t.name);
	}
}

static void test_called(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[2];
		bool called;
		const char *text;
	} cases[] = {
		{ { WORD(1, R_CALLED, 0), 1 }, true, "lapply" },
		{ { WORD(1, R_CALLED, 0), 99 }, true, "" },
		{ { WORD(0, R_CALLED, 0), 1 }, true, "" },
		{ { WORD(1, R_FUNCTION, 0), 1 }, false, "" },
		{ { WORD(0, R_ANONYMOUS, 0), 1 }, false, "" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		assert_int_equal(text_read(walkers[WALKER_R], cases[i].word,
					   &texts, &out) == WALKER_CALLED,
				 cases[i].called);
		if (!cases[i].called)
			continue;
		assert_string_equal(buf_text(&out), cases[i].text);
	}
	buf_release(&out);
}

static void test_line(void **state)
{
#define LINE(extra, kind, line) WORD(extra, R_LINE, (u64)(kind) << 32 | (line))
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[4];
		bool is_line;
		const char *text;
	} cases[] = {
		{ { LINE(1, R_LINE_FILE, 12), 4 }, true, " (run:12)" },
		{ { LINE(1, R_LINE_FILE, 0xffffffff), 4 },
		  true,
		  " (run:4294967295)" },
		{ { LINE(1, R_LINE_FILE, 12), 99 }, true, "" },
		{ { LINE(1, R_LINE_FILE, 12), 0 }, true, "" },
		{ { LINE(0, R_LINE_FILE, 12), 4 }, true, "" },
		{ { LINE(0, R_LINE_TYPED, 3) }, true, " (#3)" },
		{ { LINE(3, R_LINE_SCRIPT, 2), 9, 4, 10 }, true, " (s.R:3)" },
		{ { LINE(3, R_LINE_SCRIPT, 2), 9, 5, 10 }, true, " (#2)" },
		{ { LINE(3, R_LINE_SCRIPT, 2), 99, 4, 10 }, true, " (#2)" },
		{ { LINE(3, R_LINE_SCRIPT, 2), 9, 4, 99 }, true, " (#2)" },
		{ { LINE(2, R_LINE_SCRIPT, 2), 9, 4 }, true, "" },
		{ { LINE(0, 0, 1) }, true, "" },
		{ { LINE(0, R_LINE_SCRIPT + 1, 1) }, true, "" },
		{ { LINE(0, 0xffff, 1) }, true, "" },
		{ { WORD(2, R_FUNCTION, 0), 1 }, false, "" },
		{ { WORD(0, R_ANONYMOUS, 0) }, false, "" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		assert_int_equal(text_read(walkers[WALKER_R], cases[i].word,
					   &texts, &out) == WALKER_PLACE,
				 cases[i].is_line);
		if (!cases[i].is_line)
			continue;
		assert_string_equal(out.len ? buf_text(&out) : "",
				    cases[i].text);
	}
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_package),
		cmocka_unit_test(test_called),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
