/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Raw stacks: what is one entry and what is two, and many of them. */
#include "user/profile/stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(const struct stacks *s, size_t i, const char *comm,
		  u32 status, u32 words, u64 count)
{
	struct stack stack = stacks_get(s, i);

	assert_string_equal(stack.comm, comm);
	assert_int_equal(stack.status, status);
	assert_int_equal(stack.words, words);
	assert_int_equal(stack.count, count);
}

static void test_equal(void **state)
{
	static const u64 a[] = { 1, 2, 3 }, b[] = { 1, 2, 4 };
	struct stacks *s = stacks_new();

	(void)state;
	stacks_add(s, "tclsh", 0, a, 3);
	stacks_add(s, "tclsh", 0, b, 3);
	stacks_add(s, "tclsh", 0, a, 3);
	stacks_add(s, "R", 0, a, 3);
	stacks_add(s, "tclsh", 7, a, 3);
	stacks_add(s, "tclsh", 0, a, 2);
	stacks_add(s, "tclsh", 0, b, 2); /* the same two words */
	stacks_add(s, "tclsh", 0, NULL, 0);
	stacks_add(s, "tclsh", 0, NULL, 0);
	assert_int_equal(stacks_count(s), 6);
	check(s, 0, "tclsh", 0, 3, 2);
	check(s, 1, "tclsh", 0, 3, 1);
	check(s, 2, "R", 0, 3, 1);
	check(s, 3, "tclsh", 7, 3, 1);
	check(s, 4, "tclsh", 0, 2, 2);
	check(s, 5, "tclsh", 0, 0, 2);
	assert_memory_equal(stacks_get(s, 1).word, b, sizeof(b));
	stacks_free(s);
	stacks_free(NULL);
}

/* A command name is at most 15 bytes; the rest of the array does not count. */
static void test_comm(void **state)
{
	char x[16] = "sh", y[16] = "sh";
	struct stacks *s = stacks_new();
	const u64 word = 5;

	(void)state;
	x[5] = 'a';
	y[5] = 'b';
	stacks_add(s, x, 0, &word, 1);
	stacks_add(s, y, 0, &word, 1);
	stacks_add(s, "", 0, &word, 1);
	stacks_add(s, "0123456789abcdefghijkl", 0, &word, 1);
	assert_int_equal(stacks_count(s), 3);
	check(s, 0, "sh", 0, 1, 2);
	check(s, 1, "", 0, 1, 1);
	check(s, 2, "0123456789abcde", 0, 1, 1);
	stacks_free(s);
}

#define MANY  50000u
#define WORDS 37u

static void fill(u64 *word, u32 seed)
{
	for (u32 k = 0; k < WORDS; k++)
		word[k] = 0x0400010000401000ull + k * 8;
	word[seed % WORDS] += seed;
}

static void test_many(void **state)
{
	struct stacks *s = stacks_new();
	u64 word[WORDS];
	const u64 *kept;

	(void)state;
	fill(word, 1);
	stacks_add(s, "R", 0, word, WORDS);
	kept = stacks_get(s, 0).word;
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 1; i <= MANY; i++) {
			fill(word, i);
			stacks_add(s, "R", 0, word, WORDS);
		}
	}
	assert_int_equal(stacks_count(s), MANY);
	/* What was handed out stays where it is. */
	assert_ptr_equal(stacks_get(s, 0).word, kept);
	assert_true(stacks_bytes(s) > MANY * WORDS * 8);
	assert_true(stacks_bytes(s) < MANY * (WORDS * 8 + 200));
	for (u32 i = 1; i <= MANY; i++) {
		fill(word, i);
		check(s, i - 1, "R", 0, WORDS, i == 1 ? 4 : 3);
		assert_memory_equal(stacks_get(s, i - 1).word, word,
				    sizeof(word));
	}
	stacks_free(s);
}

/* Longer than the blocks that stacks are kept in. */
static void test_long(void **state)
{
	static u64 word[300000];
	struct stacks *s = stacks_new();

	(void)state;
	for (u32 i = 0; i < 300000; i++)
		word[i] = i;
	for (int i = 0; i < 3; i++) {
		word[299999] = i;
		stacks_add(s, "R", 0, word, 300000);
		stacks_add(s, "R", 0, word, 1);
	}
	assert_int_equal(stacks_count(s), 4);
	check(s, 1, "R", 0, 1, 3);
	check(s, 3, "R", 0, 300000, 1);
	assert_memory_equal(stacks_get(s, 3).word, word, sizeof(word));
	stacks_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_comm),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
