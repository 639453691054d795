/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The texts of frames: escapes, each kind of frame, and names that try to be taken for
 * something else. */
#include "user/output/text.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/unescape.h"
#include "user/lib/buf.h"
#include "user/output/escape.h"
#include "user/profile/profile.h"

static const struct {
	const char *text, *expected;
} escapes[] = {
	{ "", "" },
	{ "::ns::proc {x y} \"'", "::ns::proc {x y} \"'" },
	{ "\\", "\\x5c" },
	{ "a\\x3b", "a\\x5cx3b" },
	{ "a;b", "a\\x3bb" },
	{ "a\nb\rc\td", "a\\x0ab\\x0dc\\x09d" },
	{ "\033[31m\001\037\177", "\\x1b[31m\\x01\\x1f\\x7f" },
	{ "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	  "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
	/* C1 control characters, and the first that shows. */
	{ "\xc2\x80\xc2\x9f\xc2\xa1", "\\xc2\\x80\\xc2\\x9f\xc2\xa1" },
	/* No-break space; right-to-left override, and the dash before its kind; zero
	 * width space; the end of the tags, and what follows. */
	{ "\xc2\xa0", "\\xc2\\xa0" },
	{ "a\xe2\x80\xae"
	  "b\xe2\x80\xa7",
	  "a\\xe2\\x80\\xae"
	  "b\xe2\x80\xa7" },
	{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
	{ "\xf3\xa0\xbf\xbf\xf3\xa1\x80\x80",
	  "\\xf3\\xa0\\xbf\\xbf\xf3\xa1\x80\x80" },
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
		escape_name(escapes[i].text, false, &out);
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
	escape_name(buf_text(&text), false, out);
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
	assert_string_equal(out.data + 1020, "\\...");
	escape_times("a", 1000000, &out);
	assert_int_equal(out.len, 1024);
	/* Cut between characters and between escapes: 340 * 3, 255 * 4. */
	escape_times("\xe2\x82\xac", 342, &out);
	assert_string_equal(out.data + 1017, "\xe2\x82\xac\\...");
	escape_times(";", 257, &out);
	assert_string_equal(out.data + 1016, "\\x3b\\...");
	escape_times(";", 256, &out);
	assert_int_equal(out.len, 1024);
	assert_string_equal(out.data + 1016, "\\x3b\\x3b");
	buf_release(&out);
}

/* Everything that a frame can be. */
static void test_texts(void **state)
{
	enum { NAME = 1, MODULE, SPACE, FILE_NAME, EXPRESSION, ODD };
	static const char *const text[] = { "",	     "name",  "libc.so.6",
					    "stats", "fit.R", "f(x)",
					    "cut: x" };
	static const struct {
		struct frame frame;
		const char *text;
	} row[] = {
		{ { .name = NAME }, "name" },
		{ { .name = 0 }, "[unknown]" },
		{ { .name = NAME, .module = MODULE }, "name" },
		{ { .name = NAME, .module = MODULE, .flags = FRAME_ADDRESS },
		  "[libc.so.6+name]" },
		{ { .name = NAME, .module = ODD, .flags = FRAME_ADDRESS },
		  "[cut\\x3a\\x20x+name]" },
		{ { .type = FRAME_IS_INLINED, .name = NAME }, "name_[i]" },
		{ { .type = FRAME_IS_JIT, .name = NAME }, "name_[j]" },
		{ { .type = FRAME_IS_JIT }, "[anonymous code]" },
		{ { .type = FRAME_IS_JIT, .module = MODULE },
		  "[libc.so.6: not readable]" },
		{ { .module = MODULE }, "[libc.so.6]" },
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
		{ { .type = FRAME_IS_SCRIPT }, "[empty name]" },
		{ { .type = FRAME_IS_SCRIPT, .flags = FRAME_COROUTINE },
		  "coroutine [empty name]" },
		{ { .type = FRAME_IS_SCRIPT,
		    .space = SPACE,
		    .flags = FRAME_QUALIFIED },
		  "stats::" },
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
	for (u32 i = 0; i <= ODD; i++)
		assert_int_equal(intern_text(p->texts, text[i]), i);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct buf out = { 0 };

		text_frame(p, &row[i].frame, TEXT_SPACE | TEXT_PLACE, &out);
		assert_string_equal(buf_text(&out), row[i].text);
		buf_release(&out);
	}
	profile_free(p);
}

/* Names that would be taken for more than names, and such that would not. */
static void test_names(void **state)
{
	static const struct {
		const char *name, *text;
	} row[] = {
		{ "[cut: fake]", "\\x5bcut:\\x20fake]" },
		{ "[missing: x", "\\x5bmissing:\\x20x" },
		{ "[", "[" },
		{ "[[<-", "[[<-" },
		{ "[.data.frame", "[.data.frame" },
		{ "[.a+0x1]", "\\x5b.a+0x1]" },
		{ "x::[.a+0x1]", "x::\\x5b.a+0x1]" },
		{ "value[[3]]", "value[[3]]" },
		{ "f [x]", "f\\x20\\x5bx]" },
		{ "f(int (&) [3])", "f(int (&) [3])" },
		{ "schedule_[k]", "schedule_\\x5bk]" },
		{ "inlined_[i]", "inlined_\\x5bi]" },
		{ "a_[k] b", "a_\\x5bk]\\x20b" },
		{ "<anonymous>", "\\x3canonymous>" },
		{ "a::<promise x>", "a::\\x3cpromise\\x20x>" },
		{ "<GC>", "\\x3cGC>" },
		{ "<-", "<-" },
		{ "<T as core::Drop>::drop", "<T as core::Drop>::drop" },
		{ "coroutine x", "coroutine\\x20x" },
		{ "coroutines", "coroutines" },
		{ "w (x.tcl:12)", "w\\x20\\x28x.tcl:12)" },
		{ "w (#3)", "w\\x20\\x28#3)" },
		{ "w(x.tcl:12)", "w(x.tcl:12)" },
		{ "f(int (*)(char))", "f(int (*)(char))" },
		{ "two words", "two words" },
		{ "", "[empty name]" },
		{ "[empty name]", "\\x5bempty\\x20name]" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		buf_reset(&out);
		text_name(row[i].name, &out);
		assert_string_equal(buf_text(&out), row[i].text);
	}
	buf_release(&out);
}

static void test_bytes(void **state)
{
	struct buf out = { 0 }, back = { 0 };

	(void)state;
	for (unsigned i = 1; i < 0x10000; i++) {
		char name[] = { i & 0xff, i >> 8, '\0' };

		if (!name[0])
			continue;
		buf_reset(&out);
		buf_reset(&back);
		text_name(name, &out);
		unescape(buf_text(&out), &back);
		assert_string_equal(buf_text(&back), name);
		assert_null(strpbrk(buf_text(&out), ";\n\x7f"));
	}
	buf_release(&out);
	buf_release(&back);
}

/* ---- from the text back to the frame, by what docs/manual.md says ---- */

/* What a frame is, or what its text says: the name with its namespace, what stands
 * around it, and the place or expression. */
struct said {
	struct buf kind, name, after;
};

static void reset(struct said *s)
{
	buf_reset(&s->kind);
	buf_reset(&s->name);
	buf_reset(&s->after);
}

static void release(struct said *s)
{
	buf_release(&s->kind);
	buf_release(&s->name);
	buf_release(&s->after);
}

static bool ends(const char *text, const char *with)
{
	size_t len = strlen(text), n = strlen(with);

	return len >= n && !strcmp(text + len - n, with);
}

/* Cut off " [f(x)]", " (fit.R:12)" or " (#3)". */
static void read_after(char *text, struct said *s)
{
	char *at = strstr(text, " ["), *next, *end = text + strlen(text) - 1;
	char *digits;

	if (!strcmp(text, "coroutine [empty name]"))
		return;
	if (at && *end == ']') {
		*end = *at = '\0';
		buf_adds(&s->kind, "evaluates ");
		unescape(at + 2, &s->after);
		return;
	}
	at = strstr(text, " (");
	while (at && (next = strstr(at + 1, " (")))
		at = next;
	if (!at || *end != ')')
		return;
	for (digits = end; isdigit(digits[-1]);)
		digits--;
	if (digits[-1] != ':' && (digits[-1] != '#' || digits != at + 3))
		return;
	*end = '\0';
	buf_addf(&s->kind, "line %s ", digits);
	digits[-1] = *at = '\0';
	unescape(at + 2, &s->after);
}

/* The first of "<anonymous" and "<promise" that begins a name; its length, or 0. */
static size_t find_word(char *text, char **at)
{
	static const char *const word[] = { "<anonymous", "<promise" };

	for (*at = strchr(text, '<'); *at; *at = strchr(*at + 1, '<'))
		for (int i = 0; i < 2; i++)
			if (!strncmp(*at, word[i], strlen(word[i])) &&
			    (*at == text ||
			     (*at - text >= 2 && !strncmp(*at - 2, "::", 2))))
				return strlen(word[i]);
	return 0;
}

static void read_name(char *text, struct said *s)
{
	char *at, *end = text + strlen(text);
	size_t len = find_word(text, &at);

	if (!strcmp(text, "[empty name]") || ends(text, "::[empty name]")) {
		end[-(int)strlen("[empty name]")] = '\0';
	} else if (len && end[-1] == '>') {
		end[-1] = '\0';
		buf_addf(&s->kind, "%.*s", (int)len, at);
		memmove(at, at + len, strlen(at + len) + 1);
	}
	unescape(text, &s->name);
}

static void read_text(char *text, struct said *s)
{
	char *end;

	read_after(text, s);
	end = text + strlen(text);
	if (!strncmp(text, "coroutine ", 10)) {
		buf_adds(&s->kind, "coroutine ");
		text += 10;
	}
	if (ends(text, "_[i]") || ends(text, "_[j]") || ends(text, "_[k]")) {
		buf_adds(&s->kind, end - 4);
		end -= 4;
		*end = '\0';
	}
	if (*text == '[' && strcmp(text, "[empty name]") && end[-1] == ']') {
		buf_adds(&s->kind, "bracket");
		end[-1] = '\0';
		unescape(text + 1, &s->name);
	} else if (!strcmp(text, "<GC>")) {
		buf_adds(&s->kind, "ours");
	} else {
		read_name(text, s);
	}
}

static void describe(const struct profile *p, const struct frame *f,
		     struct said *s)
{
	static const char *const behind[] = { "",     "_[i]", "_[j]", "",
					      "_[k]", "",     "" };
	const char *name = profile_text(p, f->name);
	bool open = f->flags & (FRAME_ANONYMOUS | FRAME_PROMISE);

	if (f->expression)
		buf_adds(&s->kind, "evaluates ");
	else if (f->line)
		buf_addf(&s->kind, "line %u ", f->line);
	buf_adds(&s->after,
		 profile_text(p, f->expression ? f->expression : f->file));
	if (f->flags & FRAME_COROUTINE)
		buf_adds(&s->kind, "coroutine ");
	if (f->flags & FRAME_OURS) {
		buf_adds(&s->kind, "ours");
		return;
	}
	if (f->flags & FRAME_ADDRESS || f->type == FRAME_IS_MARKER) {
		buf_adds(&s->kind, "bracket");
		buf_addf(&s->name, "%s%s%s", profile_text(p, f->module),
			 f->type == FRAME_IS_MARKER ? "" : "+", name);
		return;
	}
	buf_adds(&s->kind, behind[f->type]);
	if (open)
		buf_adds(&s->kind,
			 f->flags & FRAME_PROMISE ? "<promise" : "<anonymous");
	if (f->space)
		buf_addf(&s->name, "%s::", profile_text(p, f->space));
	buf_addf(&s->name, "%s%s", open && *name ? " " : "", name);
}

static u32 random_text(struct profile *p)
{
	static const char *const token[] = {
		"[",	       "]",
		"_[k]",	       "_",
		"[cut: ",      " ",
		"(",	       ":1)",
		"#3)",	       "<GC>",
		"<",	       ">",
		"\\",	       "x3b",
		";",	       "::",
		"+0x1",	       ")",
		"a",	       "coroutine ",
		"\n",	       "\xff",
		"<anonymous",  "<promise",
		"empty name]", "\xe2\x80\xae",
		"user mode",
	};
	struct buf text = { 0 };
	u32 id;

	for (int n = rand() % 5; n > 0; n--)
		buf_adds(&text,
			 token[rand() % (sizeof(token) / sizeof(*token))]);
	id = intern_text(p->texts, buf_text(&text));
	buf_release(&text);
	return id;
}

static struct frame random_frame(struct profile *p)
{
	static const struct frame shape[] = {
		{ .type = FRAME_IS_C },
		{ .type = FRAME_IS_INLINED },
		{ .type = FRAME_IS_JIT },
		{ .type = FRAME_IS_KERNEL },
		{ .type = FRAME_IS_C, .flags = FRAME_ADDRESS },
		{ .type = FRAME_IS_MARKER },
		{ .type = FRAME_IS_SCRIPT, .flags = FRAME_OURS },
		{ .type = FRAME_IS_SCRIPT },
		{ .type = FRAME_IS_SCRIPT },
		{ .type = FRAME_IS_SCRIPT, .flags = FRAME_COROUTINE },
		{ .type = FRAME_IS_SCRIPT, .flags = FRAME_ANONYMOUS },
		{ .type = FRAME_IS_SCRIPT, .flags = FRAME_PROMISE },
	};
	struct frame f = shape[rand() % (sizeof(shape) / sizeof(*shape))];
	bool script = f.type == FRAME_IS_SCRIPT && !(f.flags & FRAME_OURS);

	do
		f.name = random_text(p);
	while (!f.name && !script);
	if (f.flags & FRAME_ADDRESS) {
		f.module = random_text(p);
		f.name = intern_text(p->texts, "0x12f");
	} else if (f.type == FRAME_IS_MARKER) {
		f.name = intern_text(p->texts,
				     rand() % 2 ? "cut: why so" : "user mode");
	} else if (f.flags & FRAME_OURS) {
		f.name = intern_text(p->texts, "<GC>");
	}
	if (script && rand() % 2)
		f.space = random_text(p);
	if (f.type != FRAME_IS_MARKER && rand() % 2) {
		f.file = random_text(p);
		f.line = 1 + rand() % 20;
	}
	if (script && !(f.flags & FRAME_COROUTINE) && rand() % 2)
		f.expression = random_text(p);
	return f;
}

/* Every part of any frame can be read from its text again. */
static void test_back(void **state)
{
	struct said is = { 0 }, says = { 0 };
	struct profile *p = profile_new();
	struct buf text = { 0 };

	(void)state;
	srand(1);
	for (int i = 0; i < 100000; i++) {
		struct frame f = random_frame(p);
		struct buf copy = { 0 };

		reset(&is);
		reset(&says);
		buf_reset(&text);
		describe(p, &f, &is);
		text_frame(p, &f, TEXT_SPACE | TEXT_PLACE, &text);
		buf_adds(&copy, buf_text(&text));
		read_text(copy.data, &says);
		buf_release(&copy);
		if (strcmp(buf_text(&is.kind), buf_text(&says.kind)) ||
		    strcmp(buf_text(&is.name), buf_text(&says.name)) ||
		    strcmp(buf_text(&is.after), buf_text(&says.after)))
			print_message("# %s\n", buf_text(&text));
		assert_string_equal(buf_text(&says.kind), buf_text(&is.kind));
		assert_string_equal(buf_text(&says.name), buf_text(&is.name));
		assert_string_equal(buf_text(&says.after), buf_text(&is.after));
	}
	release(&is);
	release(&says);
	buf_release(&text);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape), cmocka_unit_test(test_length),
		cmocka_unit_test(test_texts),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_bytes),  cmocka_unit_test(test_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
