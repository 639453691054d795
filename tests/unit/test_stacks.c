/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Raw stacks: what is one entry and what is two, and many of them. */
#include "user/profile/stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/intern.h"

static void check(struct intern *s, size_t i, const char *comm, u32 status,
		  u32 words, u64 count)
{
	struct stack stack = stacks_get(s, i);

	assert_string_equal(stack.key->comm, comm);
	assert_int_equal(stack.key->status, status);
	assert_int_equal(stack.words, words);
	assert_int_equal(stack.sum.weight, count);
}

static void add(struct intern *s, const char *comm, u32 status, const u64 *word,
		u32 words)
{
	struct stack_key key = { .status = status };

	memcpy(key.comm, comm, strlen(comm));
	stacks_add(s, &key, word, words, &(struct profile_sum){ 1, 1 });
}

static void test_equal(void **state)
{
	static const u64 a[] = { 1, 2, 3 }, b[] = { 1, 2, 4 };
	struct intern *s = intern_new();

	(void)state;
	add(s, "tclsh", 0, a, 3);
	add(s, "tclsh", 0, b, 3);
	add(s, "tclsh", 0, a, 3);
	add(s, "R", 0, a, 3);
	add(s, "tclsh", 7, a, 3);
	add(s, "tclsh", 0, a, 2);
	add(s, "tclsh", 0, b, 2); /* the same two words */
	add(s, "tclsh", 0, NULL, 0);
	add(s, "tclsh", 0, NULL, 0);
	assert_int_equal(intern_count(s), 6);
	check(s, 0, "tclsh", 0, 3, 2);
	check(s, 1, "tclsh", 0, 3, 1);
	check(s, 2, "R", 0, 3, 1);
	check(s, 3, "tclsh", 7, 3, 1);
	check(s, 4, "tclsh", 0, 2, 2);
	check(s, 5, "tclsh", 0, 0, 2);
	assert_memory_equal(stacks_get(s, 1).word, b, sizeof(b));
	intern_free(s);
	intern_free(NULL);
}

static void test_keys(void **state)
{
	struct stack_key key[4] = {
		{ .pid = 0 }, { .pid = 1 }, { .tid = 1 }, { .comm = "R" }
	};
	struct intern *s = intern_new();
	const u64 word = 5;

	(void)state;
	for (u32 i = 0; i < 8; i++)
		stacks_add(s, &key[i % 4], &word, 1,
			   &(struct profile_sum){ 1, 1 + i });
	assert_int_equal(intern_count(s), 4);
	for (u32 i = 0; i < 4; i++) {
		struct stack stack = stacks_get(s, i);

		assert_memory_equal(stack.key, &key[i], sizeof(key[i]));
		assert_int_equal(stack.sum.weight, 2);
		assert_int_equal(stack.sum.value, 2 * i + 6);
	}
	intern_free(s);
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
	struct intern *s = intern_new();
	u64 word[WORDS];
	const u64 *kept;

	(void)state;
	fill(word, 1);
	add(s, "R", 0, word, WORDS);
	kept = stacks_get(s, 0).word;
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 1; i <= MANY; i++) {
			fill(word, i);
			add(s, "R", 0, word, WORDS);
		}
	}
	assert_int_equal(intern_count(s), MANY);
	/* What was handed out stays where it is. */
	assert_ptr_equal(stacks_get(s, 0).word, kept);
	assert_true(intern_bytes(s) > MANY * WORDS * 8);
	assert_true(intern_bytes(s) < MANY * (WORDS * 8 + 200));
	for (u32 i = 1; i <= MANY; i++) {
		fill(word, i);
		check(s, i - 1, "R", 0, WORDS, i == 1 ? 4 : 3);
		assert_memory_equal(stacks_get(s, i - 1).word, word,
				    sizeof(word));
	}
	intern_free(s);
}

/* Longer than the blocks that stacks are kept in. */
static void test_long(void **state)
{
	static u64 word[300000];
	struct intern *s = intern_new();

	(void)state;
	for (u32 i = 0; i < 300000; i++)
		word[i] = i;
	for (int i = 0; i < 3; i++) {
		word[299999] = i;
		add(s, "R", 0, word, 300000);
		add(s, "R", 0, word, 1);
	}
	assert_int_equal(intern_count(s), 4);
	check(s, 1, "R", 0, 1, 3);
	check(s, 3, "R", 0, 300000, 1);
	assert_memory_equal(stacks_get(s, 3).word, word, sizeof(word));
	intern_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
