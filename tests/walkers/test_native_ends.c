/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Addresses for which there is no rule: whatever the cache had at that place; and when
 * the rule goes while a walker has the frame.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "bpf/native/native.bpf.h"

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* Address 0 is what an entry has that is empty. */
static void test_empty_entry(void **state)
{
	struct walk *w = self_walk(0);
	struct pc_entry stale = { .pc = 4096, .serial = 1 };
	u64 stack[2] = { 1, 0 };
	struct perf_regs regs;
	u32 slot = cache_slot(0);

	(void)state;
	stale.rule.kind = UNWIND_ROOT;
	host_here(&regs);
	for (u32 i = 0; i < 2; i++)
		*walk_entry(w, slot + i) = stale;
	for (u32 i = 0; i < 3; i++) {
		struct sample *s;

		/* The first byte of a function: its return address is on top. */
		regs.ip = (u64)test_empty_entry;
		regs.sp = (u64)stack;
		s = self_sample(&regs);
		assert_int_equal(s->status, CUT_NO_MAPPING);
		assert_int_equal(s->words, 3);
		free(s);
	}
}

static void test_rule_gone(void **state)
{
	struct walk *w = self_walk(0);
	u32 pid = getpid();

	(void)state;
	w->process = *(struct process_entry *)host_map_lookup(&processes, &pid);
	w->pc = 4096;
	w->exact = 1;
	w->slot = cache_slot(w->pc);
	w->located = LOCATED;
	w->mode = MODE_NATIVE;
	w->words = 0;
	native_step(w);
	assert_int_equal(w->mode, MODE_DONE);
	/* It is no sample that is lost. */
	assert_int_equal(w->status, CUT_NO_RULE);
	assert_int_equal(w->words, 1);
	assert_true(w->word[0] == frame_value58(FRAME_UNMAPPED, 4096));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty_entry),
		TEST(test_rule_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
