/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A walker's part of a process is there as long as the process's entry, however the
 * publication goes.  The process is this one, the interpreter its C library, and the
 * kernel side an entry and a part of the test's own.
 */
#include "tests/unit/modules.h"

#include <errno.h>

#include <bpf/bpf.h>

#include "user/lib/buf.h"
#include "user/kernel/engine.h"
#include "user/processes/process.h"
#include "user/processes/survey.h"
#include "user/target/proc.h"
#include "walkers/walker.h"

#define PART_FD 1000

static struct {
	bool noted;
	bool has_entry, has_part;
	struct process_entry entry;
	bool part_full, entry_full;
	bool ends; /* the process, when its part is there */
} kernel;

static int probe(const struct module *m, void **data, struct buf *why)
{
	(void)why;
	*data = &kernel;
	return strstr(m->path, "/libc.so") != NULL;
}

static int attach(pid_t pid, const struct module *m, u64 bias,
		  const struct maps *maps, void *data, void *value,
		  struct buf *why)
{
	(void)pid, (void)m, (void)bias, (void)maps;
	(void)data, (void)value, (void)why;
	return 1;
}

static void describe(const void *data, struct buf *out)
{
	(void)data;
	buf_adds(out, "test");
}

static int no_probe(const struct module *m, void **data, struct buf *why)
{
	(void)m, (void)data, (void)why;
	return 0;
}

static const struct walker none = { .title = "None", .file.probe = no_probe };
static const struct walker test = {
	.title = "Test",
	.file.probe = probe,
	.file.describe = describe,
	.process.attach = attach,
	.process.map = "parts",
};

const struct walker *const walkers[WALKER_COUNT] = {
	[WALKER_TCL] = &none,
	[WALKER_R] = &test,
	[WALKER_SHADOW] = &none,
};

int engine_map(const struct engine *e, const char *name)
{
	(void)e;
	assert_string_equal(name, "parts");
	return PART_FD;
}

int bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags)
{
	(void)key, (void)value, (void)flags;
	assert_int_equal(fd, PART_FD);
	if (kernel.part_full) {
		errno = E2BIG;
		return -E2BIG;
	}
	kernel.has_part = true;
	if (kernel.ends)
		kernel.has_entry = false;
	return 0;
}

int bpf_map_delete_elem(int fd, const void *key)
{
	(void)key;
	assert_int_equal(fd, PART_FD);
	kernel.has_part = false;
	return 0;
}

int engine_put_process(struct engine *e, pid_t pid,
		       const struct process_entry *entry, bool had_one)
{
	(void)e, (void)pid;
	if (had_one && !kernel.has_entry)
		return -ESRCH;
	if (kernel.entry_full)
		return -E2BIG;
	kernel.has_entry = true;
	kernel.entry = *entry;
	return 0;
}

int engine_get_process(struct engine *e, pid_t pid, struct process_entry *entry)
{
	(void)e, (void)pid;
	if (kernel.has_entry)
		*entry = kernel.entry;
	return kernel.has_entry ? 0 : -ENOENT;
}

bool engine_has_noted(struct engine *e, pid_t pid, u64 since)
{
	(void)e, (void)pid, (void)since;
	return kernel.noted;
}

void engine_drop_process(struct engine *e, pid_t pid)
{
	(void)e, (void)pid;
}

void engine_put_file(struct engine *e, u32 file, const struct unwind_file *f)
{
	(void)e, (void)file, (void)f;
}

/* ---- publications ---------------------------------------------------------- */

struct target_scene {
	struct scene files;
	struct tracker tracker;
	struct process t;
};

static int open_scene(void **state)
{
	static struct target_scene s;

	memset(&s, 0, sizeof(s));
	memset(&kernel, 0, sizeof(kernel));
	set_up(&s.files);
	s.tracker.config = (struct tracker_config){ .modules = s.files.modules,
						    .arena = s.files.arena,
						    .proc = "/proc" };
	s.t.pid = getpid();
	*state = &s;
	return 0;
}

static int close_scene(void **state)
{
	struct target_scene *s = *state;

	mapping_table_drop(&s->tracker, &s->t.table);
	mapping_table_free_dropped(&s->tracker);
	tear_down(&s->files);
	return 0;
}

static int publish(struct target_scene *s)
{
	struct process_entry before = { 0 };
	struct survey survey = { 0 };
	struct maps maps = { 0 };
	int err;

	engine_get_process(NULL, s->t.pid, &before);
	assert_int_equal(proc_maps("/proc", s->t.pid, &maps), 0);
	survey_make(&s->tracker, s->t.pid, &maps, &survey);
	err = publication_make(&s->tracker, &s->t, &survey, &maps, &before);
	survey_release(&survey);
	maps_release(&maps);
	return err;
}

static void check(const struct target_scene *s, enum walker_state walker,
		  bool has_part)
{
	assert_int_equal(s->t.walker[WALKER_R], walker);
	assert_int_equal(kernel.has_part, has_part);
}

static void test_plain(void **state)
{
	assert_int_equal(publish(*state), 0);
	check(*state, WALKER_PROVEN, true);
	assert_int_equal(kernel.entry.state, PROCESS_READY);
	assert_int_equal(kernel.entry.walkers, 1u << WALKER_R);
}

/* Nothing of it is executable, or its files are not there. */
static void test_no_mapping(void **state)
{
	const struct survey survey = { 0 };
	const struct maps maps = { 0 };
	const struct process_entry before = { 0 };
	struct target_scene *s = *state;

	assert_int_equal(
		publication_make(&s->tracker, &s->t, &survey, &maps, &before),
		0);
	assert_int_equal(kernel.entry.state, PROCESS_READY);
	assert_int_equal(kernel.entry.maps, 0);
}

/* The process is there; its frames wait until there is room. */
static void test_no_part(void **state)
{
	kernel.part_full = true;
	assert_int_equal(publish(*state), 0);
	check(*state, WALKER_WAITING, false);
	assert_int_equal(kernel.entry.walkers, 1u << WALKER_R);
	kernel.part_full = false;
	assert_int_equal(publish(*state), 0);
	check(*state, WALKER_PROVEN, true);
}

static void test_no_entry(void **state)
{
	kernel.entry_full = true;
	assert_int_equal(publish(*state), -E2BIG);
	check(*state, WALKER_WAITING, false);
	kernel.entry_full = false;
	assert_int_equal(publish(*state), 0);
	check(*state, WALKER_PROVEN, true);
}

/* First with an entry that says all already, then with one that is to be changed. */
static void test_ended(void **state)
{
	struct target_scene *s = *state;

	kernel.part_full = true;
	assert_int_equal(publish(s), 0);
	kernel.part_full = false;
	kernel.ends = true;
	assert_int_equal(publish(s), 0);
	check(s, WALKER_WAITING, false);
	kernel.has_entry = true;
	kernel.noted = true;
	assert_int_equal(publish(s), -EAGAIN);
	check(s, WALKER_WAITING, false);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, open_scene, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_plain),    TEST(test_no_mapping), TEST(test_no_part),
		TEST(test_no_entry), TEST(test_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
