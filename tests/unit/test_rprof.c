/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* R's own format: with and without places, hostile names, streams that fail. */
#include "user/output/format.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/mem.h"
#include "user/profile/profile.h"

#define MAX_DEPTH 8

/* The text between two marks, which is cut off; NULL: the first is not there. */
static char *cut_off(char *text, const char *mark)
{
	char *at = strstr(text, mark);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(mark);
}

/* "space~name^file:line"; "%name": of the interpreter itself; "<>": anonymous. */
static u32 add_frame(struct profile *p, char *text)
{
	char *place = cut_off(text, "^"), *name = cut_off(text, "~");
	char *line = place ? strrchr(place, ':') : NULL;
	struct frame f = { .type = FRAME_IS_SCRIPT };
	char none[] = "";

	if (name)
		f.space = intern_text(p->texts, text);
	else
		name = text;
	if (*name == '%') {
		f.type = FRAME_IS_INTERPRETER;
		name++;
	} else if (!strcmp(name, "<>")) {
		f.flags = FRAME_ANONYMOUS;
		name = none;
	}
	f.name = intern_text(p->texts, name);
	if (line) {
		f.line = strtoul(line + 1, NULL, 10);
		*line = '\0';
		f.file = intern_text(p->texts, place);
	}
	return profile_add_frame(p, &f);
}

/* One stack, the command first, parted by "|". */
static void add(struct profile *p, const char *stack, u64 count)
{
	char *copy = xstrdup(stack), *rest = copy, *word = strsep(&rest, "|");
	const struct profile_key key = { .task = profile_add_command(p, word) };
	u32 frame[MAX_DEPTH];
	size_t depth = 0;

	while ((word = strsep(&rest, "|"))) {
		assert_true(depth < MAX_DEPTH);
		frame[depth++] = add_frame(p, word);
	}
	profile_add(p, &key, frame, depth, &(struct profile_sum){ count, 7 });
	free(copy);
}

static void becomes(struct profile *p, const char *expected)
{
	const struct format *f = format_find("rprof");
	static char text[1 << 16];
	FILE *out = tmpfile();
	size_t len;

	assert_non_null(f);
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
	profile_add_event(p, "cpu-clock", "nanoseconds", 10101010);
	add(p, "R|base~lapply|FUN", 2);
	add(p, "R|std::sort|base~sort", 1);
	add(p, "R", 1);
	add(p, "R|two words|a\"b", 1);
	add(p, "R|a;b\n\xff", 1);
	becomes(p, "sample.interval=10101\n"
		   "\"R\" \n"
		   "\"a\\x3bb\\x0a\\xff\" \"R\" \n"
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
	profile_add_event(p, "cpu-clock", "nanoseconds", 10101010);
	add(p, "R|<>|<anonymous>|%R", 1);
	add(p, "R|base~<>|a$b[[\"k\"]]$f", 1);
	add(p, "R|f^m.R:1|%Tcl", 1);
	add(p, "R|[a.so+0x1 interpreter]|interpreter]", 1);
	add(p, "R|%R", 1);
	becomes(p, "line profiling: sample.interval=10101\n"
		   "\"\\x3canonymous>\" \"<Anonymous>\" \"R\" \n"
		   "\"R\" \n"
		   "\"interpreter]\" \"\\x5ba.so+0x1\\x20interpreter]\" \"R\" "
		   "\n"
		   "\"a$b[[\"k\"]]$f\" \"<Anonymous>\" \"R\" \n"
		   "#File 1: m.R\n"
		   "1#1 \"f\" \"R\" \n");
}

static void test_places(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_add_event(p, "cpu-clock", "nanoseconds", 1001000);
	add(p, "R|go^/a b/m.R:7|spin^lib (1).R:12", 2);
	add(p, "R|go^/a b/m.R:8|f(int (*)(char))^x.c:3", 1);
	add(p, "R|w (x.tcl:12)|w (x.tcl:12)^a:b:3", 1);
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
		"4#3 \"w\\x20\\x28x.tcl:12)\" \"w\\x20\\x28x.tcl:12)\" \"R\" \n");
}

/* What is behind a name and no place stays there. */
static void test_no_places(void **state)
{
	struct profile *p = profile_new();
	struct frame typed = { .type = FRAME_IS_SCRIPT, .line = 3 };
	struct frame call = { .type = FRAME_IS_SCRIPT };
	struct profile_key key = { 0 };
	u32 id[2];

	(void)state;
	typed.name = call.name = intern_text(p->texts, "f");
	call.expression = intern_text(p->texts, "g(x:1)");
	key.task = profile_add_command(p, "R");
	id[0] = profile_add_frame(p, &typed);
	id[1] = profile_add_frame(p, &call);
	profile_add(p, &key, id, 2, &(struct profile_sum){ 1, 7 });
	add(p, "R|f (x:1)", 1);
	becomes(p, "sample.interval=20000\n"
		   "\"f\xc2\xa0[g(x:1)]\" \"f\xc2\xa0(#3)\" \"R\" \n"
		   "\"f\\x20\\x28x:1)\" \"R\" \n");
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
