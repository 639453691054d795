/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A profile that is full takes no new stack, counts those that it has, and says of every
 * other sample that there was no room: nothing is lost unsaid. */
#include "user/profile/naming.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/profile/profile.h"
#include "user/profile/recorder.h"
#include "user/profile/stacks.h"
#include "user/files/modules.h"

#define NO_ROOM "no room for so many stacks (see --max-memory)"
#define MANY	5000 /* commands */

struct scene {
	struct recorder recorder;
	struct modules *modules;
};

static void set_up(struct scene *s, size_t max_bytes)
{
	const struct modules_config config = { .proc = "/nonexistent",
					       .max = 1 };

	s->modules = modules_new(&config);
	recorder_init(&s->recorder,
		      &(struct recorder_config){ .modules = s->modules,
						 .max_bytes = max_bytes });
}

static void tear_down(struct scene *s)
{
	recorder_release(&s->recorder);
	modules_free(s->modules);
}

/* Samples of so many commands, from the first on. Those that found no room. */
static u64 take(struct scene *s, int first, int n)
{
	struct recorder *r = &s->recorder;
	u64 word = frame_value58(FRAME_UNMAPPED, 0x1234);
	u64 before = r->status[HOST_STACKS];

	for (int i = first; i < first + n; i++) {
		struct stack_key key = { .status = WALK_ROOT };

		snprintf(key.comm, sizeof(key.comm), "command%d", i);
		stacks_add(r->stacks, &key, &word, 1,
			   &(struct profile_sum){ 1, 1 });
		stacks_add(r->stacks, &key, &word, 1,
			   &(struct profile_sum){ 1, 1 });
	}
	recorder_name(r);
	return r->status[HOST_STACKS] - before;
}

static u64 count_of(const struct scene *s, const char *comm, const char *name)
{
	struct profile *p = s->recorder.profile;

	for (size_t i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack stack = profile_stack(p, i);
		const struct frame *f = profile_frame(p, stack.frame[0]);

		assert_int_equal(stack.depth, 1);
		assert_int_equal(f->flags, f->name ? FRAME_CUT : 0);
		if (!strcmp(profile_command(p, &stack), comm) &&
		    !strcmp(profile_text(p, f->name), name))
			return stack.sum.weight;
	}
	return 0;
}

static u64 total(const struct scene *s)
{
	u64 sum = 0;

	for (size_t i = 0; i < intern_count(s->recorder.profile->stacks); i++)
		sum += profile_stack(s->recorder.profile, i).sum.weight;
	return sum;
}

static void test_full(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s, 1 << 20);
	assert_int_equal(take(&s, 0, 10), 0);
	assert_int_equal(count_of(&s, "command3", ""), 2);
	s.recorder.config.max_bytes = 0;
	assert_int_equal(take(&s, 0, 12), 4);
	assert_int_equal(count_of(&s, "command3", ""), 4);
	assert_int_equal(count_of(&s, "command3", NO_ROOM), 0);
	assert_int_equal(count_of(&s, "command11", NO_ROOM), 2);
	assert_int_equal(take(&s, 11, 1), 2);
	assert_int_equal(count_of(&s, "command11", NO_ROOM), 4);
	assert_int_equal(total(&s), 20 + 24 + 2);
	tear_down(&s);
}

/* Names of commands are a target's to choose: they cannot fill memory either. */
static void test_many_commands(void **state)
{
	struct scene s;
	size_t bytes;

	(void)state;
	set_up(&s, 0);
	assert_int_equal(take(&s, 0, MANY), 2 * MANY);
	assert_int_equal(intern_count(s.recorder.profile->stacks), 1024 + 1);
	assert_int_equal(count_of(&s, "command0", NO_ROOM), 2);
	assert_int_equal(count_of(&s, "other command names", NO_ROOM),
			 2 * (MANY - 1024));
	bytes = profile_bytes(s.recorder.profile);
	assert_int_equal(take(&s, MANY, MANY), 2 * MANY);
	assert_int_equal(profile_bytes(s.recorder.profile), bytes);
	assert_int_equal(total(&s), 4 * MANY);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_many_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
