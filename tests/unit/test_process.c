/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How often a process is looked at whose interpreter does not come. */
#include "user/processes/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND 1000000000ull

/* Looks in the first minute, and what there is between two in the end. */
static void count_looks(struct process *p, u32 *looks, u64 *delay)
{
	*looks = 0;
	for (u64 now = 0; now < 3600 * SECOND; now = p->due) {
		*looks += now < 60 * SECOND;
		process_schedule(p, now);
		assert_true(p->due > now);
	}
	*delay = p->delay;
}

static void test_schedule(void **state)
{
	static const struct {
		enum walker_state tcl, r;
		bool partial, refused;
		u64 delay; /* s */
	} cases[] = {
		/* Walked all the same. */
		{ .tcl = WALKER_WAITING, .delay = 256 },
		{ .tcl = WALKER_WAITING, .r = WALKER_PROVEN, .delay = 256 },
		{ .tcl = WALKER_WAITING, .partial = true, .delay = 4 },
		{ .tcl = WALKER_WAITING, .refused = true, .delay = 4 },
		{ .tcl = WALKER_WAITING, .r = WALKER_WAITING, .delay = 4 },
		/* Not shown until then. */
		{ .tcl = WALKER_UNPROVEN, .delay = 4 },
		{ .r = WALKER_WAITING, .delay = 4 },
		{ .delay = 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct process p = { .refused = cases[i].refused };
		u64 delay;
		u32 looks;

		p.walker[WALKER_TCL] = cases[i].tcl;
		p.walker[WALKER_R] = cases[i].r;
		p.partial = cases[i].partial;
		count_looks(&p, &looks, &delay);
		print_message("# %zu: %u\n", i, looks);
		assert_int_equal(delay, cases[i].delay * SECOND);
		assert_in_range(looks, cases[i].delay == 256 ? 14 : 24, 80);
	}
}

/* A later program's entry is waited for, by its notice, for a while; what has come to
 * be known ends that. */
static void test_overtaken(void **state)
{
	const struct process_entry later = { .serial = 8,
					     .state = PROCESS_PENDING };
	const struct process_entry own = { .serial = 7,
					   .state = PROCESS_PENDING };
	const struct process_entry ready = { .serial = 8,
					     .state = PROCESS_READY };
	struct process p = { .serial = 7 };

	(void)state;
	assert_true(process_is_overtaken(&p, &later, 100 * SECOND));
	assert_true(process_is_overtaken(&p, &later, 100 * SECOND + 1));
	assert_false(process_is_overtaken(&p, &later, 200 * SECOND));
	assert_false(process_is_overtaken(&p, &own, 200 * SECOND));
	assert_true(process_is_overtaken(&p, &later, 200 * SECOND));
	assert_false(process_is_overtaken(&p, &ready, 200 * SECOND));
	assert_true(process_is_overtaken(&p, &later, 300 * SECOND));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedule),
		cmocka_unit_test(test_overtaken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
