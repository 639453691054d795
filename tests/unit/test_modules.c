/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Neither code that processes make in memory nor files may take all the ids that there
 * are for ever; and an id that may still be named is nobody else's. */
#include "tests/unit/modules.h"

static void test_code_is_bounded(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	for (u32 i = 0; i < MAX; i++) {
		assert_int_equal(code(&s, i)->id, i + 1);
		assert_ptr_equal(code(&s, i), modules_get(s.modules, i + 1));
	}
	assert_no_room(&s, code(&s, MAX));
	assert_int_equal(modules_sum(s.modules).refused, 1);
	/* Nothing is known to be over, then all but those two. */
	assert_int_equal(retire(&s, 0), 0);
	assert_no_room(&s, code(&s, MAX));
	sample(&s, 1);
	tables_map(s.tables, 2);
	assert_int_equal(retire(&s, NEVER), ALL);
	assert_int_equal(code(&s, 0)->id, 1);
	assert_int_equal(code(&s, 1)->id, 2);
	for (u64 i = 0; i < ALL; i++) {
		struct module *m = code(&s, 100 + i);

		assert_int_not_equal(m->id, MODULES_NONE);
		assert_int_equal(m->code->base, (100 + i) << FRAME_ADDR_BITS);
	}
	assert_no_room(&s, code(&s, 200));
	tear_down(&s);
}

static void fill(struct scene *s)
{
	for (int i = 0; i < MAX; i++)
		assert_int_equal(file(s, i)->id, i + 1);
	assert_int_equal(s->files, MAX);
	assert_no_room(s, file(s, MAX));
	/* What was known stays so. */
	assert_int_equal(file(s, 5)->id, 6);
}

/* Those that were used least recently go first. */
static void test_files_change(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	fill(&s);
	for (int i = 0; i < MAX; i++)
		if (i < 3 || i > 8)
			file(&s, i);
	assert_int_equal(retire(&s, 0), 0);
	assert_int_equal(retire(&s, NEVER), ALL);
	assert_int_equal(s.named, 0);
	for (int i = 0; i < MAX; i++) {
		const struct module *m = modules_get(s.modules, i + 1);

		/* fill() has asked for 5 last of these. */
		assert_int_equal(m == NULL, i >= 3 && i <= 8 && i != 5);
	}
	for (int i = 0; i < ALL; i++) {
		const struct module *m = file(&s, MAX + i);

		assert_int_not_equal(m->id, MODULES_NONE);
		assert_string_equal(m->name, strrchr(m->path, '/') + 1);
		assert_int_equal(strtol(m->name, NULL, 10), MAX + i);
	}
	assert_no_room(&s, file(&s, MAX + ALL));
	assert_no_room(&s, file(&s, 3));
	assert_int_equal(modules_sum(s.modules).retired, ALL);
	tear_down(&s);
}

/* Stacks must have names before the files in them can go; and what is mapped stays. */
static void test_names_come_first(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	fill(&s);
	for (u32 id = 1; id <= MAX; id++) {
		sample(&s, id);
		if (id != 7)
			tables_map(s.tables, id);
	}
	assert_int_equal(retire(&s, 0), 0);
	assert_int_equal(s.named, 0);
	assert_int_equal(retire(&s, NEVER), 1);
	assert_int_equal(s.named, 1);
	assert_null(modules_get(s.modules, 7));
	assert_int_equal(file(&s, MAX)->id, 7);
	assert_int_equal(strtol(modules_get(s.modules, 7)->name, NULL, 10),
			 MAX);
	for (u32 id = 1; id <= MAX; id++)
		assert_non_null(modules_get(s.modules, id));
	/* Not again at once. */
	sample(&s, 7);
	assert_no_room(&s, file(&s, 6));
	assert_int_equal(retire(&s, NEVER), 0);
	assert_int_equal(s.named, 1);
	tear_down(&s);
}

/* What was mapped before a file was opened is not it, even if it had its inode. */
static void test_inode_serves_again(void **state)
{
	char gone[] = "/nonexistent";
	struct map map = { .end = 4096, .executable = true, .path = gone };
	struct scene s;
	struct stat st;
	char path[64];

	(void)state;
	set_up(&s);
	file_of(&s, 0, getpid());
	path_of(&s, 0, path, sizeof(path));
	assert_int_equal(stat(path, &st), 0);
	map.dev = st.st_dev;
	map.ino = st.st_ino;
	assert_null(modules_find_late(s.modules, getpid(), &map, 1));
	assert_null(modules_find(s.modules, getpid(), &map, 1));
	assert_ptr_equal(modules_find_late(s.modules, getpid(), &map, NEVER),
			 file(&s, 0));
	tear_down(&s);
}

/* Files for ever: there is always room for the next. */
static void test_for_ever(void **state)
{
	struct scene s;
	size_t closed = 0;

	(void)state;
	set_up(&s);
	for (int i = 0; i < 40 * MAX; i++) {
		struct module *m = file(&s, i);

		assert_in_range(m->id, 1, MAX);
		tables_map(s.tables, m->id);
		tables_unmap(s.tables, m->id);
		if (modules_crowded(s.modules))
			closed += retire(&s, NEVER);
	}
	assert_int_equal(modules_sum(s.modules).refused, 0);
	assert_int_equal(modules_sum(s.modules).retired, closed);
	assert_in_range(closed, 38 * MAX, 40 * MAX);
	tear_down(&s);
}

/* A process that maps all that it can has all, and that is counted for what comes then. */
static void test_one_takes_all(void **state)
{
	struct unwind_rule rule;
	struct scene s;
	int i;

	(void)state;
	set_up(&s);
	for (i = 0; i < MAX; i++)
		tables_map(s.tables, file_of(&s, i, FIRST)->id);
	assert_int_equal(modules_sum(s.modules).refused, 0);
	assert_no_room(&s, file(&s, i));
	assert_int_equal(modules_sum(s.modules).refused, 1);
	assert_int_equal(tables_rule(s.tables, MODULES_NONE, 0, &rule),
			 CUT_NO_FILE);
	/* What it does not map any more makes room. */
	for (u32 id = 1; id <= MAX / 2; id++)
		tables_unmap(s.tables, id);
	while (retire(&s, NEVER))
		;
	assert_int_not_equal(file(&s, i)->id, MODULES_NONE);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_takes_all),
		cmocka_unit_test(test_code_is_bounded),
		cmocka_unit_test(test_files_change),
		cmocka_unit_test(test_names_come_first),
		cmocka_unit_test(test_inode_serves_again),
		cmocka_unit_test(test_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
