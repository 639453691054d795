/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folding, on stacks written as text: one frame a word, outermost first.
 *
 *   name     a native frame of some module, its function's start is the name
 *   tcl.fn   a frame of Tcl's own code; R.fn of R's, R.fn=lapply with script name
 *   :name    a Tcl script frame; :name@fn one that stands for the C function fn
 *   ,name    an R script frame
 *   name_[k] a kernel frame; [x] a status frame
 *   ^name    flag: main(); !name: start-up; ?name: nameless in the C library
 *            (before everything else)
 */
#include "user/symbolize/fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "walkers/walker.h"

static const struct walker tcl = { .name = "tcl", .title = "Tcl" };
static const struct walker r = {
	.name = "r",
	.title = "R",
	.language.glue = "{|(|if|.Internal",
};

#define MAX_FRAMES 64

struct parsed {
	struct fold_frame frame[MAX_FRAMES];
	size_t n;
	char *text; /* the words, cut apart */
	/* What frames say by id; the frame's name is one. */
	const char *texts[3 * MAX_FRAMES];
	u32 n_texts;
};

/* A start address that is equal for equal names. */
static u64 address(const char *name)
{
	u64 h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h;
}

static unsigned parse_flag(char **word)
{
	static const char marks[] = "^!?~";
	static const unsigned flags[] = { FOLD_MAIN, FOLD_START_UP,
					  FOLD_BARE_LIBC, FOLD_ASIDE };
	const char *mark = strchr(marks, **word);

	if (!mark || !*mark)
		return 0;
	(*word)++;
	return flags[mark - marks];
}

static u32 text(struct parsed *p, const char *word)
{
	p->texts[++p->n_texts] = word;
	return p->n_texts;
}

static const char *text_of(const struct parsed *p, size_t i)
{
	return p->texts[p->frame[i].frame.name];
}

static void parse_native(struct parsed *p, struct fold_frame *f, char *word)
{
	f->frame.module = 1;
	if (!strncmp(word, "tcl.", 4)) {
		f->walker = &tcl;
		f->title = text(p, "[Tcl interpreter]");
	} else if (!strncmp(word, "R.", 2)) {
		f->walker = &r;
		f->title = text(p, "[R interpreter]");
	}
	f->frame.name = text(p, word);
	word = strchr(word, '=');
	if (word) {
		*word = '\0';
		f->script = word + 1;
		f->label = text(p, word + 1);
	}
	f->start = address(p->texts[f->frame.name]);
}

/* "pkg::" in front is no part of the name. */
static void parse_script(struct parsed *p, struct fold_frame *f, char *word)
{
	char *at = strchr(word + 1, '@');
	char *colon = strstr(word + 2, "::");

	f->frame.type = FRAME_IS_SCRIPT;
	f->walker = *word == ':' ? &tcl : &r;
	f->frame.name = text(p, word + 1);
	f->name = word + 1;
	if (colon)
		f->name = colon + (colon[2] == ':' ? 3 : 2);
	if (at) {
		*at = '\0';
		f->entry = address(at + 1);
	}
}

static void parse_frame(struct parsed *p, char *word)
{
	struct fold_frame *f = &p->frame[p->n++];

	*f = (struct fold_frame){ .flags = parse_flag(&word) };
	if (*word == ':' || *word == ',') {
		parse_script(p, f, word);
	} else if (strstr(word, "_[k]")) {
		f->frame.type = FRAME_IS_KERNEL;
		f->frame.name = text(p, word);
	} else if (*word == '[') {
		f->frame.type = FRAME_IS_MARKER;
		f->frame.name = text(p, word);
	} else {
		parse_native(p, f, word);
	}
}

static void parse(struct parsed *p, const char *stack)
{
	char *rest, *word;

	p->n = 0;
	p->n_texts = 0;
	p->text = rest = xstrdup(stack);
	while ((word = strsep(&rest, " "))) {
		assert_true(p->n < MAX_FRAMES);
		if (*word)
			parse_frame(p, word);
	}
}

static void check(const char *stack, bool root, const char *expected)
{
	struct buf out = { 0 };
	struct parsed p;
	size_t n;

	parse(&p, stack);
	n = fold_stack(p.frame, p.n, root);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(&out, ';');
		buf_adds(&out, text_of(&p, i));
	}
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
	free(p.text);
}

struct fold_case {
	const char *stack;
	const char *rooted, *cut; /* cut NULL: the same */
};

static void check_all(const struct fold_case *c, size_t n)
{
	for (; n--; c++) {
		check(c->stack, true, c->rooted);
		check(c->stack, false, c->cut ? c->cut : c->rooted);
	}
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof(*(cases)))

static void test_runs(void **state)
{
	static const struct fold_case cases[] = {
		{ "", "", NULL },
		{ "main work", "main;work", NULL },
		/* Between other frames a run vanishes. */
		{ ":a tcl.N tcl.E :b work", "a;b;work", NULL },
		{ "app tcl.N :a tcl.N ext tcl.N :b work", "app;a;ext;b;work",
		  NULL },
		{ ":a tcl.N memmove", "a;memmove", NULL },
		/* At the leaf it is one frame, under kernel frames too. */
		{ ":a tcl.N tcl.E", "a;[Tcl interpreter]", NULL },
		{ ":a tcl.N k1_[k] k2_[k]", "a;[Tcl interpreter];k1_[k];k2_[k]",
		  NULL },
		{ ":a tcl.N write k1_[k]", "a;write;k1_[k]", NULL },
		{ "tcl.N", "[Tcl interpreter]", NULL },
		/* Two interpreters side by side are two runs. */
		{ ",f R.e tcltk tcl.N :a tcl.N R.e",
		  "f;tcltk;a;[R interpreter]", NULL },
		{ ",f R.e tcl.N", "f;[Tcl interpreter]", NULL },
		{ ":f :g", "f;g", NULL },
		{ "k1_[k] k2_[k]", "k1_[k];k2_[k]", NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_builtins(void **state)
{
	static const struct fold_case cases[] = {
		{ ",f R.eval R.do_paste=paste R.x work", "f;paste;work", NULL },
		{ ",f R.eval R.do_paste=paste", "f;paste", NULL },
		{ ",f R.eval R.do_paste=paste R.alloc k_[k]", "f;paste;k_[k]",
		  NULL },
		/* The closure of the same name stands for it, at the leaf too. */
		{ ",base::lapply R.do_lapply=lapply R.eval ,FUN R.eval",
		  "base::lapply;FUN;[R interpreter]", NULL },
		{ ",base::paste R.do_internal=.Internal R.do_paste=paste",
		  "base::paste", NULL },
		{ ",a:::hidden R.do_h=hidden work", "a:::hidden;work", NULL },
		{ ",lapply R.do_lapply=lapply work", "lapply;work", NULL },
		{ ",x$lapply R.do_lapply=lapply work", "x$lapply;lapply;work",
		  NULL },
		/* Not through another script frame. */
		{ ",base::lapply R.e ,f R.do_lapply=lapply work",
		  "base::lapply;f;lapply;work", NULL },
		/* A builtin that was shown is the next outer script frame. */
		{ ",f R.do_c=c R.dispatch R.do_c=c work", "f;c;work", NULL },
		{ ",f R.do_docall=do.call R.do_c=c work", "f;do.call;c;work",
		  NULL },
		/* Glue is not shown and covers nothing. */
		{ ",f R.do_if=if R.do_begin={ R.e", "f;[R interpreter]", NULL },
		{ ",f R.do_if=if R.do_sum=sum R.do_begin={", "f;sum", NULL },
		/* The same word of another language is another thing. */
		{ ":c ext R.do_c=c work", "c;ext;c;work", NULL },
		{ ",:: R.do_colon=:: work", "::;work", NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_called(void **state)
{
	static const struct {
		const char *frame, *called, *shown;
	} cases[] = {
		{ "R.do_math1=floor|sqrt|cos", "sqrt", "sqrt" },
		{ "R.do_math1=floor|sqrt|cos", "cos", "cos" },
		/* It has no such name, or not the whole of it. */
		{ "R.do_math1=floor|sqrt|cos", "sin", "floor|sqrt|cos" },
		{ "R.do_math1=floor|sqrt|cos", "sqr", "floor|sqrt|cos" },
		{ "R.do_math1=floor|sqrt|cos", "", "floor|sqrt|cos" },
		{ "R.bcEval", "sqrt", "[R interpreter]" },
		{ "some_c", "sqrt", "some_c" },
		{ ",closure", "sqrt", "closure" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct parsed p;

		parse(&p, cases[i].frame);
		fold_called(&p.frame[0], cases[i].called,
			    text(&p, cases[i].called));
		assert_int_equal(fold_stack(p.frame, p.n, false), 1);
		assert_string_equal(text_of(&p, 0), cases[i].shown);
		free(p.text);
	}
}

static void test_commands(void **state)
{
	static const struct fold_case cases[] = {
		/* The script's name in place of the C function. */
		{ ":p tcl.N :cmd@ext_cmd ext_cmd helper", "p;cmd;helper",
		  NULL },
		{ ":p tcl.N :cmd@ext_cmd ext_cmd", "p;cmd", NULL },
		{ ":p tcl.N :cmd@ext_cmd ext_cmd ext_cmd", "p;cmd;ext_cmd",
		  NULL },
		{ ":p tcl.N :lsort@tcl.lsort tcl.lsort tcl.merge", "p;lsort",
		  NULL },
		{ ":p tcl.N :lsort@tcl.lsort tcl.lsort k_[k]", "p;lsort;k_[k]",
		  NULL },
		{ ":p :lsort@tcl.lsort tcl.lsort memcmp", "p;lsort;memcmp",
		  NULL },
		/* Builds that do not call it from the evaluator itself. */
		{ ":p :cmd@ext_cmd tcl.Dispatch ext_cmd helper", "p;cmd;helper",
		  NULL },
		/* Not what lies behind other frames. */
		{ ":cmd@ext_cmd other ext_cmd", "cmd;other;ext_cmd", NULL },
		{ ":cmd@ext_cmd tcl.N :q ext_cmd", "cmd;q;ext_cmd", NULL },
		{ ":cmd@ext_cmd tcl.N", "cmd", NULL },
		/* Tcl's own code called by an extension is not the command. */
		{ ":cmd@ext_cmd ext_cmd tcl.list", "cmd;[Tcl interpreter]",
		  NULL },
		{ ":cmd@ext_cmd k_[k]", "cmd;k_[k]", NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_start_up(void **state)
{
	static const struct fold_case cases[] = {
		/* A shell is the interpreter's own from main() on. */
		{ "!_start !__libc_start_main ^tcl.main tcl.Main tcl.N :a work",
		  "a;work", "_start;__libc_start_main;a;work" },
		{ "!_start ^tcl.main tcl.Main tcl.N", "[Tcl interpreter]",
		  "_start;[Tcl interpreter]" },
		{ "!_start ^R.main R.loop R.e R.do_sum=sum", "sum",
		  "_start;sum" },
		/* A program of the user's own: only the C library's start goes,
		 * whatever main loop it calls and however far out. */
		{ "!_start !__libc_start_main ^main tcl.Main tcl.N :a work",
		  "main;a;work", "_start;__libc_start_main;main;a;work" },
		{ "!_start ^main serve R.init R.loop ext R.e ,f work",
		  "main;serve;ext;f;work", "_start;main;serve;ext;f;work" },
		{ "!_start ^main tcl.Main app.init tcl.N R.loop",
		  "main;"
		  "app.init;[R interpreter]",
		  "_start;main;app.init;[R interpreter]" },
		{ "!clone3 !start_thread worker k_[k]", "worker;k_[k]",
		  "clone3;start_thread;worker;k_[k]" },
		/* The same names further in are somebody's call. */
		{ "main app tcl.N :a !clone ^loop", "main;app;a;clone;loop",
		  NULL },
		{ "!_start ^main !start_thread work", "main;start_thread;work",
		  "_start;main;start_thread;work" },
		/* Without symbols. */
		{ "?c+1 ?c+2 worker ?c+3", "worker;c+3", "c+1;c+2;worker;c+3" },
		{ "!_start !__libc_start_main ?x main ?y", "main;y",
		  "_start;__libc_start_main;x;main;y" },
		{ "!_start static1 static2 ^main main2", "main;main2",
		  "_start;static1;static2;main;main2" },
		{ "?a ?b ?c ?d", "d", "a;b;c;d" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_status(void **state)
{
	static const struct fold_case cases[] = {
		{ "[cut] ^main tcl.Main :a work", "[cut];main;a;work", NULL },
		{ "!_start [r] ^main tcl.Main :a [t] work",
		  "[r];main;a;[t];work", "_start;[r];main;a;[t];work" },
		{ ":a tcl.N [t] tcl.E", "a;[t];[Tcl interpreter]", NULL },
		{ ":a tcl.N [t]", "a;[Tcl interpreter];[t]", NULL },
		{ "[cut]", "[cut]", NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

/* What is shown says what it is. */
static void test_kinds(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, ",f R.do_paste=paste ext R.e");
	assert_int_equal(fold_stack(p.frame, p.n, true), 4);
	assert_int_equal(p.frame[1].frame.type, FRAME_IS_SCRIPT);
	assert_int_equal(p.frame[1].frame.module, 0);
	assert_int_equal(p.frame[2].frame.type, FRAME_IS_C);
	assert_string_equal(text_of(&p, 3), "[R interpreter]");
	assert_int_equal(p.frame[3].frame.type, FRAME_IS_INTERPRETER);
	assert_int_equal(p.frame[3].frame.module, 1);
	free(p.text);
}

/* A frame with a ~ is aside. */
static void test_lexical(void **state)
{
	static const struct {
		const char *stack, *expected;
	} cases[] = {
		{ ",f ,g ,h", "f;g;h" },
		{ ",f ~,g ~,h ,i", "f;i" },
		/* Also what it called, but nothing of another interpreter. */
		{ "a ,f b ~,g c ~,h d ,i e", "a;f;b;i;e" },
		{ ",f ~,g c :t d ~,h ,i", "f;t;d;i" },
		{ ",f ~,g c sys_[k] [cut]", "f;sys_[k];[cut]" },
		/* The outermost one stays. */
		{ "a ~,f ~,g ,i", "a;f;i" },
		{ ":t ~,f ~,g ,i", "t;f;i" },
		{ "", "" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct buf out = { 0 };
		struct parsed p;
		size_t n;

		parse(&p, cases[k].stack);
		n = fold_lexical(p.frame, p.n, false);
		for (size_t i = 0; i < n; i++)
			buf_addf(&out, "%s%s", i ? ";" : "", text_of(&p, i));
		assert_string_equal(out.len ? buf_text(&out) : "",
				    cases[k].expected);
		buf_release(&out);
		free(p.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_builtins),
		cmocka_unit_test(test_called),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_start_up),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_lexical),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
