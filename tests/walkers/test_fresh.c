/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What has been mapped since the publication: samples that come upon it are kept, until a
 * later publication includes it.  The place is a page of cmocka's code, which is in every
 * stack here.
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
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/walk.bpf.h"
#include "tests/host/self_maps.h"
#include "walkers/r/kernel/r.bpf.h"

#define NOINLINE __attribute__((noipa))
#define PAGE	 4096ull
#define CHILD	 (1u << 23) /* no pid of this process, nor of any: above pid_max */

int on_sample(void *ctx);
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
	self_close();
	return 0;
}

static struct fresh *areas(u32 pid)
{
	return host_map_lookup(&fresh, &pid);
}

/* The process is in mmap() with this protection and these flags. */
static void map_as(u64 start, u64 bytes, int protection, int flags)
{
	struct vm_unmapped_area_info info = { .length = bytes };

	host_now++;
	host_task_saved.orig_ax = SYS_mmap;
	host_task_saved.dx = protection;
	host_task_saved.r10 = flags;
	host_on_area(start, &info);
}

static void map(u64 start, u64 bytes)
{
	map_as(start, bytes, PROT_READ, MAP_PRIVATE);
}

/* As user space writes an entry, after it has read the mappings at that time. */
static void publish(u32 serial, u64 since)
{
	struct process_entry *p = entry_of(getpid());

	p->serial = p->fresh = serial;
	p->since = since;
	p->state = PROCESS_READY;
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

/* A sample from here is kept, as far as it was found; it becomes what it is else. */
static NOINLINE void check_kept(void)
{
	struct process_entry before = *entry_of(getpid());
	struct perf_regs regs;
	struct sample *whole, *kept;

	host_here(&regs);
	entry_of(getpid())->fresh = 0;
	whole = self_sample(&regs);
	assert_int_equal(whole->status, WALK_ROOT);
	*entry_of(getpid()) = before;
	kept = self_sample_deferred(&regs);
	assert_int_equal(kept->status, WALK_ROOT);
	assert_int_equal(kept->words, whole->words);
	assert_memory_equal(kept->word, whole->word, whole->words * 8);
	assert_int_not_equal(entry_of(getpid())->fresh, 0);
	free(whole);
	free(kept);
}

static void test_elsewhere(void **state)
{
	(void)state;
	check_whole();
	map(PAGE, PAGE);
	/* Memory that is no code, and a call that has failed. */
	map_as(place, PAGE, PROT_READ | PROT_WRITE,
	       MAP_PRIVATE | MAP_ANONYMOUS);
	map((u64)-ENOMEM, place);
	check_whole();
	assert_int_equal(areas(getpid())->n, 1);
	/* Anonymous, and code. */
	map_as(place, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS);
	assert_int_equal(areas(getpid())->n, 2);
}

static void test_fresh(void **state)
{
	(void)state;
	map(place, PAGE);
	check_kept();
	/* As the caches are filled now. */
	check_kept();
	/* A publication that may be older than the area. */
	publish(2, host_now);
	check_kept();
	/* A later one: the first sample finds that, the mark goes. */
	publish(3, host_now + 1);
	assert_int_equal(entry_of(getpid())->fresh, 3);
	check_whole();
	assert_int_equal(entry_of(getpid())->fresh, 0);
}

static int lookups; /* until it maps */

static void map_meanwhile(void)
{
	if (lookups--)
		host_interrupt = map_meanwhile;
	else
		map(place, PAGE);
}

/* An area that is noted while a sample looks for areas, whenever it is, keeps its mark. */
static void test_meanwhile(void **state)
{
	struct bpf_perf_event_data ctx = { 0 };

	(void)state;
	host_here(&ctx.regs);
	for (u32 i = 0; i < 20; i++) {
		map(PAGE, PAGE);
		publish(2 + i, host_now + 1);
		lookups = i;
		host_interrupt = map_meanwhile;
		on_sample(&ctx);
		host_interrupt = NULL;
		assert_true(lookups < 0);
		check_kept();
	}
}

/* A sample that meets a change is kept as a whole. */
static void test_changing(void **state)
{
	struct perf_regs regs;

	(void)state;
	map(PAGE, PAGE);
	areas(getpid())->version++;
	host_here(&regs);
	free(self_sample_deferred(&regs));
	areas(getpid())->version++;
	check_whole();
}

/* However many: then one area stands for all, and is no longer once all are published. */
static void test_many(void **state)
{
	(void)state;
	map(place, PAGE);
	for (u64 i = 1; i < FRESH_AREAS; i++)
		map(i * 2 * PAGE, PAGE);
	assert_int_equal(areas(getpid())->n, FRESH_AREAS);
	check_kept();
	map(place + PAGE, PAGE);
	assert_int_equal(areas(getpid())->n, 2);
	assert_int_equal(areas(getpid())->area[0].start, 2 * PAGE);
	assert_int_equal(areas(getpid())->area[0].end, place + PAGE);
	assert_int_equal(areas(getpid())->area[1].start, place + PAGE);
	check_kept();
	publish(2, host_now + 1);
	check_whole();
	map(PAGE, PAGE);
	assert_int_equal(areas(getpid())->n, 1);
	/* The same again, or more of the same, is one. */
	map(PAGE, PAGE);
	map(PAGE, 2 * PAGE);
	assert_int_equal(areas(getpid())->n, 1);
	assert_int_equal(areas(getpid())->area[0].end, 3 * PAGE);
}

/* It is in an exec, or not known. */
static void test_memory(void **state)
{
	struct mm_struct other, *own = host_task_current.mm;

	(void)state;
	check_whole();
	host_task_current.mm = &other;
	map(place, PAGE);
	host_task_current.mm = own;
	host_task_current.tgid = CHILD;
	map(place, PAGE);
	assert_null(areas(CHILD));
	host_task_current.tgid = getpid();
	assert_null(areas(getpid()));
	entry_of(getpid())->state = PROCESS_IGNORED;
	map(place, PAGE);
	assert_null(areas(getpid()));
}

/* Without room for areas nothing is walked until user space has looked again. */
static void test_no_areas(void **state)
{
	static const struct fresh none;
	struct perf_regs regs;

	(void)state;
	for (u32 i = 0; i < SELF_ENTRIES; i++)
		host_map_update(&fresh, &(u32){ CHILD + i }, &none, BPF_ANY);
	host_records_forget();
	map(place, PAGE);
	assert_int_equal(host_record_notice()->kind, NOTICE_UNMAPPED);
	assert_int_equal(entry_of(getpid())->state, PROCESS_PENDING);
	host_here(&regs);
	free(self_sample_deferred(&regs));
}

static void test_fork(void **state)
{
	struct task_struct child = { .tgid = CHILD };

	(void)state;
	host_on_fork(&host_task_current, &child);
	assert_null(areas(CHILD));
	map(place, PAGE);
	host_on_fork(&host_task_current, &child);
	assert_int_equal(areas(CHILD)->n, 1);
	assert_int_equal(areas(CHILD)->area[0].start, place);
	assert_int_equal(entry_of(CHILD)->fresh, entry_of(CHILD)->serial);
	assert_int_equal(entry_of(CHILD)->since, entry_of(getpid())->since);
	/* The mark of no other entry. */
	assert_int_not_equal(entry_of(getpid())->fresh, entry_of(CHILD)->fresh);
	/* Another thread maps at this moment: the child has no entry. */
	areas(getpid())->version++;
	child.tgid++;
	host_records_forget();
	host_on_fork(&host_task_current, &child);
	assert_null(entry_of(CHILD + 1));
	assert_null(areas(CHILD + 1));
	assert_int_equal(host_record_notice()->kind, NOTICE_FORK);
	assert_int_equal(host_record_notice()->process, 0);
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
	map(place, PAGE);
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
	host_map_update(&fresh, &(u32){ CHILD }, &(struct fresh){ 0 }, BPF_ANY);
	host_on_exit(&task);
	assert_null(areas(CHILD));
	assert_null(host_map_lookup(&r_processes, &(u32){ CHILD }));
	assert_null(host_record_notice());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_self, close_self)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_elsewhere),	TEST(test_fresh),
		TEST(test_meanwhile),	TEST(test_changing),
		TEST(test_many),	TEST(test_memory),
		TEST(test_no_areas),	TEST(test_fork),
		TEST(test_no_room),	TEST(test_exit),
		TEST(test_fork_untold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
