/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* When processes are looked at, and what that does to samples that wait. */
#include "tests/unit/tracked.h"

#include <sys/sysmacros.h>

#include "tests/unit/tiny_elf.h"
#include "user/lib/heap.h"
#include "user/lib/mem.h"

/* Where a process is that has one page of code, and where it is not. */
#define MAPPED	 0x2010
#define UNMAPPED 0x9010

static void keep(struct tracked *t, pid_t pid, u32 status, u64 pc)
{
	size_t len = sizeof(struct sample) + sizeof(struct deferred);
	struct sample *s = xcalloc(1, len);
	struct deferred *kept = (struct deferred *)deferred_of(s);

	*s = (struct sample){ .type = RECORD_DEFERRED,
			      .pid = pid,
			      .tid = pid,
			      .status = status,
			      .process = t->engine.entry[pid].serial,
			      .time = tracked_now() };
	kept->cursor.pc = pc;
	kept->cursor.exact = 1;
	tracker_deferred(t->tracker, s, len);
}

/* Until something is to be done that does not take its time. */
static void work(struct tracked *t)
{
	for (int i = 0, due = 0; due >= 0 && due <= 10; i++) {
		assert_true(i < 100);
		due = tracker_work(t->tracker);
	}
}

/* A walk that comes upon an address of which nothing is known waits for a look, and
 * it is its walk that asks for it: nothing else may come. */
static void looks_for_late_walks(void **state)
{
	static const struct {
		u32 status;
		u64 pc;
	} row[] = { { LOST_NOT_READY, UNMAPPED },
		    { CUT_NOT_READY, UNMAPPED },
		    { CUT_NO_MAPPING, UNMAPPED } };
	struct tracked t;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	work(&t);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		u64 looks = tracker_sum(t.tracker).looks;

		print_message("# status %u\n", row[i].status);
		keep(&t, pid, row[i].status, row[i].pc);
		work(&t);
		assert_int_equal(t.walked[CUT_NO_MAPPING], i + 1);
		assert_int_equal(tracker_sum(t.tracker).deferred, 0);
		/* Once is enough, and the kernel side learns that the address stays
		 * unknown. */
		assert_int_equal(tracker_sum(t.tracker).looks, looks + 1 + !i);
		assert_int_equal(t.engine.entry[pid].strays, true);
	}
	tracked_release(&t);
}

/* Samples that wait have a limit together, and what exceeds it is counted.  There is
 * still room for the tables and files that they wait for. */
static void bounds_what_waits(void **state)
{
	const size_t len = 1 << 20;
	struct tracked t;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	heap_limit((heap_used() + 4 * len) / 12 * 16);
	for (u32 i = 0; i < 6; i++) {
		struct sample *s = xcalloc(1, len);

		s->type = RECORD_DEFERRED;
		s->pid = pid;
		s->time = tracked_now();
		tracker_deferred(t.tracker, s, len);
	}
	assert_int_equal(tracker_sum(t.tracker).deferred, 3);
	assert_int_equal(tracker_sum(t.tracker).most_bytes, 3 * len);
	assert_int_equal(t.counted[LOST_NO_MEMORY], 3);
	assert_true(heap_fits(HEAP_TABLES, 0));
	assert_true(heap_fits(HEAP_FILES, 0));
	heap_limit(0);
	tracked_release(&t);
}

/* The kernel side tells of a later program, whose notice is still to come: what is
 * mapped now is not published as the earlier program's. */
static void waits_for_the_notice(void **state)
{
	struct process_entry *entry;
	struct tracked t;
	u64 looks;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	work(&t);
	entry = &t.engine.entry[pid];
	*entry = (struct process_entry){ .serial = SERIAL_FROM_KERNEL | 9,
					 .state = PROCESS_PENDING };
	looks = tracker_sum(t.tracker).looks;
	tracked_process(&t, pid)->dirty = true;
	for (int i = 0; i < 10; i++)
		tracker_work(t.tracker);
	assert_int_equal(entry->serial, SERIAL_FROM_KERNEL | 9);
	assert_int_equal(tracker_sum(t.tracker).looks, looks);
	assert_true(tracked_process(&t, pid)->dirty);
	tracked_release(&t);
}

/* What waits for a table only is no reason. */
static void looks_for_nothing_else(void **state)
{
	struct tracked t;
	u64 looks;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	work(&t);
	looks = tracker_sum(t.tracker).looks;
	keep(&t, pid, CUT_NOT_READY, MAPPED);
	work(&t);
	assert_int_equal(tracker_sum(t.tracker).looks, looks);
	assert_int_equal(tracker_sum(t.tracker).deferred, 1);
	tracked_release(&t);
}

/* What the kernel side does at a fork, but for the notice. */
static void fork_entry(struct tracked *t, pid_t parent, pid_t child, u32 serial)
{
	t->engine.entry[child] = t->engine.entry[parent];
	t->engine.entry[child].serial = SERIAL_FROM_KERNEL | serial;
}

static void tell_fork(struct tracked *t, pid_t parent, pid_t child)
{
	const struct notice n = { .type = RECORD_NOTICE,
				  .kind = NOTICE_FORK,
				  .pid = parent,
				  .process = t->engine.entry[child].serial,
				  .arg = child,
				  .time = tracked_now() };

	tracker_notice(t->tracker, &n);
}

/* Could something else be stored there now, should the arena be full? */
static bool is_free(struct tracked *t, u32 chunk)
{
	static u32 got[ARENA_SEGMENT_CHUNKS];
	bool is = false;
	u32 n = 0;

	assert_true(arena_sync(t->arena));
	while (!arena_alloc(t->arena, 1, &got[n]))
		is |= got[n++] == chunk;
	while (n)
		arena_release(t->arena, got[--n], 1);
	assert_true(arena_sync(t->arena));
	return is;
}

/* Children come to what their parent had, whenever that is told. */
static void keeps_what_children_use(void **state)
{
	struct tracked t;
	pid_t parent, child[2];
	u32 before, after;

	(void)state;
	tracked_init(&t);
	parent = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, parent), 0);
	work(&t);
	before = t.engine.entry[parent].maps_first;
	for (u32 i = 0; i < 2; i++) {
		child[i] = tracked_start(&t);
		tracked_map(&t, child[i], 2);
		fork_entry(&t, parent, child[i], i + 1);
	}
	tracked_map(&t, parent, 2);
	tracker_recheck(t.tracker);
	tracker_work(t.tracker);
	after = t.engine.entry[parent].maps_first;
	assert_int_not_equal(after, before);
	assert_false(is_free(&t, before));
	/* Now the notices are read. */
	for (u32 i = 0; i < 2; i++) {
		tell_fork(&t, parent, child[i]);
		assert_int_equal(tracked_process(&t, child[i])->table->first,
				 before);
		assert_true(tracked_process(&t, child[i])->dirty);
	}
	tracker_work(t.tracker);
	for (u32 i = 0; i < 2; i++)
		assert_int_not_equal(t.engine.entry[child[i]].maps_first,
				     before);
	assert_false(is_free(&t, before));
	/* Nobody can have it any more. */
	work(&t);
	assert_true(is_free(&t, before));
	assert_false(is_free(&t, after));
	tracked_release(&t);
}

/* What a parent has still is shared, and stays as long as anybody has it. */
static void shares_with_children(void **state)
{
	struct tracked t;
	pid_t parent, child;
	u32 first;

	(void)state;
	tracked_init(&t);
	parent = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, parent), 0);
	child = tracked_start(&t);
	fork_entry(&t, parent, child, 1);
	tell_fork(&t, parent, child);
	first = t.engine.entry[child].maps_first;
	assert_int_equal(tracked_process(&t, child)->table->first, first);
	assert_false(tracked_process(&t, child)->dirty);
	for (int i = 0; i < 2; i++) {
		pid_t pid = i ? child : parent;

		assert_false(is_free(&t, first));
		tracked_map(&t, pid, 2);
		tracked_process(&t, pid)->dirty = true;
		work(&t);
		assert_int_not_equal(t.engine.entry[pid].maps_first, first);
	}
	assert_true(is_free(&t, first));
	tracked_release(&t);
}

/* It begins another program, which maps something, and that is told. */
static void exec_program(struct tracked *t, pid_t pid, u32 serial)
{
	char path[] = "";
	struct mapwatch_event e = { .time = tracked_now(),
				    .pid = pid,
				    .exec = true };
	struct notice n = { .type = RECORD_NOTICE,
			    .kind = NOTICE_EXEC,
			    .pid = pid,
			    .process = SERIAL_FROM_KERNEL | serial };
	const struct process_entry entry = { .serial = n.process,
					     .state = PROCESS_PENDING };

	engine_put_process(&t->engine, pid, &entry, false);
	tracker_mapped(t->tracker, &e);
	e.exec = false;
	e.map.path = path;
	e.time = tracked_now();
	e.map.start = 0x2000;
	e.map.end = 0x3000;
	tracker_mapped(t->tracker, &e);
	n.time = tracked_now();
	tracker_notice(t->tracker, &n);
}

static bool is_cut(struct tracked *t, pid_t pid, u32 serial, u64 time)
{
	const struct sample s = { .type = RECORD_SAMPLE,
				  .pid = pid,
				  .process = serial,
				  .time = time };

	return !tracker_sampled(t->tracker, &s);
}

static bool is_unknown(void *ctx, pid_t pid)
{
	(void)ctx;
	(void)pid;
	return false;
}

/* A process that has ended before anybody has asked whether it is chosen. */
static void counts_who_was_not_asked(void **state)
{
	const pid_t gone = 9;
	struct tracked t;

	(void)state;
	tracked_init_with(&t, false, is_unknown);
	t.engine.entry[gone].serial = SERIAL_FROM_KERNEL | 1;
	keep(&t, gone, LOST_NOT_READY, UNMAPPED);
	work(&t);
	assert_int_equal(t.counted[HOST_UNCHOSEN], 1);
	assert_int_equal(t.walked[LOST_NOT_READY], 0);
	assert_int_equal(tracker_sum(t.tracker).deferred, 0);
	tracked_release(&t);
}

/* Something else is mapped where something was published: samples from then on are cut,
 * until it is published anew.  Where the kernel side knows by itself, they have another
 * serial. */
static void cuts_what_is_replaced(void **state)
{
	char path[] = "";
	struct mapwatch_event e = {
		.map = { .start = 0x2000, .end = 0x3000, .path = path }
	};
	struct tracked t;
	u32 serial;

	(void)state;
	tracked_init(&t);
	e.pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, e.pid), 0);
	serial = t.engine.entry[e.pid].serial;
	e.time = tracked_now();
	tracker_mapped(t.tracker, &e);
	assert_true(is_cut(&t, e.pid, serial, e.time));
	assert_false(is_cut(&t, e.pid, SERIAL_FROM_KERNEL | 1, e.time));
	assert_false(is_cut(&t, e.pid, serial, e.time - 1));
	/* It is looked at, and has the same as before. */
	tracker_work(t.tracker);
	assert_int_not_equal(t.engine.entry[e.pid].serial, serial);
	assert_true(is_cut(&t, e.pid, serial, e.time));
	assert_false(
		is_cut(&t, e.pid, t.engine.entry[e.pid].serial, tracked_now()));
	tracked_release(&t);
}

/* Its page of code is of the file FILE from now on, which is made. */
static void map_file(const struct tracked *t, pid_t pid, const char *file)
{
	char name[256], text[128];
	struct stat st;

	containers_name(&t->processes, pid, "/map_files", name);
	mkdir(name, 0755);
	containers_name(&t->processes, pid, "/map_files/2000-3000", name);
	unlink(name);
	tiny_elf_write(name);
	assert_int_equal(stat(name, &st), 0);
	snprintf(text, sizeof(text), "2000-3000 r-xp 00000000 %x:%x %lu %s\n",
		 major(st.st_dev), minor(st.st_dev), st.st_ino, file);
	write_bytes(containers_name(&t->processes, pid, "/maps", name), text,
		    strlen(text));
	snprintf(text, sizeof(text), "1 0 %u:%u / / rw - ext4 x rw\n",
		 major(st.st_dev), minor(st.st_dev));
	write_bytes(containers_name(&t->processes, pid, "/mountinfo", name),
		    text, strlen(text));
}

/* Something is mapped over what a look has just read: from then on it is what is there, and
 * not what was read. */
static void remembers_what_came_during_a_look(void **state)
{
	char path[] = "";
	struct mapwatch_event e = {
		.map = { .start = 0x2000, .end = 0x3000, .path = path }
	};
	const struct unwind_mapping *m;
	struct process *p;
	struct tracked t;

	(void)state;
	tracked_init(&t);
	for (int during = 0; during < 2; during++) {
		e.pid = tracked_start(&t);
		assert_int_equal(tracker_add(t.tracker, e.pid), 0);
		p = tracked_process(&t, e.pid);
		assert_true(p->seen > p->examined + 1);
		e.time = p->examined + (during ? 1 : -1);
		tracker_mapped(t.tracker, &e);
		map_file(&t, e.pid, "/other");
		p->dirty = true;
		tracker_work(t.tracker);
		m = map_history_find(&p->history, p->table_from - 1, 0x2000);
		assert_non_null(m);
		assert_int_equal(m->file == MAP_NO_FILE, during);
	}
	tracked_release(&t);
}

/* A child shares what its parent mapped before the fork, also what was not published yet:
 * its samples are walked by that. */
static void inherits_what_was_mapped(void **state)
{
	char path[] = "";
	struct mapwatch_event e = {
		.map = { .start = 0x4000, .end = 0x5000, .path = path }
	};
	const struct process *p, *parent;
	struct tracked t;
	pid_t child;

	(void)state;
	tracked_init_with(&t, true, NULL);
	e.pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, e.pid), 0);
	e.time = tracked_now();
	tracker_mapped(t.tracker, &e);
	child = tracked_start_of(&t, e.pid);
	fork_entry(&t, e.pid, child, 1);
	tell_fork(&t, e.pid, child);
	parent = tracked_process(&t, e.pid);
	p = tracked_process(&t, child);
	assert_int_equal(p->examined, parent->examined);
	assert_int_equal(p->seen, parent->seen);
	assert_int_equal(p->history.n, 1);
	/* Mappings that were lost say nothing of any time before. */
	e.lost = true;
	tracker_mapped(t.tracker, &e);
	assert_int_equal(p->history.n, 0);
	assert_true(map_history_has_gap(&p->history, e.time));
	assert_true(p->dirty);
	tracked_release(&t);
}

/* A look shows other code at the address of what was published, and no event has told
 * of it (mremap(), or the event is still to be read): samples by the earlier publication
 * are cut, unless the kernel side has noticed. */
static void cuts_what_a_look_shows(void **state)
{
	struct tracked t;

	(void)state;
	tracked_init(&t);
	for (int known = 0; known < 2; known++) {
		pid_t pid = tracked_start(&t);
		struct process_entry *entry = &t.engine.entry[pid];
		u64 since = tracked_now();
		u32 serial;

		assert_int_equal(tracker_add(t.tracker, pid), 0);
		serial = entry->serial;
		/* More of the same replaces nothing. */
		tracked_map(&t, pid, 2);
		tracked_process(&t, pid)->dirty = true;
		tracker_work(t.tracker);
		assert_int_not_equal(entry->serial, serial);
		assert_false(is_cut(&t, pid, serial, tracked_now()));
		serial = entry->serial;
		t.engine.noted[pid] = known ? tracked_now() : 0;
		map_file(&t, pid, "/other");
		tracked_process(&t, pid)->dirty = true;
		tracker_work(t.tracker);
		assert_int_not_equal(entry->serial, serial);
		assert_int_equal(is_cut(&t, pid, serial, tracked_now()),
				 !known);
		assert_false(is_cut(&t, pid, serial, since));
		assert_false(is_cut(&t, pid, entry->serial, tracked_now()));
	}
	tracked_release(&t);
}

/* What the kernel side has noted since the last look is published anew, even if it is the
 * same as before: the areas then apply no more. */
static void publishes_what_was_noted(void **state)
{
	struct tracked t;
	u32 serial;
	u64 before;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	before = t.engine.noted[pid] = tracked_now();
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	serial = t.engine.entry[pid].serial;
	assert_true(t.engine.entry[pid].since > before);
	assert_int_equal(t.engine.entry[pid].fresh, serial);
	for (int noted = 0; noted < 2; noted++) {
		t.engine.noted[pid] = noted ? tracked_now() : before;
		tracked_process(&t, pid)->dirty = true;
		tracker_work(t.tracker);
		assert_int_equal(t.engine.entry[pid].serial != serial, noted);
	}
	assert_true(t.engine.entry[pid].since > t.engine.noted[pid]);
	tracked_release(&t);
}

/* Mappings have been lost: what has been published since may not be so. */
static void cuts_where_mappings_were_lost(void **state)
{
	struct mapwatch_event e = { .lost = true };
	struct tracked t;
	pid_t before, since;

	(void)state;
	tracked_init(&t);
	before = tracked_start(&t);
	since = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, before), 0);
	e.time = tracked_now();
	assert_int_equal(tracker_add(t.tracker, since), 0);
	tracker_mapped(t.tracker, &e);
	assert_false(is_cut(&t, before, t.engine.entry[before].serial,
			    tracked_now()));
	assert_true(
		is_cut(&t, since, t.engine.entry[since].serial, tracked_now()));
	tracked_release(&t);
}

/* A process can begin one program after the other, and nobody needs what was mapped
 * before, but samples of then that wait. */
static void forgets_programs(void **state)
{
	struct tracked t;
	pid_t pid;

	(void)state;
	tracked_init(&t);
	pid = tracked_start(&t);
	assert_int_equal(tracker_add(t.tracker, pid), 0);
	for (u32 i = 1; i <= 100; i++) {
		exec_program(&t, pid, i);
		assert_int_equal(tracked_process(&t, pid)->history.n, 2);
		tracker_work(t.tracker);
	}
	/* The last one's waits for its table. */
	keep(&t, pid, CUT_NOT_READY, MAPPED);
	exec_program(&t, pid, 101);
	assert_int_equal(tracked_process(&t, pid)->history.n, 2);
	tracker_work(t.tracker);
	exec_program(&t, pid, 102);
	assert_int_equal(tracked_process(&t, pid)->history.n, 2);
	assert_int_equal(tracker_sum(t.tracker).deferred, 1);
	tracker_work(t.tracker);
	/* It has it, and nothing is waited for. */
	tables_build(t.tables, 0);
	tracker_work(t.tracker);
	assert_int_equal(tracker_sum(t.tracker).deferred, 0);
	exec_program(&t, pid, 103);
	assert_int_equal(tracked_process(&t, pid)->history.n, 2);
	tracked_release(&t);
}

/* What the kernel side would take samples of. */
static bool is_sampled(const struct tracked *t, pid_t pid)
{
	const struct process_entry *e = &t->engine.entry[pid];

	return e->serial && e->state != PROCESS_IGNORED;
}

/* Of what is listed only forks are followed, and a listed one whatever it executes. */
static void follows_forks(void **state)
{
	struct tracked t;
	pid_t parent, child, grandchild;

	(void)state;
	for (int children = 0; children < 2; children++) {
		print_message("# %d\n", children);
		tracked_init_with(&t, children, NULL);
		parent = tracked_start(&t);
		assert_int_equal(tracker_add(t.tracker, parent), 0);
		child = tracked_start_of(&t, parent);
		fork_entry(&t, parent, child, 1);
		tell_fork(&t, parent, child);
		work(&t);
		assert_true(is_sampled(&t, child));
		assert_int_equal(tracker_sum(t.tracker).wanted, 2);
		exec_program(&t, child, 2);
		keep(&t, child, LOST_NOT_READY, MAPPED);
		/* Before user space knew of the exec. */
		grandchild = tracked_start_of(&t, child);
		t.engine.entry[grandchild] = (struct process_entry){
			.serial = SERIAL_FROM_KERNEL | 3,
			.state = PROCESS_PENDING,
		};
		tell_fork(&t, child, grandchild);
		keep(&t, grandchild, LOST_NOT_READY, MAPPED);
		work(&t);
		assert_int_equal(is_sampled(&t, child), children);
		assert_int_equal(is_sampled(&t, grandchild), children);
		assert_int_equal(tracker_sum(t.tracker).discarded,
				 children ? 0 : 2);
		assert_int_equal(tracker_sum(t.tracker).deferred,
				 children ? 2 : 0);
		assert_int_equal(tracker_sum(t.tracker).wanted,
				 children ? 3 : 1);
		exec_program(&t, grandchild, 4);
		exec_program(&t, parent, 5);
		work(&t);
		assert_int_equal(is_sampled(&t, grandchild), children);
		assert_true(is_sampled(&t, parent));
		tracked_release(&t);
	}
}

/* Whatever their order in /proc, and nobody else. */
static void finds_children(void **state)
{
	struct tracked t;
	pid_t pid[7] = { 0 };

	(void)state;
	for (int children = 0; children < 2; children++) {
		tracked_init_with(&t, children, NULL);
		/* The first is a child of the last but one, that of the second. */
		pid[1] = tracked_start_of(&t, 5);
		pid[2] = tracked_start_of(&t, 99);
		pid[3] = tracked_start_of(&t, 2);
		pid[4] = tracked_start_of(&t, 99);
		pid[5] = tracked_start_of(&t, 2);
		pid[6] = tracked_start_of(&t, 4);
		assert_int_equal(tracker_add(t.tracker, pid[2]), 0);
		tracker_scan(t.tracker);
		for (int i = 1; i <= 6; i++) {
			print_message("# %d\n", i);
			assert_int_equal(pid[i], i);
			assert_int_equal(
				is_sampled(&t, i),
				i == 2 || (children && i != 4 && i != 6));
		}
		tracked_release(&t);
	}
}

/* The ten with most samples, most first. */
static void ranks_programs(void **state)
{
	struct sample s = { .comm = "sixteen letters!", .weight = 1 };
	struct tracker_sum sum;
	struct tracked t;

	(void)state;
	tracked_init(&t);
	for (u32 i = 1; i < PROCESSES; i++) {
		s.pid = tracked_start(&t);
		assert_int_equal(tracker_add(t.tracker, s.pid), 0);
		for (u32 n = 0; n < i * 7 % 16; n++)
			tracker_sampled(t.tracker, &s);
	}
	tracker_finish(t.tracker);
	sum = tracker_sum(t.tracker);
	assert_int_equal(sum.programs, PROCESSES - 1);
	for (u32 i = 0; i < TRACKER_TOP; i++) {
		assert_int_equal(sum.top[i].samples, 15 - i);
		assert_int_equal(sum.top[i].pid * 7 % 16, 15 - i);
		assert_string_equal(sum.top[i].command, "sixteen letters!");
	}
	tracked_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_for_late_walks),
		cmocka_unit_test(looks_for_nothing_else),
		cmocka_unit_test(bounds_what_waits),
		cmocka_unit_test(waits_for_the_notice),
		cmocka_unit_test(keeps_what_children_use),
		cmocka_unit_test(shares_with_children),
		cmocka_unit_test(forgets_programs),
		cmocka_unit_test(cuts_what_is_replaced),
		cmocka_unit_test(inherits_what_was_mapped),
		cmocka_unit_test(remembers_what_came_during_a_look),
		cmocka_unit_test(cuts_what_a_look_shows),
		cmocka_unit_test(publishes_what_was_noted),
		cmocka_unit_test(cuts_where_mappings_were_lost),
		cmocka_unit_test(follows_forks),
		cmocka_unit_test(finds_children),
		cmocka_unit_test(counts_who_was_not_asked),
		cmocka_unit_test(ranks_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
