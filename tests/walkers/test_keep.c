/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that are to be kept for later: what is in them when the thread has no user
 * stack, and what becomes of them when there is no room.  The table that is missing is
 * that of cmocka, which is in every stack here.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "bpf/budget.bpf.h"
#include "bpf/walk.bpf.h"
#include "walkers/r/kernel/r.bpf.h"

#define NOINLINE __attribute__((noipa))

extern struct host_anonymous r_processes;
int on_sample(struct bpf_perf_event_data *ctx);

static struct process_entry *entry(void)
{
	u32 pid = getpid();

	return host_map_lookup(&processes, &pid);
}

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	host_ring_size = 1 << 20;
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	host_task_current.flags = 0;
	host_ring_unread = 0;
	host_ring_size = 0;
	self_close();
	return 0;
}

/* The walk before it was another process's. */
static NOINLINE void test_no_stack(void **state)
{
	struct bpf_perf_event_data ctx = { 0 };
	const struct sample *s;
	const struct deferred *k;

	(void)state;
	host_here(&ctx.regs);
	free(self_sample(&ctx.regs));
	assert_int_not_equal(self_walk(0)->valid, 0);
	self_walk(0)->saved = REGS_KEPT;
	host_task_current.flags = PF_KTHREAD;
	entry()->state = PROCESS_PENDING;
	host_faults_set(NULL);
	on_sample(&ctx);
	s = host_record_deferred();
	assert_non_null(s);
	assert_int_equal(s->status, WALK_KERNEL_THREAD);
	k = (const void *)&s->word[s->words];
	assert_int_equal(k->cursor.valid, 0);
	assert_int_equal(host_reads, 0);
}

/* Whose frames are not in the sample. */
static u32 forget_table(void)
{
	u32 id = frame_file(self_word(_cmocka_run_group_tests));
	struct unwind_file *f = host_map_lookup(&files, &id);

	f->chunks = 0;
	f->rules = 0;
	self_forget();
	return id;
}

static u64 context; /* of R, in the outermost frames */

static NOINLINE void check_no_room(u32 kept_words)
{
	struct perf_regs regs;
	struct sample *whole, *cut;
	u32 last = 0, id;

	host_here(&regs);
	whole = self_sample(&regs);
	assert_int_equal(whole->status, WALK_ROOT);
	id = forget_table();
	while (frame_file(whole->word[last]) != id)
		last++;
	free(self_sample_deferred(&regs));
	assert_int_equal(host_record_deferred()->words, last + kept_words);
	/* Three quarters are the others'. */
	host_ring_unread = host_ring_size / 4 * 3 + 1;
	cut = self_sample(&regs);
	assert_int_equal(cut->status, CUT_NOT_READY);
	assert_int_equal(cut->words, last + 2);
	assert_memory_equal(cut->word, whole->word, (last + 1) * 8);
	assert_true(cut->word[last + 1] ==
		    frame_value58(FRAME_STATUS, CUT_NOT_READY));
	assert_int_equal(self_count(LOST_NOT_READY), 0);
	assert_int_equal(self_count(CUT_NOT_READY), 1);
	free(whole);
	free(cut);
}

static void test_no_room(void **state)
{
	(void)state;
	check_no_room(0);
}

/* The walker has written what it knows where the last frame was. */
static void test_no_room_ahead(void **state)
{
	struct r_process r = { .global_context = (u64)&context, .toplevel = 1 };
	u32 pid = getpid();

	(void)state;
	host_map_update(&r_processes, &pid, &r, BPF_ANY);
	entry()->walkers = 1u << WALKER_R;
	/* Its key, and that what comes after it is missing. */
	check_no_room(2);
}

/* Of a process that is not known there is nothing else. */
static NOINLINE void test_no_room_pending(void **state)
{
	struct bpf_perf_event_data ctx = { 0 };

	(void)state;
	host_here(&ctx.regs);
	ctx.regs.cs = 3;
	entry()->state = PROCESS_PENDING;
	host_ring_unread = host_ring_size / 4 * 3 + 1;
	host_records_forget();
	on_sample(&ctx);
	assert_null(host_record_deferred());
	assert_null(host_record_sample());
	assert_int_equal(self_count(LOST_NOT_READY), 1);
}

/* That nothing can be written has two reasons. */
static NOINLINE void test_ring(void **state)
{
	struct perf_regs regs;

	(void)state;
	host_here(&regs);
	host_ring_unread = host_ring_size / 4 * 3;
	self_sample_lost(&regs);
	assert_int_equal(self_count(LOST_RING_FULL), 1);
	host_ring_unread = host_ring_size / 4;
	host_ring_full = true;
	on_sample(&(struct bpf_perf_event_data){ .regs = regs });
	host_ring_full = false;
	assert_int_equal(self_count(LOST_RING_FULL), 1);
	assert_int_equal(self_count(LOST_RING_BUSY), 1);
}

/* What costs a tick when all has been read costs four when 1.5 MiB have not. */
static NOINLINE void test_unread_is_dear(void **state)
{
	const struct account *a = host_map_lookup(&accounts, &(u32){ 0 });
	struct bpf_perf_event_data ctx = { 0 };
	u64 once;

	(void)state;
	host_here(&ctx.regs);
	ctx.regs.cs = 3;
	entry()->state = PROCESS_PENDING;
	host_ring_size = 8 << 20;
	host_tick = 10;
	on_sample(&ctx);
	once = a->spent;
	assert_true(once > 0);
	host_ring_unread = 3 << 19;
	on_sample(&ctx);
	assert_int_equal(a->spent, 5 * once);
	host_tick = 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	u64 contexts[R_CONTEXT_WORDS] = { 0 };
	const struct CMUnitTest tests[] = {
		TEST(test_no_stack),	  TEST(test_no_room),
		TEST(test_no_room_ahead), TEST(test_no_room_pending),
		TEST(test_ring),	  TEST(test_unread_is_dear),
	};

	context = (u64)contexts;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
