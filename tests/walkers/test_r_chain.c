/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The R walker against chains of contexts that no R would leave, and at their limits. */
#include "r_chain.h"

static context dead[2]; /* below the stack */

struct row {
	const char *name;
	make_fn make;
	const char *frames;
	u32 why;
};

static void check_rows(const struct row *row, size_t n)
{
	for (; n--; row++) {
		print_message("# %s\n", row->name);
		check(row->make, row->frames, row->why);
	}
}

#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof(*(rows)))

/* ---- on the C stack ----------------------------------------------------- */

static void make_none(void)
{
	begin(toplevel);
}

static void make_three(void)
{
	frame(room[2], 0, toplevel);
	frame(room[1], 1, room[2]);
	begin(frame(room[0], 2, room[1]));
}

/* eval() has one beside its closure's, a loop one that is no function's. */
static void make_others(void)
{
	frame(room[3], 0, toplevel);
	frame(room[2], 1, room[3]);
	put(room[2], told->layout.callfun,
	    (u64)Rf_findFun(Rf_install("c"), R_BaseEnv));
	bare(room[1], room[2], 1);
	begin(frame(room[0], 2, room[1]));
}

static void make_falling(void)
{
	frame(room[0], 0, toplevel);
	frame(room[2], 1, room[0]);
	begin(frame(room[1], 2, room[2]));
}

static void make_cycle(void)
{
	begin(frame(room[1], 2, room[1]));
}

static void make_null(void)
{
	frame(room[1], 1, NULL);
	begin(frame(room[0], 2, room[1]));
}

static void make_wild(void)
{
	begin((u64 *)64);
}

/* What the kernel puts above the root of the stack. */
static void make_left_over(void)
{
	begin(frame(room[0], 2, (u64 *)getauxval(AT_RANDOM)));
}

static void make_foreign(void)
{
	begin((u64 *)getauxval(AT_RANDOM));
}

static void make_nameless(void)
{
	begin(frame(room[0], 2, toplevel));
	put(room[0], told->layout.callfun, 64);
}

static void test_stack(void **state)
{
	static const struct row rows[] = {
		{ "none", make_none, "[outer] [inner]", WALK_ROOT },
		{ "three", make_three, "[outer] a b c [inner]", WALK_ROOT },
		{ "others", make_others, "[outer] a c [inner]", WALK_ROOT },
		{ "a key falls", make_falling, "[outer] b c [inner]", R_ORDER },
		{ "a cycle", make_cycle, "[outer] c [inner]", R_ORDER },
		{ "ends too soon", make_null, "[outer] b c [inner]", R_READ },
		{ "a wild pointer", make_wild, "[outer] [inner]", R_READ },
		{ "left over", make_left_over, "[outer] c [inner]",
		  R_UNPLACED },
		{ "another thread's", make_foreign, "[outer] [inner]",
		  R_OTHER_THREAD },
		{ "no function", make_nameless, "[outer] [r frame] [inner]",
		  R_NAME },
	};

	(void)state;
	CHECK(rows);
}

/* ---- dead contexts ------------------------------------------------------ */

static void make_dead(void)
{
	frame(room[0], 0, toplevel);
	frame(dead[1], 1, room[0]);
	begin(frame(dead[0], 2, dead[1]));
}

static void make_all_dead(void)
{
	begin(frame(dead[0], 0, toplevel));
}

static void make_below(void)
{
	node_frame(0, cfa, toplevel);
	begin(node_frame(1, sp - 1, node(0)));
}

static void make_not_below(void)
{
	node_frame(0, cfa, toplevel);
	begin(node_frame(1, sp, node(0)));
}

static void test_dead(void **state)
{
	static const struct row rows[] = {
		{ "dead ones", make_dead, "[outer] a [inner]", R_JUMP },
		{ "all dead", make_all_dead, "[outer] [inner]",
		  R_OTHER_THREAD },
		{ "just below the stack", make_below, "[outer] a [inner]",
		  R_JUMP },
		{ "not below it", make_not_below, "[outer] a [inner] b",
		  WALK_ROOT },
	};

	(void)state;
	CHECK(rows);
}

/* ---- on the node stack -------------------------------------------------- */

static void make_shared(void)
{
	node_frame(0, cfa + 8, toplevel);
	node_frame(1, cfa + 8, node(0));
	begin(node_frame(2, cfa + 8, node(APART)));
}

static void make_edges(void)
{
	node_frame(0, cfa, toplevel);
	begin(node_frame(1, cfa - 1, node(0)));
}

static void make_ascending(void)
{
	node_frame(1, cfa + 8, toplevel);
	begin(node_frame(0, cfa + 8, node(APART)));
}

static void make_node_cycle(void)
{
	begin(node_frame(0, cfa + 8, node(0)));
}

static void make_node_falling(void)
{
	node_frame(0, cfa + 7, toplevel);
	begin(node_frame(1, cfa + 8, node(0)));
}

/* One on the C stack shares its key with nobody. */
static void make_mixed(void)
{
	frame(room[1], 1, toplevel);
	begin(node_frame(0, (u64)room[1] - 1, room[1]));
}

static void make_mixed_equal(void)
{
	frame(room[1], 1, toplevel);
	begin(node_frame(0, (u64)room[1], room[1]));
}

/* Outside of the node stack, a context's place is its address. */
static void make_beside(void)
{
	node_end = (u64)node(0);
	begin(node_frame(0, cfa + 8, toplevel));
}

static void make_lowest(void)
{
	node_end = (u64)node(0) +
		   told->layout.node_stack * (u64)told->layout.bcstack_cell;
	begin(node_frame(0, cfa + 8, toplevel));
}

static void make_too_low(void)
{
	make_lowest();
	node_end += told->layout.bcstack_cell;
}

static void test_nodes(void **state)
{
	static const struct row rows[] = {
		{ "one key", make_shared, "[outer] a b c [inner]", WALK_ROOT },
		{ "both sides of a frame's end", make_edges,
		  "[outer] a [inner] b", WALK_ROOT },
		{ "addresses rise", make_ascending, "[outer] a [inner]",
		  R_ORDER },
		{ "a cycle", make_node_cycle, "[outer] a [inner]", R_ORDER },
		{ "keys fall", make_node_falling, "[outer] b [inner]",
		  R_ORDER },
		{ "inward of one on the stack", make_mixed,
		  "[outer] b a [inner]", WALK_ROOT },
		{ "at one on the stack", make_mixed_equal, "[outer] a [inner]",
		  R_ORDER },
		{ "beside the node stack", make_beside, "[outer] [inner]",
		  R_OTHER_THREAD },
		{ "the lowest cell", make_lowest, "[outer] a [inner]",
		  WALK_ROOT },
		{ "below the lowest cell", make_too_low, "[outer] [inner]",
		  R_OTHER_THREAD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		node_end = (u64)nodes + sizeof(nodes);
		print_message("# %s\n", rows[i].name);
		check(rows[i].make, rows[i].frames, rows[i].why);
	}
	node_end = (u64)nodes + sizeof(nodes);
}

/* ---- how many ----------------------------------------------------------- */

static u32 many;

/* All but the innermost overlap and are no functions': of those a link, flags and a key are
 * read. */
static void make_many(void)
{
	u64 *c = toplevel;

	memset(nodes, 0, sizeof(nodes));
	for (u32 i = 0; i < many - 1; i++) {
		put(node(i), told->layout.next, (u64)c);
		put(node(i), told->layout.bcpc, cfa + 8);
		c = node(i);
	}
	frame(node(many - 1), 0, c);
	put(node(many - 1), told->layout.bcpc, cfa + 8);
	begin(node(many - 1));
}

static void test_limit(void **state)
{
	(void)state;
	many = LIMIT;
	check(make_many, "[outer] a [inner]", WALK_ROOT);
	many = LIMIT + 1;
	check(make_many, "[outer] a [inner]", R_LIMIT);
	memset(nodes, 0, sizeof(nodes));
}

/* ---- what is not told ---------------------------------------------------- */

static void test_not_told(void **state)
{
	u32 pid = getpid();
	struct r_process kept = *told;
	const void *map = host_map_named("r_processes");

	(void)state;
	told->global_context = 64;
	check(make_three, "[outer] [inner]", R_READ);
	*told = kept;
	told->node_stack_end = 64;
	check(make_three, "[outer] [inner]", R_READ);
	/* R 3.4 and 3.5. */
	told->node_stack_end = 0;
	check(make_three, "[outer] a b c [inner]", WALK_ROOT);
	check(make_lowest, "[outer] [inner]", R_OTHER_THREAD);
	*told = kept;
	host_map_delete(map, &pid);
	told = &kept;
	check(make_three, "[outer] [inner]", R_NOT_READY);
	host_map_update(map, &pid, &kept, BPF_ANY);
	told = host_map_lookup(map, &pid);
	check(make_three, "[outer] a b c [inner]", WALK_ROOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack),	 cmocka_unit_test(test_dead),
		cmocka_unit_test(test_nodes),	 cmocka_unit_test(test_limit),
		cmocka_unit_test(test_not_told),
	};
	int bad;

	if (start_r())
		return 1;
	make_functions();
	bad = cmocka_run_group_tests(tests, open_chain, close_self);
	buf_release(&line);
	end_r();
	return bad;
}
