/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What is about to be mapped where something else was published: told once, and samples
 * that come upon it are kept from then on.  The place is a page of cmocka's code, which
 * is in every stack here.
 */
#include "self.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/walk.bpf.h"
#include "tests/host/self_maps.h"
#include "walkers/r/kernel/r.bpf.h"

#define NOINLINE __attribute__((noipa))
#define PAGE	 4096ull
#define CHILD	 (1u << 23) /* no pid of this process, nor of any: above pid_max */

int host_on_area(unsigned long start, struct vm_unmapped_area_info *info);
int host_on_fork(struct task_struct *parent, struct task_struct *child);
int host_on_exit(struct task_struct *task);
extern struct host_anonymous r_processes;

static u64 place; /* the page */

static struct process_entry *entry_of(u32 pid)
{
	return host_map_lookup(&processes, &pid);
}

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	host_task_current.tgid = getpid();
	place = (u64)_cmocka_run_group_tests & -PAGE;
	host_records_forget();
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	host_task_current.vfork_done = NULL;
	self_close();
	return 0;
}

static const struct notice *choose(u64 start, u64 bytes)
{
	struct vm_unmapped_area_info info = { .length = bytes };

	host_records_forget();
	host_on_area(start, &info);
	return host_record_notice();
}

/* A sample from here is kept, as far as it was found; it becomes what it is else. */
static NOINLINE void check_kept(void)
{
	struct perf_regs regs;
	struct sample *whole, *kept;
	u32 gone_of = entry_of(getpid())->gone_of;

	host_here(&regs);
	entry_of(getpid())->gone_of = 0;
	whole = self_sample(&regs);
	assert_int_equal(whole->status, WALK_ROOT);
	assert_int_equal(whole->process, 1);
	entry_of(getpid())->gone_of = gone_of;
	kept = self_sample_deferred(&regs);
	assert_int_equal(kept->process, 1);
	assert_int_equal(kept->status, WALK_ROOT);
	assert_int_equal(kept->words, whole->words);
	assert_memory_equal(kept->word, whole->word, whole->words * 8);
	free(whole);
	free(kept);
}

static NOINLINE void check_whole(void)
{
	struct perf_regs regs;
	struct sample *s;

	host_here(&regs);
	s = self_sample(&regs);
	assert_int_equal(s->status, WALK_ROOT);
	free(s);
}

static void test_elsewhere(void **state)
{
	(void)state;
	assert_null(choose(PAGE, PAGE));
	assert_null(choose((u64)-ENOMEM, place));
	assert_int_equal(entry_of(getpid())->gone_of, 0);
	check_whole();
}

static void test_gone(void **state)
{
	const struct notice *n = choose(place, PAGE);

	(void)state;
	assert_non_null(n);
	assert_int_equal(n->kind, NOTICE_GONE);
	assert_int_equal(n->process, 1);
	assert_int_equal(n->arg, place);
	assert_int_equal(n->end, place + PAGE);
	check_kept();
	/* Once is enough, and more is more. */
	assert_null(choose(place, PAGE));
	n = choose(place - PAGE, 2 * PAGE);
	assert_int_equal(n->process, 1);
	check_kept();
	/* What is published then has nothing to do with it. */
	entry_of(getpid())->serial = 2;
	check_whole();
}

/* However often, it ends. */
static void test_bounded(void **state)
{
	u32 notices = 0;

	(void)state;
	for (u64 i = 1; i < 1000; i++)
		notices += choose(place, i * PAGE) != NULL;
	assert_int_equal(notices, 17);
	assert_non_null(host_map_lookup(&gone, &(u32){ 1 }));
	/* What has been forgotten is taken for all. */
	host_map_empty(&gone);
	assert_null(choose(place, 2000 * PAGE));
	check_kept();
}

/* It maps in another program's memory, or in its parent's. */
static void test_memory(void **state)
{
	struct mm_struct other, *own = host_task_current.mm;
	struct task_struct parent = host_task_current;

	(void)state;
	check_whole();
	host_task_current.mm = &other;
	assert_null(choose(place, PAGE));
	host_task_current.mm = own;
	host_task_current.tgid = CHILD;
	host_task_current.real_parent = &parent;
	assert_null(choose(place, PAGE));
	host_task_current.vfork_done = (void *)&parent;
	assert_int_equal(choose(place, PAGE)->pid, getpid());
	assert_int_equal(entry_of(getpid())->gone_of, 1);
}

static void test_fork(void **state)
{
	struct task_struct child = { .tgid = CHILD };
	const struct notice *n;
	struct gone *g;

	(void)state;
	host_on_fork(&host_task_current, &child);
	assert_int_equal(host_record_notice()->kind, NOTICE_FORK);
	assert_int_equal(entry_of(CHILD)->gone_of, 0);
	choose(place, PAGE);
	host_on_fork(&host_task_current, &child);
	n = host_record_notice();
	assert_int_equal(n->kind, NOTICE_GONE);
	assert_int_equal(n->pid, CHILD);
	assert_int_equal(n->process, entry_of(CHILD)->serial);
	assert_int_equal(entry_of(CHILD)->gone_of, entry_of(CHILD)->serial);
	g = host_map_lookup(&gone, &entry_of(CHILD)->serial);
	assert_int_equal(g->start, place);
	assert_int_equal(g->end, place + PAGE);
	assert_int_not_equal(g->serial, entry_of(CHILD)->serial);
}

/* A child whose walkers have no room is one without an entry, and that is told. */
static void test_no_room(void **state)
{
	struct task_struct child = { .tgid = CHILD };
	u32 own = getpid();
	struct r_process r = { 0 };

	(void)state;
	entry_of(own)->walkers = 1u << WALKER_R;
	for (u32 i = 1; i < SELF_ENTRIES; i++)
		host_map_update(&r_processes, &(u32){ own + i }, &r, BPF_ANY);
	host_map_update(&r_processes, &own, &r, BPF_ANY);
	host_on_fork(&host_task_current, &child);
	assert_null(entry_of(CHILD));
	assert_int_equal(self_count(HOST_PROCESSES), 1);
	assert_int_equal(host_record_notice()->kind, NOTICE_FORK);
	assert_int_equal(host_record_notice()->process, 0);
}

/* A child that could not be told of is not known, but sampled. */
static void test_fork_untold(void **state)
{
	struct task_struct child = { .tgid = CHILD };
	struct r_process r = { 0 };
	u32 own = getpid();

	(void)state;
	entry_of(own)->walkers = 1u << WALKER_R;
	host_map_update(&r_processes, &own, &r, BPF_ANY);
	choose(place, PAGE);
	host_ring_full = true;
	host_on_fork(&host_task_current, &child);
	host_ring_full = false;
	assert_int_equal(self_count(HOST_NOTICE_LOST), 1);
	assert_non_null(entry_of(CHILD));
	assert_int_equal(entry_of(CHILD)->state, PROCESS_PENDING);
	assert_int_equal(entry_of(CHILD)->maps, 0);
	assert_int_equal(entry_of(CHILD)->walkers, 0);
	assert_int_not_equal(entry_of(CHILD)->serial, entry_of(own)->serial);
	assert_null(host_map_lookup(&r_processes, &(u32){ CHILD }));
	host_map_delete(&r_processes, &own);
}

/* What the walkers know of a process goes with it, even if it has no entry. */
static void test_exit(void **state)
{
	struct signal_struct signal = { 0 };
	struct task_struct task = { .tgid = CHILD, .signal = &signal };
	struct r_process r = { 0 };

	(void)state;
	host_map_update(&r_processes, &(u32){ CHILD }, &r, BPF_ANY);
	host_on_exit(&task);
	assert_null(host_map_lookup(&r_processes, &(u32){ CHILD }));
	assert_null(host_record_notice());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_elsewhere),	TEST(test_gone), TEST(test_bounded),
		TEST(test_memory),	TEST(test_fork), TEST(test_no_room),
		TEST(test_fork_untold), TEST(test_exit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
