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
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/text/tcl_text.h"
#include "walkers/walker.h"

enum {
	GLOBAL = 1,
	NS,
	WORK,
	CLASS,
	METHOD,
	ARGS,
	EMPTY,
	TYPED,
	TYPED_NS,
	STRING,
	TCL_STRING,
	TCL_DECODE,
	TCL_CLOCK,
	TCL_MATH,
	INFO_CLASS,
	MAP,
	HELPER,
	SIN,
	WINDOW,
	OPTION,
	NUMBER,
	PATH,
	HOSTILE,
	MISSING = 99
};

static const char *find(void *ctx, u64 id)
{
	static const char *const text[] = {
		[GLOBAL] = "::",
		[NS] = "::a::b",
		[WORK] = "work",
		[CLASS] = "Account",
		[METHOD] = "pay",
		[ARGS] = "x y",
		[EMPTY] = "",
		[TYPED] = "::go",
		[TYPED_NS] = "::a::go",
		[STRING] = "string",
		[TCL_STRING] = "::tcl::string",
		[TCL_DECODE] = "::tcl::binary::decode",
		[TCL_CLOCK] = "::tcl::clock",
		[TCL_MATH] = "::tcl::mathfunc",
		[INFO_CLASS] = "::oo::InfoClass",
		[MAP] = "map",
		[HELPER] = "ParseFormatArgs",
		[SIN] = "sin",
		[WINDOW] = ".a.b",
		[OPTION] = "-global",
		[NUMBER] = "100",
		[PATH] = "/a b/c.tcl",
		[HOSTILE] = "ab\n;c",
	};

	(void)ctx;
	return id < sizeof(text) / sizeof(text[0]) ? text[id] : NULL;
}

#define WORD(extra, sub, flags) frame_walker(WALKER_TCL, extra, sub, flags)
#define LOST			"[tcl name lost]"

static void test_name(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[5];
		const char *text; /* NULL: not shown */
	} cases[] = {
		{ { WORD(2, TCL_PROC, 0), GLOBAL, WORK }, "work" },
		{ { WORD(2, TCL_PROC, 0), NS, WORK }, "::a::b::work" },
		{ { WORD(2, TCL_PROC, 0), MISSING, WORK }, LOST },
		{ { WORD(2, TCL_PROC, 0), NS, MISSING }, LOST },
		{ { WORD(2, TCL_PROC, 0), 0, WORK }, LOST },
		{ { WORD(2, TCL_PROC, TCL_DUPLICATE), NS, WORK }, NULL },
		{ { WORD(2, TCL_PROC, TCL_AS_TYPED), 0, WORK }, "work" },
		{ { WORD(2, TCL_PROC, TCL_AS_TYPED), 0, TYPED }, "go" },
		{ { WORD(2, TCL_PROC, TCL_AS_TYPED), 0, TYPED_NS }, "::a::go" },
		{ { WORD(2, TCL_PROC, TCL_AS_TYPED), 0, MISSING }, LOST },
		{ { WORD(1, TCL_PROC, 0), GLOBAL }, "[tcl frame]" },
		{ { WORD(3, TCL_METHOD, 0), GLOBAL, CLASS, METHOD },
		  "Account pay" },
		{ { WORD(3, TCL_METHOD, 0), NS, CLASS, METHOD },
		  "::a::b::Account pay" },
		{ { WORD(3, TCL_METHOD, TCL_CONSTRUCTOR), GLOBAL, CLASS, 0 },
		  "Account constructor" },
		{ { WORD(3, TCL_METHOD, TCL_DESTRUCTOR), GLOBAL, CLASS, 0 },
		  "Account destructor" },
		{ { WORD(3, TCL_METHOD, 0), GLOBAL, CLASS, 0 }, LOST },
		{ { WORD(3, TCL_METHOD, 0), GLOBAL, 0, METHOD }, LOST },
		{ { WORD(3, TCL_METHOD, TCL_DUPLICATE), NS, CLASS, METHOD },
		  NULL },
		{ { WORD(1, TCL_LAMBDA, 0), ARGS }, "apply {x y}" },
		{ { WORD(1, TCL_LAMBDA, 0), EMPTY }, "apply {}" },
		{ { WORD(1, TCL_LAMBDA, 0), MISSING }, LOST },
		{ { WORD(1, TCL_NAMESPACE, 0), NS }, "namespace eval ::a::b" },
		{ { WORD(1, TCL_NAMESPACE, 0), GLOBAL }, NULL },
		{ { WORD(1, TCL_NAMESPACE, 0), MISSING }, LOST },
		{ { WORD(3, TCL_COMMAND, 0), GLOBAL, WORK, 7 }, "work" },
		{ { WORD(3, TCL_COMMAND, 0), NS, WORK, 7 }, "::a::b::work" },
		{ { WORD(3, TCL_COMMAND, TCL_AS_TYPED), 0, TYPED, 7 }, "go" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, WORK, 7, 0 }, "work" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, MAP },
		  "string map" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, WINDOW, 7, MAP },
		  ".a.b map" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, MISSING },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, OPTION },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, NUMBER },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, WINDOW },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, HOSTILE },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), GLOBAL, STRING, 7, EMPTY },
		  "string" },
		{ { WORD(4, TCL_COMMAND, 0), MISSING, STRING, 7, MAP }, LOST },
		{ { WORD(3, TCL_COMMAND, 0), TCL_STRING, MAP, 7 },
		  "string map" },
		{ { WORD(3, TCL_COMMAND, 0), TCL_DECODE, MAP, 7 },
		  "binary decode map" },
		{ { WORD(3, TCL_COMMAND, 0), INFO_CLASS, MAP, 7 },
		  "info class map" },
		{ { WORD(2, TCL_PROC, 0), TCL_CLOCK, MAP }, "clock map" },
		{ { WORD(2, TCL_PROC, 0), TCL_CLOCK, HELPER },
		  "::tcl::clock::ParseFormatArgs" },
		{ { WORD(3, TCL_COMMAND, 0), TCL_MATH, SIN, 7 },
		  "::tcl::mathfunc::sin" },
		{ { WORD(2, TCL_COROUTINE, 0), GLOBAL, WORK },
		  "coroutine work" },
		{ { WORD(2, TCL_COROUTINE, 0), NS, WORK },
		  "coroutine ::a::b::work" },
		{ { WORD(1, TCL_SCRIPT, 0), PATH }, "source c.tcl" },
		{ { WORD(1, TCL_SCRIPT, 0), WORK }, "source work" },
		{ { WORD(3, TCL_SCRIPT, 0), PATH, NS, WORK }, "source c.tcl" },
		{ { WORD(1, TCL_SCRIPT, 0), MISSING },
		  "source [tcl name lost]" },
		{ { WORD(1, TCL_SCRIPT, TCL_DUPLICATE), PATH }, NULL },
		{ { WORD(0, TCL_SCRIPT, 0) }, "[tcl frame]" },
		{ { WORD(0, TCL_UNNAMED, 0) }, "[tcl frame]" },
		{ { WORD(0, 0, 0) }, "[tcl frame]" },
		{ { WORD(3, 63, 0), GLOBAL, WORK, WORK }, "[tcl frame]" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		assert_int_equal(text_read(walkers[WALKER_TCL], cases[i].word,
					   &texts, &out),
				 cases[i].text ? WALKER_FRAME : WALKER_SILENT);
		assert_string_equal(buf_text(&out),
				    cases[i].text ? cases[i].text : "");
	}
	buf_release(&out);
}

static void test_line(void **state)
{
#define LINE(extra, kind, line) \
	WORD(extra, TCL_LINE, (u64)(kind) << 32 | (line))
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[3];
		bool is;
		const char *text;
	} cases[] = {
		{ { LINE(1, TCL_LINE_FILE, 12), PATH },
		  true,
		  " (/a b/c.tcl:12)" },
		{ { LINE(1, TCL_LINE_FILE, 0xffffffff), PATH },
		  true,
		  " (/a b/c.tcl:4294967295)" },
		{ { LINE(1, TCL_LINE_FILE, 12), MISSING }, true, "" },
		{ { LINE(0, TCL_LINE_FILE, 12), PATH }, true, "" },
		{ { LINE(0, TCL_LINE_PROC, 3) }, true, " (proc:3)" },
		{ { LINE(0, TCL_LINE_EVAL, 1) }, true, " (eval:1)" },
		{ { LINE(0, 0, 1) }, true, "" },
		{ { LINE(0, TCL_LINE_EVAL + 1, 1) }, true, "" },
		{ { LINE(0, 0xffff, 1) }, true, "" },
		{ { WORD(2, TCL_PROC, 0), GLOBAL, WORK }, false, "" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		assert_int_equal(text_read(walkers[WALKER_TCL], cases[i].word,
					   &texts, &out) == WALKER_PLACE,
				 cases[i].is);
		if (!cases[i].is)
			continue;
		assert_string_equal(buf_text(&out), cases[i].text);
	}
	buf_release(&out);
}

static void test_entry(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const struct {
		u64 word[4], entry;
	} cases[] = {
		{ { WORD(3, TCL_COMMAND, 0), 1, 2, 77 }, 77 },
		{ { WORD(3, TCL_COMMAND, TCL_DUPLICATE), 1, 2, 77 }, 77 },
		{ { WORD(2, TCL_PROC, 0), 1, 2 }, 0 },
		{ { WORD(2, TCL_COMMAND, 0), 1, 2 }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct walker_text t = { .line = 0 };

		tcl_name(cases[i].word, &texts, &t);
		assert_int_equal(t.entry, cases[i].entry);
		buf_release(&t.name);
	}
}

/* The namespace is a part of the name, but told apart. */
static void test_parts(void **state)
{
	static const struct walker_texts texts = { find, NULL };
	const u64 word[] = { WORD(3, TCL_METHOD, 0), NS, CLASS, METHOD };
	struct walker_text t = { .line = 0 };

	(void)state;
	assert_int_equal(tcl_name(word, &texts, &t), WALKER_FRAME);
	assert_string_equal(t.space, "::a::b");
	assert_string_equal(buf_text(&t.name), "Account pay");
	assert_int_equal(t.flags, FRAME_QUALIFIED | FRAME_JOINED);
	buf_release(&t.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
