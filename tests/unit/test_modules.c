/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Code that processes make in memory must not take all the ids that there are. */
#include "user/session/modules.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include <jpbpf/frame.h>

#include "user/session/tables.h"
#include "user/target/maps.h"
#include "user/target/module.h"
#include "user/unwind/arena.h"

#define MAX_CODE 4096

/* The i-th block of our own addresses; each is a module. */
static struct module *code(struct modules *ms, u64 i)
{
	struct map map = { .start = i << FRAME_ADDR_BITS, .executable = true };

	map.end = map.start + 4096;
	return modules_code(ms, getpid(), &map);
}

static void test_code_is_bounded(void **state)
{
	struct arena *a = arena_new(-1, 1 << 20);
	struct tables *t = tables_new(a);
	struct modules *ms = modules_new("/proc", t, false);
	u64 sampled = frame_native(0, 0x10);
	struct module *m;
	u64 i;

	(void)state;
	for (i = 0; i < MAX_CODE; i++) {
		m = code(ms, i);
		assert_non_null(m);
		assert_int_equal(m->id, i);
		assert_ptr_equal(code(ms, i), m);
	}
	/* Too many, and nothing is known to be over. */
	assert_null(code(ms, i));
	assert_int_equal(modules_sum(ms).refused, 1);
	/* All are over, but one that a sample shows and one that is mapped. */
	tables_use(t, &sampled, 1, 1);
	tables_map(t, 1);
	modules_settled(ms, UINT64_MAX);
	for (; i < 2 * MAX_CODE - 2; i++) {
		m = code(ms, i);
		assert_non_null(m);
		assert_int_equal(m->id, i - MAX_CODE + 2);
		assert_int_equal(m->code->base, i << FRAME_ADDR_BITS);
		tables_map(t, m->id);
	}
	assert_null(code(ms, i));
	assert_int_equal(modules_sum(ms).refused, 2);
	assert_int_equal(modules_sum(ms).modules, MAX_CODE);
	assert_int_equal(code(ms, 0)->id, 0);
	assert_int_equal(code(ms, 1)->id, 1);
	modules_free(ms);
	tables_free(t);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
