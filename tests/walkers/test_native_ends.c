/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Addresses for which there is no rule: whatever the cache had at that place; and when
 * the rule goes while a walker has the frame.  And the short ways of rules that are
 * frequent: each leads where the way of any rule does.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
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

/* At a frame with this rule, on a stack of words that lead nowhere. */
static void stand_at(struct walk *w, const struct unwind_rule *rule, bool want)
{
	static u64 stack[64];
	u32 pid = getpid();

	memset(w, 0, offsetof(struct walk, index));
	w->process = *(struct process_entry *)host_map_lookup(&processes, &pid);
	for (u32 i = 0; i < 64; i++)
		stack[i] = (u64)&stack[i] + 256;
	for (u32 i = 0; i < REG_COUNT; i++)
		w->reg[i] = i;
	w->reg[REG_STACK] = (u64)stack;
	w->reg[REG_FRAME] = (u64)&stack[4];
	w->pc = 4096;
	w->want_saved = want;
	cursor_begin(cursor_of(w));
	walk_wake_begin(w);
	w->slot = cache_slot(w->pc);
	*walk_entry(w, w->slot) =
		(struct pc_entry){ .pc = w->pc,
				   .frame = 1,
				   .serial = w->process.serial,
				   .rule = *rule };
}

/* What the walk is after one step, by the way that the rule's head is given, and by the
 * way that any rule can go. */
static void check_ways(const struct unwind_rule *rule, bool want)
{
	static u8 found[offsetof(struct walk, index)];
	struct walk *w = self_walk(0);
	u64 word[3];

	stand_at(w, rule, want);
	native_step(w);
	memcpy(found, w, sizeof(found));
	memcpy(word, w->word, sizeof(word));
	stand_at(w, rule, want);
	take_frame(w, walk_entry(w, w->slot), rule->head);
	assert_memory_equal(found, w, sizeof(found));
	assert_memory_equal(word, w->word, w->words * sizeof(*word));
}

static void test_short_ways(void **state)
{
	static const u8 reg[] = { REG_STACK, REG_FRAME, REG_RESULT };
	static const u8 flags[] = { 0, UNWIND_SLOTS_FROM_FRAME,
				    UNWIND_RA_FROM_FRAME, UNWIND_INTERRUPTED };
	static const s16 slot[] = { UNWIND_SLOT_SAME, UNWIND_SLOT_LOST, -2 };
	struct unwind_rule rule = { .cfa_off = 16, .ra = -1 };

	(void)state;
	for (u32 i = 0; i < 13 * 3 * 4 * 3 * 2; i++) {
		rule.kind = i / 2 / 3 / 4 / 3;
		rule.cfa_reg = reg[i / 2 / 3 / 4 % 3];
		rule.flags = flags[i / 2 / 3 % 4];
		for (u32 k = 0; k < SAVED_REGS; k++)
			rule.slot[k] = slot[(i / 2 + k) % 3];
		check_ways(&rule, i % 2);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty_entry),
		TEST(test_rule_gone),
		TEST(test_short_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
