/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The profile: what is one stack and what is two, values, and the order of outputs. */
#include "user/profile/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/sorted.h"

#define NO_ROOM "no room for so many stacks (see --max-memory)"
#define MANY	5000 /* commands */

static u32 frame(struct profile *p, struct frame f, const char *name)
{
	f.name = intern_text(p->texts, name);
	return profile_add_frame(p, &f);
}

/* Add a stack written as "command a b c", of C functions. */
static void add(struct profile *p, const char *stack, u64 value)
{
	char *copy = xstrdup(stack), *rest = copy, *word = strsep(&rest, " ");
	const struct profile_task task = { .comm = intern_text(p->texts,
							       word) };
	const struct profile_key key = { profile_add_task(p, &task), 0 };
	const struct profile_sum sum = { value, 10 * value };
	u32 id[16];
	size_t depth = 0;

	while (depth < 16 && (word = strsep(&rest, " ")))
		if (*word)
			id[depth++] = frame(p, (struct frame){ 0 }, word);
	assert_int_not_equal(profile_add(p, &key, id, depth, &sum),
			     PROFILE_NONE);
	free(copy);
}

/* All stacks in the outputs' order: "a b c=2|d=1". */
static void check(struct profile *p, const char *expected)
{
	struct buf out = { 0 };
	struct sorted s;

	sorted_make(&s, p);
	for (size_t i = 0; i < s.n; i++) {
		struct profile_stack stack = sorted_get(&s, i);

		buf_addf(&out, "%s%s", i ? "|" : "",
			 profile_command(p, &stack));
		for (size_t k = 0; k < stack.depth; k++)
			buf_addf(&out, " %s", sorted_text(&s, stack.frame[k]));
		buf_addf(&out, "=%llu", stack.sum.weight);
		assert_int_equal(stack.sum.value, 10 * stack.sum.weight);
	}
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
	sorted_release(&s);
}

/* Frames are data: all of it tells them apart. */
static void test_frames(void **state)
{
	struct profile *p = profile_new();
	const struct frame plain = { .type = FRAME_IS_SCRIPT, .name = 1 };
	struct frame f[9];
	const size_t n = sizeof(f) / sizeof(*f);

	(void)state;
	assert_string_equal(profile_text(p, 0), "");
	for (size_t i = 0; i < n; i++)
		f[i] = plain;
	f[1].type = FRAME_IS_KERNEL;
	f[2].flags = FRAME_ANONYMOUS;
	f[3].module = 2;
	f[4].space = 2;
	f[5].name = 2;
	f[6].file = 2;
	f[7].line = 2;
	f[8].expression = 2;
	for (size_t i = 0; i < 2 * n; i++)
		assert_int_equal(profile_add_frame(p, &f[i % n]), i % n);
	assert_memory_equal(profile_frame(p, 8), &f[8], sizeof(f[8]));
	profile_free(p);
	profile_free(NULL);
}

/* What is known of a stack besides its frames makes it another one. */
static void test_keys(void **state)
{
	const struct profile_key keys[] = {
		{ 0, 0 }, { 1, 0 }, { 2, 0 }, { 2, 1 }, { 3, 1 }
	};
	const struct profile_sum sum = { 1, 7 };
	struct profile *p = profile_new();
	u32 id = frame(p, (struct frame){ 0 }, "f");

	(void)state;
	for (u32 i = 0; i < 5; i++) {
		assert_int_equal(profile_add(p, &keys[i], &id, 1, &sum), i);
		assert_int_equal(profile_add(p, &keys[i], &id, 1, &sum), i);
		assert_int_equal(profile_stack(p, i).sum.weight, 2);
		assert_int_equal(profile_stack(p, i).sum.value, 14);
		assert_int_equal(profile_stack(p, i).depth, 1);
		assert_memory_equal(profile_stack(p, i).key, &keys[i],
				    sizeof(keys[i]));
	}
	assert_int_equal(intern_count(p->stacks), 5);
	profile_free(p);
}

static void test_count(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	check(p, "");
	add(p, "R f g", 2);
	add(p, "R f", 1);
	add(p, "R f g", 3);
	add(p, "R g f", 0);
	check(p, "R f=1|R f g=5|R g f=0");
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
	check(p, "B z=1|a x=1|a-b x=1|b=1|b a z=1|b c=1|z=1|\xc3\xa9=1");
	/* Counting goes on. */
	add(p, "b", 9);
	add(p, "A", 1);
	check(p, "A=1|B z=1|a x=1|a-b x=1|b=10|b a z=1|b c=1|z=1|\xc3\xa9=1");
	profile_free(p);
}

/* What reads the same is written once, though it is not the same. */
static void test_merge(void **state)
{
	struct profile *p = profile_new();
	const struct profile_key key = { .task = profile_add_command(p, "R") };
	u32 id;

	(void)state;
	for (u32 module = 1; module <= 3; module++) {
		const struct profile_sum sum = { module, 10 * module };

		id = frame(p, (struct frame){ .module = module }, "main");
		profile_add(p, &key, &id, 1, &sum);
		id = frame(p, (struct frame){ .module = module }, "work");
		profile_add(p, &key, &id, 1, &sum);
	}
	assert_int_equal(intern_count(p->stacks), 6);
	check(p, "R main=6|R work=6");
	profile_free(p);
}

static void test_many(void **state)
{
	struct profile *p = profile_new();
	const struct profile_key key = { 0 };
	const struct profile_sum one = { 1, 1 };
	struct sorted s;
	char text[16];
	u32 id[3];

	(void)state;
	for (int i = 0; i < 300000; i++) {
		for (int k = 0; k < 3; k++) {
			snprintf(text, sizeof(text), "f%d", i % (100 + k));
			id[k] = frame(p, (struct frame){ 0 }, text);
		}
		profile_add(p, &key, id, 3, &one);
	}
	/* 100, 101 and 102 first meet again after 515,100 steps. */
	assert_int_equal(intern_count(p->stacks), 300000);
	sorted_make(&s, p);
	assert_int_equal(s.n, 300000);
	for (size_t i = 0; i < 300000; i++)
		assert_int_equal(sorted_get(&s, i).sum.weight, 1);
	sorted_release(&s);
	profile_free(p);
}

/* Add a stack of one function, main, under commands, first of them that number.  The
 * weight that found no room. */
static u64 add_commands(struct profile *p, int first, int n)
{
	u64 before = p->refused;

	for (int i = first; i < first + n; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "command%d main", i);
		add(p, stack, 2);
	}
	return p->refused - before;
}

static u64 weight_of(struct profile *p, const char *comm, const char *name)
{
	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack stack = profile_stack(p, i);
		const struct frame *f = profile_frame(p, stack.frame[0]);
		bool cut = f->flags & FRAME_CUT;

		assert_int_equal(stack.depth, 1);
		assert_int_equal(cut,
				 !strcmp(profile_text(p, f->name), NO_ROOM));
		if (!strcmp(profile_command(p, &stack), comm) &&
		    !strcmp(profile_text(p, f->name), name))
			return stack.sum.weight;
	}
	return 0;
}

static u64 total(struct profile *p)
{
	u64 sum = 0;

	for (u32 i = 0; i < intern_count(p->stacks); i++)
		sum += profile_stack(p, i).sum.weight;
	return sum;
}

/* A profile that is full takes no new stack, counts those that it has, and says of every
 * other sample that there was no room: nothing is lost unsaid. */
static void test_full(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_int_equal(add_commands(p, 0, 10), 0);
	p->max_bytes = 1;
	assert_int_equal(add_commands(p, 0, 12), 4);
	assert_int_equal(weight_of(p, "command3", "main"), 4);
	assert_int_equal(weight_of(p, "command3", NO_ROOM), 0);
	assert_int_equal(weight_of(p, "command11", NO_ROOM), 2);
	assert_int_equal(add_commands(p, 11, 1), 2);
	assert_int_equal(weight_of(p, "command11", NO_ROOM), 4);
	assert_int_equal(total(p), 20 + 24 + 2);
	profile_free(p);
}

/* A function that has no room makes its stack one without. */
static void test_full_of_frames(void **state)
{
	struct intern *texts = intern_new_texts();
	struct profile *p = profile_new();
	const struct profile_sum sum = { 2, 7 };
	struct frame f = { .name = intern_text(texts, "other") };
	const struct profile_key key = { .task = profile_add_command(p, "R") };
	u32 id;

	(void)state;
	p->max_bytes = 1;
	id = profile_take_frame(p, texts, f);
	assert_int_equal(id, PROFILE_NONE);
	profile_add(p, &key, &id, 1, &sum);
	assert_int_equal(p->refused, 2);
	assert_int_equal(weight_of(p, "R", NO_ROOM), 2);
	/* There is room again, but not of that frame. */
	p->max_bytes = 0;
	profile_add(p, &key, &id, 1, &sum);
	assert_int_equal(p->refused, 4);
	assert_int_equal(weight_of(p, "R", NO_ROOM), 4);
	profile_free(p);
	intern_free(texts);
}

/* Names of commands are a target's to choose: they cannot fill memory either. */
static void test_many_commands(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	p->max_bytes = 1;
	assert_int_equal(add_commands(p, 0, MANY), 2 * MANY);
	assert_int_equal(intern_count(p->stacks), 1024 + 1);
	assert_int_equal(weight_of(p, "command0", NO_ROOM), 2);
	assert_int_equal(weight_of(p, "other command names", NO_ROOM),
			 2 * (MANY - 1024));
	assert_int_equal(total(p), 2 * MANY);
	profile_free(p);
}

/* Nor can the texts of tasks. */
static void test_many_texts(void **state)
{
	struct profile *p = profile_new();
	char name[32];

	(void)state;
	p->max_bytes = 1;
	for (u32 i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "command%u", i);
		profile_add_task(p,
				 &(struct profile_task){
					 .comm = profile_add_text(p, name) });
	}
	/* The empty text, 1,024 commands, and one for all others. */
	assert_int_equal(intern_count(p->texts), 1 + 1024 + 1);
	assert_string_equal(profile_text(p, profile_add_text(p, "command9")),
			    "command9");
	assert_string_equal(profile_text(p, profile_add_text(p, "new")),
			    "other command names");
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_full_of_frames),
		cmocka_unit_test(test_many_commands),
		cmocka_unit_test(test_many_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
