/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The profile: strings, counts and the order of its stacks. */
#include "user/profile/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"

/* Add a stack written as "a b c". */
static void add(struct profile *p, const char *stack, u64 count)
{
	char *copy = xstrdup(stack), *rest = copy, *word;
	u32 frame[16];
	size_t depth = 0;

	while (depth < 16 && (word = strsep(&rest, " "))) {
		if (*word)
			frame[depth++] = profile_name(p, word, 0, 0);
	}
	profile_add(p, frame, depth, count);
	free(copy);
}

/* All stacks in order: "a b c=2|d=1". */
static void check(const struct profile *p, const char *expected)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < profile_count(p); i++) {
		struct profile_stack s = profile_get(p, i);

		buf_adds(&out, i ? "|" : "");
		for (size_t k = 0; k < s.depth; k++)
			buf_addf(&out, "%s%s", k ? " " : "",
				 profile_text(p, s.frame[k]));
		buf_addf(&out, "=%llu", s.count);
	}
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}

static void test_strings(void **state)
{
	struct profile *p = profile_new();
	u32 a = profile_name(p, "a", 0, 0), b = profile_name(p, "b", 0, 0);
	const char *kept = profile_text(p, a);
	char text[16] = "a";

	(void)state;
	assert_int_not_equal(a, b);
	assert_int_equal(profile_name(p, text, 0, 0), a);
	text[0] = 'x';
	assert_string_equal(profile_text(p, a), "a");
	assert_string_equal(profile_text(p, profile_name(p, "", 0, 0)), "");
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "%d", i);
		profile_name(p, text, 0, 0);
	}
	assert_ptr_equal(profile_text(p, a), kept);
	assert_int_equal(profile_name(p, "b", 0, 0), b);
	profile_free(p);
	profile_free(NULL);
}

/* A name is more than its text: which part of it stands for what. */
static void test_parts(void **state)
{
	static const struct {
		const char *text;
		u32 before, behind;
	} row[] = {
		{ "a::b (c:1)", 0, 0 }, { "a::b (c:1)", 3, 6 },
		{ "a::b (c:1)", 0, 6 }, { "a::b (c:1)", 3, 0 },
		{ "a::b (c:2)", 3, 6 }, { "", 0, 0 },
	};
	const size_t n = sizeof(row) / sizeof(*row);
	struct profile *p = profile_new();
	u32 id, before, behind;

	(void)state;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(profile_find_name(p, row[i].text,
						   row[i].before,
						   row[i].behind),
				 PROFILE_NO_STRING);
	for (size_t i = 0; i < 2 * n; i++) {
		id = profile_name(p, row[i % n].text, row[i % n].before,
				  row[i % n].behind);
		assert_int_equal(id, i % n);
		profile_add(p, &id, 1, 1);
	}
	for (u32 i = 0; i < n; i++) {
		assert_string_equal(profile_text(p, i), row[i].text);
		profile_parts(p, i, &before, &behind);
		assert_int_equal(before, row[i].before);
		assert_int_equal(behind, row[i].behind);
		assert_int_equal(
			profile_find_name(p, row[i].text, before, behind), i);
	}
	assert_int_equal(profile_name(p, "a::b (c:1)", 0, 0), 0);
	profile_sort(p);
	check(p, "=2|a::b (c:1)=2|a::b (c:1)=2|a::b (c:1)=2|a::b (c:1)=2|"
		 "a::b (c:2)=2");
	profile_free(p);
}

static void test_count(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_int_equal(profile_count(p), 0);
	assert_int_equal(profile_total(p), 0);
	profile_sort(p);
	add(p, "R f g", 2);
	add(p, "R f", 1);
	add(p, "R f g", 3);
	add(p, "R g f", 0);
	assert_int_equal(profile_total(p), 6);
	check(p, "R f g=5|R f=1|R g f=0");
	profile_free(p);
}

static void test_sort(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	/* Ids in another order than the texts. */
	add(p, "z", 1);
	add(p, "b c", 1);
	add(p, "b", 1);
	add(p, "b a z", 1);
	add(p, "B z", 1);
	add(p, "a-b x", 1);
	add(p, "a x", 1);
	add(p, "\xc3\xa9", 1);
	profile_sort(p);
	check(p, "B z=1|a x=1|a-b x=1|b=1|b a z=1|b c=1|z=1|\xc3\xa9=1");
	/* Counting goes on; what is new stands behind until the next sort. */
	add(p, "b", 9);
	add(p, "A", 1);
	check(p, "B z=1|a x=1|a-b x=1|b=10|b a z=1|b c=1|z=1|\xc3\xa9=1|A=1");
	profile_sort(p);
	check(p, "A=1|B z=1|a x=1|a-b x=1|b=10|b a z=1|b c=1|z=1|\xc3\xa9=1");
	profile_free(p);
}

static void test_many(void **state)
{
	struct profile *p = profile_new();
	char text[16];
	u32 frame[3];

	(void)state;
	for (int i = 0; i < 300000; i++) {
		for (int k = 0; k < 3; k++) {
			snprintf(text, sizeof(text), "f%d", i % (100 + k));
			frame[k] = profile_name(p, text, 0, 0);
		}
		profile_add(p, frame, 3, 1);
	}
	/* 100, 101 and 102 first meet again after 515,100 steps. */
	assert_int_equal(profile_count(p), 300000);
	assert_int_equal(profile_total(p), 300000);
	profile_sort(p);
	for (size_t i = 0; i < 300000; i++)
		assert_int_equal(profile_get(p, i).count, 1);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_count),	cmocka_unit_test(test_sort),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
