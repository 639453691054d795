/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From words to names, with two made-up walkers in place of the real ones.
 *
 * native.so (native.S) plays three parts: as file 1 it is the interpreter of the
 * first walker, whose own code is the first 0x50 bytes; as file 2 a library; file
 * 3 is not known.  As file 4 it breaks its reader.
 */
#include "user/symbolize/decode.h"
#include "user/symbolize/symbolize.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "tests/unit/fixture.h"
#include "user/lib/buf.h"
#include "user/lib/intern.h"
#include "user/elf/module.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

static struct module interpreter, library, broken;
static u64 text;

/* Sub 1 is a line, of the text after it; "pkg::" is a name's package. */
static enum walker_says read_words(const u64 *word,
				   const struct walker_texts *texts,
				   struct walker_text *out)
{
	const char *said = texts->find(texts->ctx, word[1]);

	if (frame_sub(*word) == 1) {
		buf_adds(&out->file, said ? said : "");
		out->line = said ? (u32)frame_addr(*word) : 0;
		return WALKER_PLACE;
	}
	if (frame_extra(*word) >= 2)
		out->entry = word[2];
	if (!said)
		return WALKER_SILENT;
	if (!strncmp(said, "pkg::", 5)) {
		out->space = "pkg";
		said += 5;
	}
	buf_adds(&out->name, said);
	return WALKER_FRAME;
}

static const char *symbol(const void *data, u64 vaddr)
{
	assert_ptr_equal(data, &interpreter);
	if (vaddr == text + 0x30)
		return "builtin";
	return vaddr == text + 0x40 ? "if" : NULL;
}

static bool internal(const void *data, u64 vaddr)
{
	assert_ptr_equal(data, &interpreter);
	return vaddr < text + 0x50;
}

/* Runs in the jail. */
static void registered(const struct module *m,
		       void (*add)(void *ctx, u64 vaddr, const char *name),
		       void *ctx)
{
	(void)add;
	(void)ctx;
	if (!strcmp(m->name, "broken.so"))
		raise(SIGKILL);
}

static const struct walker first = {
	.name = "first",
	.title = "First",
	.read = read_words,
	.file.symbol = symbol,
	.file.internal = internal,
	.file.registered = registered,
	.language.glue = "if",
};

static const struct walker second = { .name = "second", .title = "Second" };
static const struct walker third = { .name = "third", .title = "Third" };

const struct walker *const walkers[WALKER_COUNT] = { &first, &second, &third };

static int open_module(struct module *m, const char *name)
{
	return module_open(m, fixture_open(name), name);
}

static const struct module *find_module(void *ctx, u32 file)
{
	assert_ptr_equal(ctx, &text);
	return file == 1		? &interpreter
	       : file == 2 || file == 5 ? &library
	       : file == 4		? &broken
					: NULL;
}

static const char *find_text(void *ctx, u64 id)
{
	static const char *const texts[] = { NULL, "proc", "pkg::builtin",
					     "command" };

	assert_ptr_equal(ctx, &library);
	return id < 4 ? texts[id] : NULL;
}

static bool with_lines;

static struct decoder *decoder;
static struct view view;

/* The frames to show of these words, valid until the next call. */
static size_t show(struct symbolizer *s, const u64 *word, size_t words,
		   bool root, const struct fold_frame **frames)
{
	const struct walker_texts texts = { find_text, &library };
	const struct frame *raw;
	size_t n;

	decoder_free(decoder);
	decoder = decoder_new(symbolizer_texts(s), &texts, with_lines);
	view.texts = symbolizer_texts(s);
	view.find = symbolizer_find;
	view.ctx = s;
	n = decoder_stack(decoder, word, words, &raw);
	return view_stack(&view, raw, n, root, frames);
}

static struct symbolizer *make(bool internals)
{
	struct symbolizer_config config = {
		.module = find_module,
		.ctx = &text,
		.view = { .internals = internals, .lines = with_lines },
	};

	view.options = config.view;
	return symbolizer_new(&config);
}

/* As outputs write it. */
static void write_frame(struct symbolizer *s, const struct frame *f,
			struct buf *out)
{
	const struct profile p = { .texts = symbolizer_texts(s) };

	text_frame(&p, f, TEXT_SPACE | TEXT_PLACE, out);
}

static const char *text_of(struct symbolizer *s, u32 id)
{
	return intern_get(symbolizer_texts(s), id, NULL);
}

static void check(const u64 *word, size_t words, bool root, bool internals,
		  const char *expected)
{
	struct symbolizer *s = make(internals);
	const struct fold_frame *frames;
	size_t n = show(s, word, words, root, &frames);
	struct buf out = { 0 };

	/* What is remembered gives the same. */
	assert_int_equal(show(s, word, words, root, &frames), n);
	for (size_t i = 0; i < n; i++) {
		buf_adds(&out, i ? ";" : "");
		write_frame(s, &frames[i].frame, &out);
	}
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
	symbolizer_free(s);
}

#define CHECK(root, internals, expected, ...)                           \
	check((const u64[]){ __VA_ARGS__ },                             \
	      sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64), root, \
	      internals, expected)

#define OWN(offset)	   frame_native(1, text + (offset))
#define LIBRARY(offset)	   frame_native(2, text + (offset))
#define SCRIPT(id)	   frame_walker(0, 1, 0, 0), (id)
#define COMMAND(id, entry) frame_walker(0, 2, 0, 0), (id), (entry)
#define LINE(number, id)   frame_walker(0, 1, 1, number), (id)
#define STATUS(status)	   frame_value58(FRAME_STATUS, status)

static void test_native(void **state)
{
	(void)state;
	CHECK(true, false, "hidden;foo::bar", LIBRARY(0x50), LIBRARY(0x70));
	CHECK(true, false, "[unknown];outer", LIBRARY(0x4f),
	      frame_native(3, 0x1000));
	CHECK(true, false, "[unknown];outer", LIBRARY(0x40),
	      frame_value58(FRAME_UNMAPPED, 0x7fff12345678));
}

static void test_fold(void **state)
{
	(void)state;
	/* What calls the interpreter is the program's. */
	CHECK(true, false, "versioned;proc;[First interpreter]", OWN(0x12),
	      OWN(0x22), SCRIPT(1), OWN(0x22), OWN(0x04), LIBRARY(0x60));
	CHECK(false, false, "versioned;proc;[First interpreter]", OWN(0x12),
	      OWN(0x22), SCRIPT(1), OWN(0x22), OWN(0x04), LIBRARY(0x60));
	CHECK(true, false, "proc;builtin;hidden", LIBRARY(0x71), OWN(0x33),
	      SCRIPT(1));
	CHECK(true, false, "pkg::builtin;hidden", LIBRARY(0x71), OWN(0x33),
	      SCRIPT(2));
	CHECK(true, false, "proc;hidden", LIBRARY(0x71), OWN(0x43), SCRIPT(1));
	/* Beyond its own code the file is like any other. */
	CHECK(true, false, "proc;foo::bar", OWN(0x53), OWN(0x13), SCRIPT(1));
	CHECK(true, false, "proc;command;outer", LIBRARY(0x40), LIBRARY(0x55),
	      COMMAND(3, LIBRARY(0x50)), SCRIPT(1));
	/* One that is not shown takes its function along. */
	CHECK(true, false, "proc;command;outer", LIBRARY(0x40), LIBRARY(0x55),
	      COMMAND(9, LIBRARY(0x50)), OWN(0x22), LIBRARY(0x71),
	      COMMAND(3, LIBRARY(0x70)), SCRIPT(1));
	CHECK(true, false, "pkg::builtin;outer", LIBRARY(0x40), LIBRARY(0x55),
	      COMMAND(9, LIBRARY(0x50)), OWN(0x33), SCRIPT(2));
}

static void test_internals(void **state)
{
	struct buf expected = { 0 };

	(void)state;
	buf_addf(&expected,
		 "versioned;sized;[native.so+0x%llx];proc;alias;"
		 "command;foo::bar;unsized",
		 text + 0x20);
	CHECK(true, true, buf_text(&expected), OWN(0x12), LIBRARY(0x55),
	      COMMAND(3, LIBRARY(0x50)), OWN(0x33), SCRIPT(1), OWN(0x22),
	      OWN(0x04), LIBRARY(0x60));
	CHECK(true, true, "command;hidden;foo::bar", LIBRARY(0x55),
	      COMMAND(9, LIBRARY(0x50)), LIBRARY(0x71),
	      COMMAND(3, LIBRARY(0x70)));
	buf_release(&expected);
}

static void test_status(void **state)
{
	(void)state;
	CHECK(false, false, "[cut: more frames than the limit];proc", SCRIPT(1),
	      STATUS(CUT_DEPTH));
	CHECK(true, false, "proc;[missing: tcl: memory unreadable];hidden",
	      LIBRARY(0x70), STATUS(TCL_READ), SCRIPT(1), STATUS(WALK_ROOT));
	/* The innermost one says it for all. */
	CHECK(true, false, "proc;outer;[by frame pointer];hidden",
	      LIBRARY(0x70), STATUS(NATIVE_CHAIN), LIBRARY(0x40),
	      STATUS(NATIVE_CHAIN), SCRIPT(1));
	CHECK(true, true,
	      "proc;[by frame pointer];outer;[by frame pointer];hidden",
	      LIBRARY(0x70), STATUS(NATIVE_CHAIN), LIBRARY(0x40),
	      STATUS(NATIVE_CHAIN), SCRIPT(1));
	CHECK(false, false, "[user mode]", STATUS(WALK_USER_MODE));
	CHECK(false, false, "[cut: unknown reason]", STATUS(WALK_STATUS_COUNT));
	CHECK(false, false, "[cut: unknown reason]", STATUS(1ull << 57));
}

static void test_lines(void **state)
{
	(void)state;
	/* Without --lines they are passed over. */
	CHECK(true, false, "proc;proc", LINE(8, 3), SCRIPT(1), LINE(9, 3),
	      SCRIPT(1));
	with_lines = true;
	CHECK(true, false, "proc (command:9);proc (command:8)", LINE(8, 3),
	      SCRIPT(1), LINE(9, 3), SCRIPT(1));
	CHECK(true, false, "proc;proc (command:8)", LINE(8, 3), SCRIPT(1),
	      SCRIPT(1));
	/* A frame that is not shown takes its line along. */
	CHECK(true, false, "proc", LINE(8, 3), SCRIPT(9), SCRIPT(1));
	/* Native frames, another walker's and a status do not. */
	CHECK(true, false, "proc (command:8);outer", LIBRARY(0x40), LINE(8, 3),
	      frame_walker(1, 0, 0, 0), SCRIPT(1));
	/* The last one counts; one whose text is missing is none. */
	CHECK(true, false, "proc (command:7)", LINE(8, 3), LINE(7, 3),
	      SCRIPT(1));
	CHECK(true, false, "proc", LINE(8, 9), SCRIPT(1));
	/* No frame comes after it. */
	CHECK(true, false, "proc", SCRIPT(1), LINE(8, 3));
	CHECK(true, false, "proc", SCRIPT(1), LINE(8, 3), SCRIPT(9));
	/* Folding looks at the names alone. */
	CHECK(true, false, "pkg::builtin (command:8);hidden", LIBRARY(0x71),
	      OWN(0x33), LINE(8, 3), SCRIPT(2));
	with_lines = false;
}

/* What is known stands apart. */
static void test_parts(void **state)
{
	const u64 word[] = { LIBRARY(0x71), OWN(0x33),	LINE(8, 3),
			     SCRIPT(2),	    LINE(9, 3), SCRIPT(1) };
	const struct fold_frame *f;
	struct symbolizer *s;

	(void)state;
	with_lines = true;
	s = make(false);
	assert_int_equal(show(s, word, sizeof(word) / sizeof(*word), true, &f),
			 3);
	assert_int_equal(f[0].frame.type, FRAME_IS_SCRIPT);
	assert_string_equal(text_of(s, f[0].frame.name), "proc");
	assert_string_equal(text_of(s, f[0].frame.file), "command");
	assert_int_equal(f[0].frame.line, 9);
	assert_int_equal(f[0].frame.space, 0);
	assert_string_equal(text_of(s, f[1].frame.name), "builtin");
	assert_string_equal(text_of(s, f[1].frame.space), "pkg");
	assert_int_equal(f[1].frame.line, 8);
	assert_int_equal(f[1].frame.module, 0);
	/* Of a native function, "foo::" is a part of its name. */
	assert_int_equal(f[2].frame.type, FRAME_IS_C);
	assert_string_equal(text_of(s, f[2].frame.name), "hidden");
	assert_string_equal(text_of(s, f[2].frame.module), "native.so");
	assert_int_equal(f[2].frame.file + f[2].frame.line, 0);
	symbolizer_free(s);
	with_lines = false;
}

static void test_native_lines(void **state)
{
	struct module native = library;
	u64 native_text = text, size;

	(void)state;
	assert_int_equal(open_module(&library, "native_lines.so"), 0);
	assert_int_equal(module_section(&library, ".text", &text, &size), 0);
	CHECK(true, false, "lined;lined", LIBRARY(0x04), LIBRARY(0x0b));
	with_lines = true;
	CHECK(true, false, "[unknown];lined (made.c:13);lined (made.c:12)",
	      LIBRARY(0x03), LIBRARY(0x04), frame_native(3, 0));
	/* A command shows the line of the function that it stands for. */
	CHECK(true, false, "proc (command:9);command (made.c:13)",
	      LIBRARY(0x04), COMMAND(3, LIBRARY(0)), LINE(9, 3), SCRIPT(1));
	with_lines = false;
	module_close(&library);
	library = native;
	text = native_text;
}

/* Two instructions of a function without a name are one frame, or two. */
static void test_nameless(void **state)
{
	const u64 word[] = { LIBRARY(0x2c), LIBRARY(0x22), LIBRARY(0x44) };
	struct symbolizer_config config = { .module = find_module,
					    .ctx = &text };
	const struct fold_frame *f;
	struct buf expected = { 0 };

	(void)state;
	for (int addresses = 0; addresses < 2; addresses++) {
		struct symbolizer *s;

		config.view.addresses = addresses;
		view.options = config.view;
		s = symbolizer_new(&config);
		assert_int_equal(show(s, word, 3, true, &f), 3);
		assert_false(f[0].frame.flags & FRAME_ADDRESS);
		for (int i = 1; i < 3; i++) {
			u64 at = addresses ? frame_addr(word[2 - i])
					   : text + 0x20;

			buf_reset(&expected);
			buf_addf(&expected, "0x%llx", at);
			assert_string_equal(text_of(s, f[i].frame.name),
					    buf_text(&expected));
			assert_true(f[i].frame.flags & FRAME_ADDRESS);
		}
		symbolizer_free(s);
	}
	buf_release(&expected);
}

/* A file that breaks its reader takes no other file's names along. */
static void test_broken(void **state)
{
	const u64 word[] = { frame_native(2, text + 0x10),
			     frame_native(4, text + 0x10),
			     frame_native(5, text + 0x40) };
	static const char *const names[] = { "outer", "", "unsized" };
	struct symbolizer *s = make(true);
	const struct fold_frame *frames;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		symbolizer_expect(s, word[i]);
	assert_int_equal(show(s, word, 3, true, &frames), 3);
	for (size_t i = 0; i < 3; i++) {
		print_message("# %zu\n", i);
		assert_int_equal(frames[i].frame.flags & FRAME_ADDRESS,
				 *names[i] ? 0 : FRAME_ADDRESS);
		if (*names[i])
			assert_string_equal(text_of(s, frames[i].frame.name),
					    names[i]);
	}
	symbolizer_free(s);
}

static void test_malformed(void **state)
{
	(void)state;
	check(NULL, 0, true, false, "");
	/* A name that never came, a walker and a kind that do not exist. */
	CHECK(true, false, "outer", LIBRARY(0x40), SCRIPT(9));
	CHECK(true, false, "outer", frame_walker(WALKER_COUNT, 1, 0, 0), 0,
	      LIBRARY(0x40), 0, frame_value58(5, 1));
	/* More payload than words. */
	CHECK(true, false, "outer", LIBRARY(0x40), frame_walker(0, 15, 0, 0),
	      1);
	CHECK(true, false, "outer", LIBRARY(0x40), frame_walker(0, 1, 0, 0));
}

static void test_kernel(void **state)
{
	struct symbolizer *s = make(false);
	const u64 word[] = { 0xffffffffffffff00, OWN(0x12) };
	const struct fold_frame *f;

	(void)state;
	assert_int_equal(show(s, word, 2, true, &f), 2);
	assert_int_equal(f[0].frame.type, FRAME_IS_INTERPRETER);
	assert_string_equal(text_of(s, f[0].frame.name), "First");
	assert_string_equal(text_of(s, f[0].frame.module), "native.so");
	assert_int_equal(f[1].frame.type, FRAME_IS_KERNEL);
	assert_int_equal(f[1].frame.name, 0);
	assert_int_equal(f[1].frame.module, 0);
	symbolizer_free(s);
	symbolizer_free(NULL);
}

static int open_modules(void **state)
{
	u64 size;

	(void)state;
	if (open_module(&interpreter, "native.so") ||
	    open_module(&library, "native.so") ||
	    module_open(&broken, fixture_open("native.so"), "broken.so") ||
	    module_section(&library, ".text", &text, &size))
		return -1;
	interpreter.walker[0] = &interpreter;
	return 0;
}

static int close_modules(void **state)
{
	(void)state;
	module_close(&interpreter);
	module_close(&broken);
	module_close(&library);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_native),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_internals),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_nameless),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_native_lines),
	};

	return cmocka_run_group_tests(tests, open_modules, close_modules);
}
