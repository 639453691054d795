/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The merged tree against sums that are made stack by stack. */
#include "user/view/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/mem.h"

static void tree_add(struct tree *t, const u32 *name, size_t depth, u32 side,
		     u64 number)
{
	tree_stack(t, side, number, number);
	for (size_t i = 0; i < depth; i++)
		tree_name(t, name[i]);
}

static void test_small(void **state)
{
	/* parent, name, end, depth, in, under */
	static const struct tree_node nodes[] = {
		{ 0, 0, 5, 0, { 1, 0 }, { 16, 32 } },
		{ 0, 7, 4, 1, { 0, 0 }, { 15, 0 } },
		{ 1, 7, 3, 2, { 5, 0 }, { 5, 0 } },
		{ 1, 9, 4, 2, { 10, 0 }, { 10, 0 } },
		{ 0, 9, 5, 1, { 0, 32 }, { 0, 32 } },
	};
	struct tree t = { 0 };

	(void)state;
	tree_add(&t, (const u32[]){ 7, 9 }, 2, 0, 2);
	tree_add(&t, (const u32[]){ 9 }, 1, 1, 32);
	tree_add(&t, (const u32[]){ 7, 7 }, 2, 0, 5);
	tree_add(&t, NULL, 0, 0, 1);
	tree_add(&t, (const u32[]){ 7, 9 }, 2, 0, 8);
	tree_build(&t);
	assert_int_equal(t.n, 5);
	for (size_t i = 0; i < t.stacks; i++)
		if (t.stack[i].id == 8)
			assert_int_equal(t.stack[i].node, 3);
	assert_memory_equal(t.node, nodes, sizeof(nodes));
	tree_release(&t);
}

static void test_empty(void **state)
{
	struct tree t = { 0 };

	(void)state;
	tree_build(&t);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.node[0].end, 1);
	tree_release(&t);
}

static u32 child_of(const struct tree *t, u32 at, u32 name)
{
	for (u32 i = at + 1; i < t->node[at].end; i = t->node[i].end)
		if (t->node[i].name == name)
			return i;
	return 0;
}

static u32 random_at(u64 *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 40;
}

/* Each stack is found again, and every node's Under is its In and its children's. */
static void test_many(void **state)
{
	enum { STACKS = 100000, DEPTH = 40 };
	u32 *names = xcalloc(STACKS, DEPTH * sizeof(*names));
	struct tree t = { 0 };
	u64 seed = 1;

	(void)state;
	for (size_t i = 0; i < STACKS; i++) {
		for (size_t k = 0; k < DEPTH; k++)
			names[i * DEPTH + k] =
				random_at(&seed) % (k < 10 ? 2 : 300);
		tree_add(&t, names + i * DEPTH, DEPTH, 0, 1 + i % 3);
	}
	tree_build(&t);
	for (size_t i = 0; i < STACKS; i += 97) {
		u32 at = 0;

		for (size_t k = 0; k < DEPTH; k++) {
			at = child_of(&t, at, names[i * DEPTH + k]);
			assert_int_not_equal(at, 0);
		}
		assert_true(t.node[at].in[0] >= 1 + i % 3);
	}
	for (u32 i = 0; i < t.n; i++) {
		u64 sum = t.node[i].in[0];

		for (u32 k = i + 1; k < t.node[i].end; k = t.node[k].end) {
			if (t.node[k].parent != i)
				fail();
			sum += t.node[k].under[0];
		}
		if (t.node[i].under[0] != sum)
			fail();
	}
	assert_int_equal(t.node[0].under[0], STACKS / 3 * 6 + 1);
	tree_release(&t);
	free(names);
}

static void test_list(void **state)
{
	struct tree t = { 0 };

	(void)state;
	tree_add(&t, (const u32[]){ 3, 1, 3 }, 3, 0, 5);
	tree_add(&t, (const u32[]){ 3 }, 1, 1, 2);
	tree_add(&t, NULL, 0, 0, 100);
	tree_list(&t);
	assert_int_equal(t.n, 5);
	assert_int_equal(t.node[4].under[0], 5);
	assert_int_equal(t.node[4].in[0], 5);
	assert_int_equal(t.node[4].under[1], 2);
	assert_int_equal(t.node[2].under[0], 5);
	assert_int_equal(t.node[2].in[0], 0);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
