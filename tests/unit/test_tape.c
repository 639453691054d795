/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The way of samples: from the recorder by a recording into a profile. */
#include "user/profile/tape.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/files/modules.h"
#include "user/lib/intern.h"
#include "user/profile/load.h"
#include "user/profile/profile.h"
#include "user/profile/recorder.h"

#define MAX_BYTES (1u << 20)
#define LONG	  5000 /* words */

struct scene {
	struct recorder recorder;
	struct modules *modules;
	unsigned by;
	int fd;
};

static void set_up(struct scene *s, unsigned by, size_t max_bytes)
{
	const struct modules_config modules = { .proc = "/nonexistent",
						.max = 1 };
	const struct recorder_config config = { .max_bytes = MAX_BYTES };
	const struct recording_head head = { "v", "h", "k", "o", 1, 2 };
	struct tape_config tape = { .by = by, .max_bytes = max_bytes };

	s->by = by;
	s->fd = memfd_create("test", MFD_CLOEXEC);
	s->modules = modules_new(&modules);
	recorder_init(&s->recorder, &config);
	tape.modules = s->modules;
	tape.texts = s->recorder.texts;
	s->recorder.tape = tape_new(s->fd, &head, &tape);
	tape_event(s->recorder.tape, SOURCE_CPU_CLOCK, "cpu-clock",
		   "nanoseconds", 5);
	tape_event(s->recorder.tape, SOURCE_PAGE_FAULTS, "page-faults",
		   "faults", 0);
}

/* The end of the recording, and the profile of it. */
static struct profile *finish(struct scene *s)
{
	const struct load_config config = { .by = s->by };
	const struct recording_summary summary = { .end = 9 };
	struct profile *p = profile_new();
	char path[64];

	if (!s->recorder.tape_is_full) {
		assert_int_equal(tape_flush(s->recorder.tape, 9, true), 0);
		assert_int_equal(tape_end(s->recorder.tape, &summary), 0);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	assert_int_equal(load_recording(p, path, &config), 0);
	tape_free(s->recorder.tape);
	recorder_release(&s->recorder);
	modules_free(s->modules);
	close(s->fd);
	return p;
}

/* Take a sample with so many user frames, the outermost of which is a marker if cut. */
static void take(struct scene *s, const char *comm, u32 words, bool cut,
		 const struct sample *more)
{
	static struct {
		struct sample sample;
		u64 word[LONG];
	} g;

	g.sample = *more;
	g.sample.status = cut ? CUT_REPLACED : WALK_ROOT;
	g.sample.words = words;
	memcpy(g.sample.comm, comm, strlen(comm) + 1);
	for (u32 i = 0; i < words; i++)
		g.word[i] = frame_value58(FRAME_UNMAPPED, 8 + i);
	if (cut)
		g.word[words - 1] = frame_value58(FRAME_STATUS, CUT_REPLACED);
	recorder_take(&s->recorder, &g.sample);
}

/* The sums of the stack of that command and so many frames. */
static struct profile_sum sum_of(struct profile *p, const char *comm,
				 size_t depth, bool cut)
{
	struct profile_sum sum = { 0 };

	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack s = profile_stack(p, i);

		if (strcmp(profile_command(p, &s), comm) || s.depth != depth ||
		    cut != (depth &&
			    profile_frame(p, s.frame[0])->flags == FRAME_CUT))
			continue;
		assert_int_equal(sum.weight, 0);
		sum = s.sum;
	}
	return sum;
}

/* What is one stack and what is two; with times, and without; where ids are forgotten
 * under way, too. */
static void test_equal(void **state)
{
	static const struct {
		unsigned by;
		size_t max_bytes;
	} row[] = { { 0, MAX_BYTES },
		    { 0, 1 },
		    { PROFILE_TIMES, MAX_BYTES },
		    { PROFILE_TIMES, 1 } };
	const struct sample one = { .weight = 1, .value = 5 };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct profile *p;
		struct scene s;

		print_message("# %zu\n", i);
		set_up(&s, row[i].by, row[i].max_bytes);
		for (u64 k = 0; k < 3; k++) {
			take(&s, "tclsh", 3, false, &one);
			take(&s, "tclsh", 2, false, &one);
			take(&s, "tclsh", 3, true, &one);
			take(&s, "R", 3, false, &one);
			take(&s, "tclsh", 3, false, &one);
			take(&s, "tclsh", 0, false, &one);
			take(&s, "R", LONG, false, &one);
			take(&s, "R", LONG, true, &one);
			tape_flush(s.recorder.tape, k, false);
		}
		p = finish(&s);
		assert_int_equal(intern_count(p->stacks), 7);
		assert_int_equal(sum_of(p, "tclsh", 3, false).weight, 6);
		assert_int_equal(sum_of(p, "tclsh", 2, false).weight, 3);
		assert_int_equal(sum_of(p, "tclsh", 3, true).weight, 3);
		assert_int_equal(sum_of(p, "R", 3, false).weight, 3);
		assert_int_equal(sum_of(p, "tclsh", 0, false).weight, 3);
		assert_int_equal(sum_of(p, "R", LONG, false).weight, 3);
		assert_int_equal(sum_of(p, "R", LONG, true).weight, 3);
		assert_int_equal(p->samples,
				 row[i].by & PROFILE_TIMES ? 24 : 0);
		profile_free(p);
	}
}

/* Samples are told apart by thread only when that is asked for. */
static void test_by(void **state)
{
	static const struct {
		unsigned by;
		size_t stacks;
	} row[] = { { 0, 1 },
		    { PROFILE_BY_PID, 2 },
		    { PROFILE_BY_TID, 4 },
		    { PROFILE_BY_TID | PROFILE_TIMES, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct sample who = { .weight = 1, .value = 5 };
		struct profile *p;
		struct scene s;

		print_message("# %u\n", row[i].by);
		set_up(&s, row[i].by, MAX_BYTES);
		for (u32 n = 0; n < 4; n++) {
			who.pid = 7 + n / 2;
			who.tid = 7 + n;
			take(&s, "R", 2, false, &who);
		}
		p = finish(&s);
		assert_int_equal(intern_count(p->stacks), row[i].stacks);
		profile_free(p);
	}
}

/* A sample counts for what it stands for, and equal stacks of two events stay two; the number
 * of a source that nobody knows is no place in a table. */
static void test_events(void **state)
{
	struct sample one = { .weight = 40, .value = 400 };
	struct profile *p;
	struct scene s;

	(void)state;
	set_up(&s, 0, MAX_BYTES);
	take(&s, "R", 2, false, &one);
	one.weight = 1;
	one.value = 10;
	one.source = 0xffff;
	take(&s, "R", 2, false, &one);
	one.source = SOURCE_PAGE_FAULTS;
	take(&s, "R", 2, false, &one);
	take(&s, "R", 2, false, &one);
	assert_int_equal(s.recorder.samples, 4);
	assert_int_equal(s.recorder.weight, 43);
	assert_int_equal(s.recorder.of[SOURCE_CPU_CLOCK], 1);
	assert_int_equal(s.recorder.of[SOURCE_PAGE_FAULTS], 2);
	p = finish(&s);
	assert_int_equal(intern_count(p->stacks), 2);
	assert_int_equal(profile_stack(p, 0).key->event, 0);
	assert_int_equal(profile_stack(p, 0).sum.weight, 41);
	assert_int_equal(profile_stack(p, 0).sum.value, 410);
	assert_int_equal(profile_stack(p, 1).key->event, 1);
	assert_int_equal(profile_stack(p, 1).sum.weight, 2);
	assert_int_equal(profile_stack(p, 1).sum.value, 20);
	assert_string_equal(profile_text(p, p->event[1].unit), "faults");
	profile_free(p);
}

/* Without times a long run of a program that repeats itself takes no more room. */
static void test_room(void **state)
{
	const struct sample one = { .weight = 1, .value = 5 };
	struct profile *p;
	struct scene s;
	size_t bytes;

	(void)state;
	set_up(&s, 0, MAX_BYTES);
	take(&s, "R", 2, false, &one);
	tape_flush(s.recorder.tape, 0, false);
	bytes = tape_bytes(s.recorder.tape);
	for (int i = 1; i < 10000; i++) {
		take(&s, "R", 2, false, &one);
		tape_flush(s.recorder.tape, i, false);
	}
	assert_int_equal(tape_bytes(s.recorder.tape), bytes);
	assert_true(tape_written(s.recorder.tape) < 1000);
	p = finish(&s);
	assert_int_equal(sum_of(p, "R", 2, false).weight, 10000);
	assert_int_equal(sum_of(p, "R", 2, false).value, 50000);
	profile_free(p);
}

/* The recording ends early: what is in it is kept, the rest is lost. */
static void test_full(void **state)
{
	const struct rlimit limit = { 100000, RLIM_INFINITY },
			    none = { RLIM_INFINITY, RLIM_INFINITY };

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (unsigned by = 0; by <= PROFILE_TIMES; by += PROFILE_TIMES) {
		struct sample one = { .weight = 2, .value = 5, .count = 3 };
		struct profile *p;
		struct scene s;
		u64 weight;

		print_message("# %u\n", by);
		set_up(&s, by, MAX_BYTES);
		for (u32 i = 0; i < 20000; i++) {
			one.time = by ? i : 0;
			take(&s, "R", by ? 2 : i % LONG, false, &one);
		}
		setrlimit(RLIMIT_FSIZE, &limit);
		assert_int_equal(tape_flush(s.recorder.tape, 9, true), -EFBIG);
		for (int i = 0; i < 2; i++)
			recorder_end(&s.recorder);
		take(&s, "R", 2, false, &one);
		setrlimit(RLIMIT_FSIZE, &none);
		assert_int_equal(s.recorder.status[LOST_UNWRITTEN],
				 20001 - s.recorder.samples);
		assert_int_equal(s.recorder.of[SOURCE_CPU_CLOCK],
				 s.recorder.samples);
		assert_int_equal(s.recorder.weight, 2 * s.recorder.samples);
		assert_in_range(s.recorder.samples, 1000, 19000);
		assert_int_equal(s.recorder.status[WALK_ROOT], -1ull);
		weight = s.recorder.weight;
		p = finish(&s);
		for (u32 i = 0; i < intern_count(p->stacks); i++)
			if (!profile_stack(p, i).key->event)
				weight -= profile_stack(p, i).sum.weight;
		assert_int_equal(weight, 0);
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),  cmocka_unit_test(test_by),
		cmocka_unit_test(test_events), cmocka_unit_test(test_room),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
