/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* lib/interp.c: stacks, their bounds, threads, fork, options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <pthread.h>

#include <jpbpf-interp.h>

#define ROOM 8

static const struct jpi_method a = JPI_METHOD("a", NULL, NULL),
			       b = JPI_METHOD("b", "scope", "file");

static void enters_and_leaves(void **state)
{
	jpi_mark outer, inner;
	struct jpi_frame *f;

	(void)state;
	assert_null(jpi_method_now());
	jpi_leave(0);
	outer = jpi_enter(&a, 7);
	inner = jpi_enter(&b, 8);
	f = jpi_frames(jpi_thread.stack);
	assert_int_equal(jpi_thread.stack->depth, 2);
	assert_ptr_equal(f[0].method, &a);
	assert_int_equal(f[1].id, 8);
	/* Keys fall inward, or are equal. */
	assert_true(f[0].key >= f[1].key);
	jpi_at(inner, 12);
	assert_int_equal(f[1].at, 12);
	assert_ptr_equal(jpi_method_now(), &b);
	jpi_enter(&a, 9);
	jpi_leave(inner);
	assert_ptr_equal(jpi_method_now(), &a);
	assert_null(f[1].method);
	jpi_leave(outer);
	assert_int_equal(jpi_thread.stack->depth, 0);
}

/* What has no room is counted, and leaving finds the frames that have it. */
static void runs_out_of_room(void **state)
{
	jpi_mark mark[ROOM + 3];

	(void)state;
	for (int i = 0; i < ROOM + 3; i++) {
		mark[i] = jpi_enter(&a, i);
		jpi_at(mark[i], i);
		assert_int_equal(mark[i], i);
	}
	assert_int_equal(jpi_thread.stack->depth, ROOM + 3);
	jpi_leave(mark[ROOM + 1]);
	assert_int_equal(jpi_thread.stack->depth, ROOM + 1);
	assert_ptr_equal(jpi_method_now(), &a);
	jpi_exit_to(ROOM - 1);
	assert_int_equal(jpi_thread.stack->depth, ROOM);
	jpi_exit_to(2);
	assert_int_equal(jpi_thread.stack->depth, 3);
	jpi_exit_to(99);
	assert_int_equal(jpi_thread.stack->depth, 0);
}

static void switches(void **state)
{
	static char c_stack[64];
	struct jpi_stack *s =
		jpi_stack_new("co", c_stack, c_stack + sizeof(c_stack));
	struct jpi_stack *was;

	(void)state;
	jpi_enter(&a, 1);
	was = jpi_resume(s);
	assert_ptr_equal(s->outer, was);
	assert_null(jpi_method_now());
	jpi_enter(&b, 2);
	jpi_rebase(s);
	assert_int_equal(s->rebased, 1);
	assert_ptr_equal(jpi_switch(was), s);
	assert_ptr_equal(was->from, s);
	assert_ptr_equal(jpi_method_now(), &a);
	assert_int_equal(was->from_high - was->from_low, sizeof(c_stack));
	jpi_stack_free(s);
	/* The C stack is anyone's from now on. */
	assert_int_equal(was->from_high - was->from_low, 0);
	jpi_stack_free(NULL);
	jpi_leave(0);
}

static void *enter_in_thread(void *stack)
{
	jpi_enter(&a, 1);
	jpi_name("worker");
	assert_ptr_not_equal(jpi_thread.stack, stack);
	assert_string_equal(jpi_thread.stack->name, "worker");
	assert_int_equal(jpi_thread.stack->depth, 1);
	return NULL;
}

static void each_thread_has_its_own(void **state)
{
	pthread_t thread;

	(void)state;
	jpi_enter(&b, 1);
	for (int i = 0; i < 2000; i++) {
		assert_int_equal(pthread_create(&thread, NULL, enter_in_thread,
						jpi_thread.stack),
				 0);
		pthread_join(thread, NULL);
	}
	assert_int_equal(jpi_thread.stack->depth, 1);
	jpi_leave(0);
}

static void a_child_goes_on(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	jpi_enter(&a, 1);
	pid = fork();
	if (!pid) {
		jpi_enter(&b, 2);
		_exit(jpi_thread.stack->depth == 2 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(jpi_thread.stack->depth, 1);
	jpi_leave(0);
}

static void reads_options(void **state)
{
	(void)state;
	setenv("JPI_OPTIONS", "x=1,,flag,path=/a=b,last=", 1);
	assert_string_equal(jpi_option("x"), "1");
	assert_string_equal(jpi_option("flag"), "");
	assert_string_equal(jpi_option("path"), "/a=b");
	assert_string_equal(jpi_option("last"), "");
	assert_null(jpi_option("pat"));
	assert_null(jpi_option("y"));
	unsetenv("JPI_OPTIONS");
	assert_null(jpi_option("x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enters_and_leaves),
		cmocka_unit_test(runs_out_of_room),
		cmocka_unit_test(switches),
		cmocka_unit_test(each_thread_has_its_own),
		cmocka_unit_test(a_child_goes_on),
		cmocka_unit_test(reads_options),
	};

	if (jpi_init("test", ROOM) || jpi_init("again", 3))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
