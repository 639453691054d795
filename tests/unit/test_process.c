/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How often a process is looked at whose interpreter does not come. */
#include "user/processes/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/processes/map_history.h"

#define SECOND	1000000000ull
#define FILE_ID 5

/* No interpreter. */
const struct module *modules_get(const struct modules *ms, u32 id)
{
	static const struct module module;

	(void)ms;
	return id == FILE_ID ? &module : NULL;
}

u32 modules_walkers(const struct module *m)
{
	(void)m;
	return 0;
}

struct tables *modules_tables(const struct modules *ms)
{
	(void)ms;
	return NULL;
}

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

/* A program is left alone when all that it has mapped since its start is known, and none
 * of that is an interpreter's.  Its start may not have been told. */
static void test_stranger(void **state)
{
	static const struct {
		bool exec;
		bool is_known; /* the file */
		bool is_stranger;
	} event[] = {
		{ false, true, false }, { true, false, true },
		{ false, true, true },	{ false, false, false },
		{ false, true, false }, { true, false, true },
	};
	struct tracker t = { .config = { .mode = TRACK_INTERPRETERS } };
	struct process p = { .pid = 1 };

	(void)state;
	assert_false(process_is_stranger(&t, &p, SECOND));
	for (size_t i = 0; i < sizeof(event) / sizeof(*event); i++) {
		print_message("# %zu\n", i);
		map_history_add(
			&p.history,
			&(struct map_event){ .time = i + 1,
					     .exec = event[i].exec,
					     .mapping.file =
						     event[i].is_known
							     ? FILE_ID
							     : MAP_NO_FILE });
		assert_int_equal(process_is_stranger(&t, &p, SECOND),
				 event[i].is_stranger);
	}
	map_history_release(&p.history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedule),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_stranger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
