/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The unwinder over rules and a stack that are made by hand: every kind of rule, and every
 * way in which a walk can end.  The kernel side is the same source.
 */
#include "user/unwind/unwind.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#define STACK 0x7fff00000000ull /* address of the first page */
#define WORDS (DEFERRED_PAGE / 8)
#define SP    (STACK + 64 * 8)
#define WORD(n) \
	(SP + (n)*8) /* address of the nth word above the stack pointer */
/* As jpbpf/unwinder.h has them. */
#define MAX_FALLS  16
#define MAX_FRAMES 32768

#define LEAF   0x1000
#define CALLER 0x2000
#define OUTER  0x3000

static struct {
	struct deferred head;
	u64 stack[WORDS];
} sample;

/* The rules of the functions that begin at these addresses. */
static struct {
	u64 start;
	struct unwind_rule rule;
	u32 status;
} function[4];

static u64 found[64]; /* addresses of frames, leaf first */
static u32 frames;

static u32 find_rule(void *ctx, u64 address, struct unwind_rule *rule,
		     u64 *word)
{
	(void)ctx;
	*word = address;
	for (size_t i = 0; i < 4; i++)
		if (function[i].start && address - function[i].start < 0x1000) {
			*rule = function[i].rule;
			return function[i].status;
		}
	return CUT_NO_MAPPING;
}

static void take_frame(void *ctx, u64 word, const struct unwind_rule *rule,
		       u64 cfa)
{
	(void)ctx, (void)rule, (void)cfa;
	if (frames < 64)
		found[frames] = word;
	frames++;
}

static bool no_code(void *ctx, u64 address, u64 *out)
{
	(void)ctx, (void)address, (void)out;
	return false;
}

static struct unwind_rule cfa_rule(u32 reg, s32 off)
{
	struct unwind_rule r = {
		.kind = UNWIND_CFA, .cfa_reg = reg, .cfa_off = off, .ra = -1
	};

	for (u32 i = 0; i < SAVED_REGS; i++)
		r.slot[i] = UNWIND_SLOT_SAME;
	return r;
}

static struct unwind_rule kind_rule(enum unwind_kind kind)
{
	struct unwind_rule r = cfa_rule(REG_STACK, 8);

	r.kind = kind;
	return r;
}

static void put(u32 n, u64 word)
{
	sample.stack[64 + n] = word;
}

/* A leaf and its caller, each with its return address on top of its frame of two words,
 * and the outermost function. */
static void begin(void)
{
	struct cursor *c = &sample.head.cursor;

	memset(&sample, 0, sizeof(sample));
	memset(function, 0, sizeof(function));
	frames = 0;
	sample.head.base = STACK;
	sample.head.pages[0] = 1;
	c->pc = LEAF;
	c->exact = 1;
	c->want_saved = 1;
	c->valid = (1u << REG_COUNT) - 1;
	c->reg[REG_STACK] = SP;
	c->cfa = SP - 1;
	function[0].start = LEAF;
	function[0].rule = cfa_rule(REG_STACK, 16);
	function[1].start = CALLER;
	function[1].rule = cfa_rule(REG_STACK, 16);
	function[2].start = OUTER;
	function[2].rule = kind_rule(UNWIND_ROOT);
	put(1, CALLER + 8);
	put(3, OUTER + 8);
}

static u32 walk(void)
{
	const struct unwind_env env = { find_rule, take_frame, no_code, NULL };

	frames = 0;
	return unwind_deferred(&sample.head, &env);
}

static void check(u32 status, u32 n)
{
	assert_int_equal(walk(), status);
	assert_int_equal(frames, n);
}

static void test_whole(void **state)
{
	(void)state;
	begin();
	check(WALK_ROOT, 3);
	assert_int_equal(found[0], LEAF);
	assert_int_equal(found[1], CALLER + 7);
	assert_int_equal(found[2], OUTER + 7);
}

/* ---- how it ends ----------------------------------------------------------- */

static void test_ends(void **state)
{
	static const struct {
		enum unwind_kind kind;
		u32 status;
	} rows[] = {
		{ UNWIND_SWITCH, CUT_SWITCH },
		{ UNWIND_THREAD, CUT_SWITCH },
		{ UNWIND_UNSUPPORTED, CUT_UNSUPPORTED },
		{ 255, CUT_UNSUPPORTED },
		{ UNWIND_NONE, CUT_NO_RULE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print_message("# kind %d\n", rows[i].kind);
		begin();
		function[1].rule = kind_rule(rows[i].kind);
		check(rows[i].status, 2);
	}
	begin();
	put(1, 0);
	check(CUT_NULL_RETURN, 1);
	begin();
	put(3, 0x9000);
	check(CUT_NO_MAPPING, 3);
	begin();
	function[1].status = CUT_NOT_READY;
	check(CUT_NOT_READY, 2);
	begin();
	function[1].status = CUT_NO_TABLE;
	check(CUT_NO_TABLE, 2);
	begin();
	function[1].rule = cfa_rule(REG_STACK, 4096);
	check(CUT_NOT_KEPT, 2);
}

/* The CFA of a frame lies above that of the one it called. */
static void test_rises(void **state)
{
	(void)state;
	begin();
	function[1].rule = cfa_rule(REG_STACK, 0);
	check(CUT_NOT_RISING, 2);
	function[1].rule = cfa_rule(REG_STACK, 8);
	put(2, OUTER + 8);
	check(WALK_ROOT, 3);
	/* The leaf may have nothing on the stack but its return address. */
	begin();
	function[0].rule = cfa_rule(REG_STACK, 8);
	put(0, CALLER + 8);
	put(2, OUTER + 8);
	check(WALK_ROOT, 3);
	function[0].rule = cfa_rule(REG_STACK, 0);
	sample.head.cursor.cfa = SP;
	check(CUT_NOT_RISING, 1);
}

/* One that counts from another register may be anywhere, but only so often. */
static void test_falls(void **state)
{
	(void)state;
	begin();
	sample.head.cursor.reg[REG_FRAME] = WORD(2);
	function[0].rule = cfa_rule(REG_FRAME, 0);
	function[1].rule = cfa_rule(REG_FRAME, 0);
	put(1, CALLER + 8);
	check(CUT_NOT_RISING, 2 + MAX_FALLS);
}

static void test_frames(void **state)
{
	struct cursor *c = &sample.head.cursor;

	(void)state;
	begin();
	c->frames = MAX_FRAMES - 3;
	check(WALK_ROOT, 3);
	c->frames = MAX_FRAMES - 2;
	check(CUT_DEPTH, 3);
}

/* ---- kinds of rules --------------------------------------------------------- */

/* A stub pushes a word in its middle. */
static void test_plt(void **state)
{
	static const struct {
		u32 byte;
		bool pushed;
	} rows[] = { { 0, false }, { 5, false }, { 10, false },
		     { 11, true }, { 15, true }, { 16, false } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print_message("# byte %u\n", rows[i].byte);
		begin();
		function[0].rule = kind_rule(UNWIND_PLT);
		function[0].rule.cfa_off = 11;
		sample.head.cursor.pc = LEAF + rows[i].byte;
		put(0, 7);
		put(1, 7);
		put(rows[i].pushed, CALLER + 8);
		function[1].rule = kind_rule(UNWIND_ROOT);
		check(WALK_ROOT, 2);
	}
}

/* What begins a thread is the outermost frame in the thread, and not in who began it. */
static void test_clone(void **state)
{
	(void)state;
	begin();
	function[0].rule = kind_rule(UNWIND_CLONE);
	function[0].rule.cfa_off = 16;
	check(WALK_ROOT, 1);
	sample.head.cursor.reg[REG_RESULT] = 1;
	check(WALK_ROOT, 3);
}

static void test_deref(void **state)
{
	(void)state;
	begin();
	function[0].rule = cfa_rule(REG_STACK, 0);
	function[0].rule.kind = UNWIND_DEREF;
	function[0].rule.deref_off = 8;
	put(0, WORD(5));
	put(5, CALLER + 8);
	put(7, OUTER + 8);
	check(WALK_ROOT, 3);
	put(0, 64);
	/* A CFA may be anywhere only where it is not counted from the stack. */
	check(CUT_NOT_RISING, 1);
	function[0].rule.cfa_off = -4096;
	check(CUT_NOT_KEPT, 1);
}

/* The end of another stack. */
static void test_depth(void **state)
{
	(void)state;
	begin();
	function[0].rule = cfa_rule(REG_STACK, 8);
	function[0].rule.kind = UNWIND_DEPTH;
	function[0].rule.deref_off = 16;
	put(1, WORD(20));
	put(21, WORD(40));
	put(2, 10 * 8);
	/* The CFA is 10 words below the end, and one above that. */
	put(30, CALLER + 8);
	put(32, OUTER + 8);
	check(WALK_ROOT, 3);
	put(1, 64);
	check(CUT_NOT_KEPT, 1);
}

/* ---- registers -------------------------------------------------------------- */

static const u32 last_saved = SAVED_REGS - 1;

/* What the leaf has saved is what its caller's CFA counts from. */
static void test_saved(void **state)
{
	u32 reg = saved_reg[last_saved];

	(void)state;
	begin();
	function[0].rule.slot[last_saved] = -2;
	put(0, WORD(2));
	function[1].rule = cfa_rule(reg, 16);
	check(WALK_ROOT, 3);
	function[0].rule.slot[last_saved] = UNWIND_SLOT_LOST;
	check(CUT_LOST_REGISTER, 2);
	function[0].rule.slot[last_saved] = UNWIND_SLOT_SAME;
	sample.head.cursor.reg[reg] = WORD(2);
	check(WALK_ROOT, 3);
	/* It is read when it is wanted. */
	function[0].rule.slot[last_saved] = -1000;
	check(CUT_LOST_REGISTER, 2);
	function[1].rule = cfa_rule(REG_STACK, 16);
	check(WALK_ROOT, 3);
}

/* A call destroys the others. */
static void test_destroyed(void **state)
{
	(void)state;
	begin();
	sample.head.cursor.reg[REG_RESULT] = WORD(2);
	function[0].rule = cfa_rule(REG_RESULT, 0);
	check(WALK_ROOT, 3);
	function[0].rule = cfa_rule(REG_STACK, 16);
	function[1].rule = cfa_rule(REG_RESULT, 16);
	check(CUT_LOST_REGISTER, 2);
}

static void test_flags(void **state)
{
	struct cursor *c = &sample.head.cursor;

	(void)state;
	begin();
	/* The return address is in a register. */
	function[0].rule.flags = UNWIND_RA_IN_REG;
	function[0].rule.ra = REG_RESULT;
	c->reg[REG_RESULT] = CALLER + 8;
	put(1, 0);
	check(WALK_ROOT, 3);
	c->valid &= ~(1u << REG_RESULT);
	check(CUT_LOST_REGISTER, 1);
	begin();
	/* It counts from the frame pointer, and so does what is saved. */
	function[0].rule.flags = UNWIND_RA_FROM_FRAME | UNWIND_SLOTS_FROM_FRAME;
	function[0].rule.ra = 1;
	function[0].rule.slot[last_saved] = 2;
	c->reg[REG_FRAME] = WORD(10);
	put(1, 0);
	put(11, CALLER + 8);
	put(12, WORD(2));
	function[1].rule = cfa_rule(saved_reg[last_saved], 16);
	check(WALK_ROOT, 3);
	c->valid &= ~(1u << REG_FRAME);
	check(CUT_LOST_REGISTER, 1);
	begin();
	/* The caller was made to stop at that very instruction. */
	function[0].rule.flags = UNWIND_INTERRUPTED;
	put(1, CALLER);
	check(WALK_ROOT, 3);
	assert_int_equal(found[1], CALLER);
}

static void test_signal(void **state)
{
	u32 at = 4;

	(void)state;
	begin();
	function[0].rule = kind_rule(UNWIND_SIGNAL);
	function[0].rule.cfa_off = at * 8;
	for (u32 i = 0; i < REG_COUNT; i++)
		put(at + i, signal_reg[i] == REG_STACK ? WORD(30) : 0);
	put(at + REG_COUNT, CALLER);
	put(31, OUTER + 8);
	check(WALK_ROOT, 3);
	assert_int_equal(found[1], CALLER);
	put(at + REG_COUNT, 0);
	check(CUT_NULL_RETURN, 1);
	function[0].rule.cfa_off = DEFERRED_PAGE - 64 * 8 - REG_COUNT * 8;
	check(CUT_NOT_KEPT, 1);
}

/* ---- what is kept of the stack ------------------------------------------------ */

/* A word at the very end of it, and one that is half behind. */
static void test_edge(void **state)
{
	s32 to_end = DEFERRED_PAGE - 64 * 8;

	(void)state;
	begin();
	function[0].rule = cfa_rule(REG_STACK, to_end);
	function[1].rule = kind_rule(UNWIND_ROOT);
	sample.stack[WORDS - 1] = CALLER + 8;
	check(WALK_ROOT, 2);
	function[0].rule.cfa_off = to_end + 1;
	check(CUT_NOT_KEPT, 1);
	function[0].rule.cfa_off = to_end + 8;
	check(CUT_NOT_KEPT, 1);
	sample.head.pages[0] = 2;
	function[0].rule.cfa_off = to_end;
	check(CUT_NOT_KEPT, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	  cmocka_unit_test(test_ends),
		cmocka_unit_test(test_rises),	  cmocka_unit_test(test_falls),
		cmocka_unit_test(test_frames),	  cmocka_unit_test(test_plt),
		cmocka_unit_test(test_clone),	  cmocka_unit_test(test_deref),
		cmocka_unit_test(test_depth),	  cmocka_unit_test(test_saved),
		cmocka_unit_test(test_destroyed), cmocka_unit_test(test_flags),
		cmocka_unit_test(test_signal),	  cmocka_unit_test(test_edge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
