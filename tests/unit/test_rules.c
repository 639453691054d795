/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Rules: what stacks become, what a wrong rule says, and that nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/report_profile.h"
#include "user/output/format.h"
#include "user/rules/rules.h"

static char text[8192];

static void write_folded(struct profile *p)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(format_find("folded")->write(p, out), 0);
	fclose(out);
}

/* 0, or what rules_read() gives for a file of this text. */
static int read_text(struct rules *r, const char *rules)
{
	char path[] = "/tmp/test_rules.XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, rules, strlen(rules)), strlen(rules));
	close(fd);
	err = rules_read(r, path);
	unlink(path);
	return err;
}

static void becomes(const char *rules, const struct rules_options *options,
		    const char *stack, const char *expected)
{
	struct rules *r = rules_new();
	struct profile *p = report_profile();

	print_message("# %s\n", stack);
	if (rules)
		assert_int_equal(read_text(r, rules), 0);
	else
		rules_builtin(r);
	report_stack(p, "wish", stack, 3);
	rules_use(r, options, p);
	write_folded(p);
	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(text, expected);
	profile_free(p);
	rules_free(r);
}

static void test_rows(void **state)
{
	static const struct {
		const char *rules, *stack, *expected;
	} row[] = {
		{ "hide tcl b", "a;b;c", "wish;a;c 3" },
		{ "hide tcl b c", "a;b;c", "wish;a 3" },
		{ "hide any /^[ac]$/", "a;b;c", "wish;b 3" },
		{ "hide r b", "a;b;R:b", "wish;a;b 3" },
		{ "keep tcl b\nhide tcl *", "a;b;c", "wish;b 3" },
		{ "hide tcl *\nkeep tcl b", "a;b;c", "wish 3" },
		{ "stop tcl b", "a;b;c;d", "wish;a;b 3" },
		{ "hide tcl b\nstop tcl b", "a;b;c", "wish;a;c 3" },
		{ "rename tcl /^x[0-9]+(.)$/ <\\1>", "a;x12y;x1",
		  "wish;a;<y>;x1 3" },
		{ "rename tcl /^a$/ b\nrename tcl /^[ab]$/ c", "a;b",
		  "wish;b;c 3" },
		{ "merge recursion", "a;f@x:1;f@x:2;b;f",
		  "wish;a;f (x:1);b;f 3" },
		{ "hide tcl b\nmerge recursion", "f;b;f", "wish;f 3" },
		{ "rename tcl /^f[0-9]$/ f\nmerge recursion", "f1;f2;g",
		  "wish;f;g 3" },
		{ "hide c f", "c:f;i:g;k:read", "wish;read_[k] 3" },
		{ "hide c f\nkeep inlined g", "c:f;i:g", "wish;g_[i] 3" },
		{ "# nothing\n\n  \t\n", "a;b", "wish;a;b 3" },
		{ "hide kernel *", "a;k:read", "wish;a 3" },
		{ NULL, "main;if;catch;work;domDoc0x55d1;1398tick",
		  "wish;main;work;domDoc*;*tick 3" },
		{ NULL, "R:{;R:fit;R:base::tryCatch", "wish;fit 3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		becomes(row[i].rules, &(struct rules_options){ 0 },
			row[i].stack, row[i].expected);
}

static void test_options(void **state)
{
	(void)state;
	becomes("", &(struct rules_options){ .annotate = true },
		"a;R:f@x.R:2;c:g;k:h", "wish;a_[t];f_[r] (x.R:2);g;h_[k] 3");
	becomes("", &(struct rules_options){ .annotate = true }, "a_[t]",
		"wish;a_\\x5bt]_[t] 3");
	becomes("", &(struct rules_options){ .by = RULES_BY_PROCESS }, "a",
		"wish (0);a 3");
	becomes("", &(struct rules_options){ .redact = true }, "a@/home/me/x:2",
		"wish;a (x:2) 3");
}

/* What is in a full profile stays there. */
static void test_full(void **state)
{
	struct profile *p = report_profile();
	struct rules *r = rules_new();

	(void)state;
	report_stack(p, "wish", "old", 3);
	p->max_bytes = 1;
	assert_int_equal(read_text(r, "rename any /old/ new\nhide any none"),
			 0);
	rules_use(r, &(struct rules_options){ 0 }, p);
	write_folded(p);
	assert_string_equal(text, "wish;new 3\n");
	profile_free(p);
	rules_free(r);
}

/* The blank before a subcommand, and no other. */
static void joined(const char *rules, const char *expected)
{
	struct profile *p = report_profile();
	struct rules *r = rules_new();
	struct frame f = { .type = FRAME_IS_SCRIPT };
	u32 id[2];

	f.name = intern_text(p->texts, "two words");
	id[0] = profile_add_frame(p, &f);
	f.name = intern_text(p->texts, ".w Action");
	f.flags = FRAME_JOINED;
	id[1] = profile_add_frame(p, &f);
	profile_add(p, &(struct profile_key){ 0 }, id, 2,
		    &(struct profile_sum){ 1, 0 });
	/* A new name still has it where it ends in the same one. */
	assert_int_equal(read_text(r, rules), 0);
	rules_use(r, &(struct rules_options){ .join = "++" }, p);
	write_folded(p);
	assert_string_equal(text, expected);
	profile_free(p);
	rules_free(r);
}

static void test_join(void **state)
{
	(void)state;
	joined("", "[empty name];two words;.w++Action 1\n");
	joined("rename tcl /^[.]w(.*)$/ w\\1\nrename tcl /^two(.*)/ 2\\1",
	       "[empty name];2 words;w++Action 1\n");
	joined("rename tcl /^[.]w(.*)$/ w", "[empty name];two words;w 1\n");
	joined("join =\nsubcommand x", "[empty name];two words;.w++Action 1\n");
}

static void test_collapse(void **state)
{
	struct profile *p = report_profile();
	struct rules *r = rules_new();
	struct frame f = { .type = FRAME_IS_SCRIPT, .walker = 1 };
	u32 id[3];

	(void)state;
	f.space = intern_text(p->texts, "stats");
	for (int i = 0; i < 3; i++) {
		f.name = intern_text(p->texts, i ? "g" : "f");
		f.line = i;
		id[i] = profile_add_frame(p, &f);
	}
	profile_add(p, &(struct profile_key){ 0 }, id, 3,
		    &(struct profile_sum){ 1, 0 });
	assert_int_equal(read_text(r, "collapse r stats"), 0);
	rules_use(r, &(struct rules_options){ 0 }, p);
	write_folded(p);
	assert_string_equal(text, "[empty name];stats 1\n");
	profile_free(p);
	rules_free(r);
}

/* The sums of stacks and samples, whatever is hidden; times stay in their order. */
static void test_conservation(void **state)
{
	struct profile *p = report_profile();
	struct rules *r = rules_new();
	char name[64];
	u64 weight = 0, value = 0;

	(void)state;
	srand(7);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%d;g%d;if;h%d;f%d", rand() % 9,
			 rand() % 9, rand() % 9, rand() % 9);
		report_stack(p, i % 2 ? "wish" : "R", name, 1 + rand() % 5);
	}
	for (u32 i = 0; i < 500; i++)
		profile_add_sample(p, &(struct profile_sample){
					      i, i + 1, 2 * i,
					      rand() % intern_count(p->stacks),
					      0 });
	for (u32 i = 0; i < intern_count(p->stacks); i++)
		weight += profile_stack(p, i).sum.weight;
	assert_int_equal(read_text(r, "hide tcl g*\nrename tcl /^h.$/ h\n"
				      "merge recursion\nstop tcl f3"),
			 0);
	rules_builtin(r);
	rules_use(r, &(struct rules_options){ 0 }, p);
	for (u32 i = 0; i < intern_count(p->stacks); i++)
		weight -= profile_stack(p, i).sum.weight;
	assert_int_equal(weight, 0);
	assert_int_equal(p->samples, 500);
	for (u32 i = 0; i < 500; i++) {
		assert_int_equal(p->sample[i].time, i);
		assert_true(p->sample[i].stack < intern_count(p->stacks));
		value += p->sample[i].value;
	}
	assert_int_equal(value, 499 * 500);
	profile_free(p);
	rules_free(r);
}

static void test_refused(void **state)
{
	static const char *const rows[] = {
		"hide",
		"hide tcl",
		"hide what x",
		"frob tcl x",
		"rename tcl a b",
		"rename tcl /a b",
		"rename tcl /(/ b",
		"hide tcl /[/",
		"hide tcl //",
		"join",
		"join a b",
		"merge",
		"merge all",
		"hide tcl a\nhide tcl /(/",
		"subcommand",
		"subcommand a::b",
		"subcommand .*",
	};
	struct rules *r = rules_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print_message("# %s\n", rows[i]);
		assert_true(read_text(r, rows[i]) < 0);
		assert_int_equal(rules_count(r), 0);
	}
	assert_true(rules_read(r, "/nonexistent") < 0);
	assert_true(rules_read(r, "/dev/zero") < 0);
	rules_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_collapse),
		cmocka_unit_test(test_conservation),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
