/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The account of calls: what is counted of calls that return, jump, take another's place,
 * are left unseen, are not wanted or wait in a coroutine.  Native functions stand for all;
 * the time moves by 1 at each look.
 */
#include "self.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "bpf/calls/call.bpf.h"
#include "tests/host/host.h"
#include "walkers/tcl/tcl.h"

#define PID	 ((u32)getpid())
#define ENTRIES	 64
#define STACK(n) (0x7f0000001000ull - (n)*16)
#define PLACES	 16

int on_call(struct pt_regs *ctx);
int on_answer(struct call_answer *a);
extern u64 calls_until;
extern struct call_lost call_lost;
extern struct host_anonymous call_places, call_functions, call_rows,
	call_buckets, call_nodes, call_coroutines, call_threads;
void *host_storage(const void *map);

enum { F = 1, G, H, UNWANTED };

static void bind(const char *name, const void *map, u32 key, u32 value,
		 u32 entries, bool hash)
{
	const struct host_map m = { .name = name,
				    .map = map,
				    .key_size = key,
				    .value_size = value,
				    .entries = entries,
				    .hash = hash };

	host_map_bind(&m);
}

/* Place 4 f + kind is of the function f. */
static void set_place(u32 f, u32 kind)
{
	const struct call_place p = { .walker = CALL_NATIVE,
				      .kind = kind,
				      .reg = REG_ARG0,
				      .address = { f } };

	host_map_update(&call_places, &(u32){ f * 4 + kind }, &p, BPF_ANY);
}

static void set_function(u32 f, u32 state)
{
	const struct call_key key = { { f }, PID, CALL_NATIVE };
	const struct call_function value = { f, state };
	const struct call_row row = { 0 };

	host_map_update(&call_functions, &key, &value, BPF_ANY);
	if (state == CALL_WANTED)
		host_map_update(&call_rows, &f, &row, BPF_ANY);
	for (u32 kind = 0; kind < 4; kind++)
		set_place(f, kind);
}

static int set_up(void **state)
{
	(void)state;
	bind("call_places", &call_places, 4, sizeof(struct call_place), 64,
	     false);
	bind("call_functions", &call_functions, sizeof(struct call_key),
	     sizeof(struct call_function), ENTRIES, true);
	bind("call_rows", &call_rows, 4, sizeof(struct call_row), ENTRIES,
	     true);
	bind("call_buckets", &call_buckets, 4, sizeof(struct call_bucket),
	     1u << CALL_BUCKET_LOG, false);
	bind("call_nodes", &call_nodes, sizeof(struct call_step),
	     sizeof(struct call_node), ENTRIES, true);
	bind("call_coroutines", &call_coroutines, sizeof(struct call_at), 32,
	     ENTRIES, true);
	bind("processes", &processes, 4, sizeof(struct process_entry), ENTRIES,
	     true);
	for (u32 f = F; f <= H; f++)
		set_function(f, CALL_WANTED);
	set_function(UNWANTED, CALL_UNWANTED);
	host_now = 1000;
	host_tick = 1;
	memset(&call_lost, 0, sizeof(call_lost));
	*(u64 *)host_storage(&call_threads) = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	host_map_release();
	return 0;
}

/* The thread is at a place; depth: of its stack pointer. */
static void at(u32 f, u32 kind, u32 depth)
{
	struct pt_regs regs = { .sp = STACK(depth) };

	host_cookie = f * 4 + kind;
	on_call(&regs);
}

static void enter(u32 f, u32 depth)
{
	at(f, CALL_NATIVE_ENTER, depth);
}

static void leave(u32 f, u32 depth)
{
	at(f, CALL_NATIVE_LEAVE, depth);
}

static const struct call_row *row(u32 f)
{
	return host_map_lookup(&call_rows, &f);
}

static void is_left(u32 f, u64 returned, u64 tail, u64 jumped)
{
	assert_int_equal(row(f)->left[CALL_RETURN], returned);
	assert_int_equal(row(f)->left[CALL_TAIL], tail);
	assert_int_equal(row(f)->left[CALL_JUMP], jumped);
}

/* f calls g twice. */
static void test_return(void **state)
{
	(void)state;
	enter(F, 1);
	for (int i = 0; i < 2; i++) {
		enter(G, 2);
		leave(G, 2);
	}
	leave(F, 1);
	is_left(F, 1, 0, 0);
	is_left(G, 2, 0, 0);
	assert_int_equal(row(F)->total, row(F)->self + row(G)->total);
	assert_int_equal(row(G)->total, row(G)->self);
	assert_int_equal(row(F)->direct, 2);
	assert_int_equal(row(F)->inner, 2);
	assert_int_equal(row(F)->least, row(F)->total);
	assert_int_equal(row(F)->most, row(F)->total);
}

/* A call inside another of the same function counts its time once. */
static void test_recursion(void **state)
{
	u64 total;

	(void)state;
	enter(F, 1);
	enter(G, 2);
	enter(F, 3);
	leave(F, 3);
	leave(G, 2);
	leave(F, 1);
	total = row(F)->most;
	assert_int_equal(row(F)->total, total);
	assert_int_equal(row(F)->self + row(G)->self, total);
	assert_int_equal(row(F)->inner, 2);
}

/* What takes another call's place has the same return address, and is not in it. */
static void test_tail(void **state)
{
	(void)state;
	enter(F, 1);
	at(F, CALL_NATIVE_TAIL, 1);
	enter(G, 1);
	leave(G, 1);
	is_left(F, 0, 1, 0);
	is_left(G, 1, 0, 0);
	assert_int_equal(row(F)->inner, 0);
	assert_int_equal(row(F)->total, row(F)->self);
}

/* A new call, an exception's handler, or a return further out. */
static void test_jump(void **state)
{
	(void)state;
	enter(F, 1);
	enter(G, 2);
	enter(H, 3);
	/* G is where it was: a jump to F, which calls it again. */
	enter(G, 2);
	is_left(G, 0, 0, 1);
	is_left(H, 0, 0, 1);
	assert_int_equal(row(G)->unseen, 0);
	leave(F, 1);
	is_left(G, 0, 0, 2);
	is_left(F, 1, 0, 0);
	assert_int_equal(row(G)->unseen, 1);
}

static void test_unwanted(void **state)
{
	(void)state;
	enter(UNWANTED, 1);
	enter(F, 2);
	leave(F, 2);
	leave(UNWANTED, 1);
	is_left(F, 1, 0, 0);
	assert_null(row(UNWANTED));
	/* Which was wanted until the answer came. */
	set_function(UNWANTED, CALL_ASKED);
	enter(G, 1);
	enter(UNWANTED, 2);
	enter(F, 3);
	leave(F, 3);
	leave(UNWANTED, 2);
	leave(G, 1);
	assert_int_equal(row(G)->total,
			 row(G)->self + row(F)->total - row(F)->least);
	assert_int_equal(row(G)->inner, 1);
}

static void test_off(void **state)
{
	(void)state;
	enter(F, 1);
	calls_until = 1;
	enter(G, 2);
	leave(G, 2);
	leave(F, 1);
	calls_until = ~0ull;
	is_left(F, 1, 0, 0);
	is_left(G, 0, 0, 0);
}

/* Behind the end a call is neither entered nor left, and does not go with its thread. */
static void test_end(void **state)
{
	(void)state;
	enter(F, 1);
	calls_until = 0;
	enter(G, 2);
	leave(G, 2);
	leave(F, 1);
	at(F, CALL_NATIVE_TAIL, 1);
	enter(F, 1);
	calls_ended(PID);
	calls_until = ~0ull;
	is_left(F, 0, 0, 0);
	is_left(G, 0, 0, 0);
	assert_int_equal(row(F)->ended, 0);
	leave(F, 1);
	is_left(F, 1, 0, 0);
}

/* There is no process to read a name from: it is not known, and asked for again. */
static void test_unknown(void **state)
{
	(void)state;
	set_place(9, CALL_NATIVE_ENTER);
	enter(9, 1);
	enter(9, 1);
	assert_int_equal(call_lost.functions, 2);
	assert_null(row(5));
}

/* An answer for a function that was freed does not decide the next one. */
static void test_answer(void **state)
{
	struct call_answer answer = { { { F }, PID, CALL_NATIVE },
				      { 7, CALL_UNWANTED } };
	const struct call_function asked = { 8, CALL_ASKED };
	const struct call_function *f;

	(void)state;
	host_map_update(&call_functions, &answer.key, &asked, BPF_ANY);
	f = host_map_lookup(&call_functions, &answer.key);
	on_answer(&answer);
	assert_int_equal(f->state, CALL_ASKED);
	answer.function.id = 8;
	on_answer(&answer);
	assert_int_equal(f->id, 8);
	assert_int_equal(f->state, CALL_UNWANTED);
}

static struct call_bucket *bucket(u32 i)
{
	return host_map_lookup(&call_buckets, &i);
}

/* Other calls are in the bucket, and one whose tag is the same by another pid. */
static void test_tags(void **state)
{
	(void)state;
	for (u32 i = 0; i < 1u << CALL_BUCKET_LOG; i++) {
		bucket(i)->tag[0] = 1;
		bucket(i)->open[0].pid = PID;
	}
	enter(F, 1);
	leave(F, 1);
	is_left(F, 1, 0, 0);
	enter(F, 1);
	for (u32 i = 0; i < 1u << CALL_BUCKET_LOG; i++)
		if (bucket(i)->tag[1])
			bucket(i)->open[1].pid += 1u << 20;
	leave(F, 1);
	is_left(F, 1, 0, 0);
}

/* A coroutine is resumed, or waits from now on. */
static void change(bool waits)
{
	u64 coroutine[1] = { waits }, data[1];
	const struct call_place p = { .walker = WALKER_TCL,
				      .kind = TCL_CALL_SWITCH,
				      .reg = REG_ARG0 };
	struct pt_regs regs = { .sp = STACK(0), .di = (u64)data };

	data[0] = (u64)coroutine;
	host_cookie = PLACES;
	host_map_update(&call_places, &(u32){ PLACES }, &p, BPF_ANY);
	on_call(&regs);
}

/* F resumes a coroutine in which G waits, H lets it go on. */
static void test_coroutine(void **state)
{
	(void)state;
	enter(F, 1);
	change(false);
	enter(G, 2);
	change(true);
	host_now += 1000;
	leave(F, 1);
	enter(H, 1);
	host_now += 500;
	change(false);
	leave(G, 2);
	change(true);
	leave(H, 1);
	is_left(G, 1, 0, 0);
	assert_in_range(row(G)->suspended, 1500, 1550);
	assert_in_range(row(G)->total, 2, 50);
	assert_int_equal(row(G)->total, row(F)->total - row(F)->self +
						row(H)->total - row(H)->self);
}

static void test_ended(void **state)
{
	(void)state;
	enter(F, 1);
	enter(G, 2);
	calls_ended(PID);
	assert_int_equal(row(F)->ended, 1);
	assert_int_equal(row(G)->ended, 1);
	leave(G, 2);
	leave(F, 1);
	is_left(F, 0, 0, 0);
	is_left(G, 0, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_return),  TEST(test_recursion), TEST(test_tail),
		TEST(test_jump),    TEST(test_unwanted),  TEST(test_off),
		TEST(test_unknown), TEST(test_ended),	  TEST(test_answer),
		TEST(test_tags),    TEST(test_coroutine), TEST(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
