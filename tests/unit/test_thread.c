/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The threads of this very process. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/target/thread.h"

struct second {
	pid_t tid, process, by_pthread;
	ssize_t threads;
	pid_t list[2];
};

static u64 self(void)
{
	return (u64)(uintptr_t)pthread_self();
}

static void *look(void *ctx)
{
	struct second *s = ctx;
	pid_t *tid = NULL;

	s->tid = gettid();
	s->process = thread_process("/proc", s->tid);
	s->by_pthread = thread_by_pthread("/proc", getpid(), self());
	s->threads = thread_list("/proc", getpid(), &tid);
	if (s->threads == 2)
		memcpy(s->list, tid, sizeof(s->list));
	free(tid);
	return NULL;
}

static void test_second_thread(void **state)
{
	struct second s = { 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, look, &s), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_not_equal(s.tid, getpid());
	assert_int_equal(s.process, getpid());
	assert_int_equal(s.by_pthread, s.tid);
	assert_int_equal(s.threads, 2);
	assert_int_equal(s.list[0], getpid() < s.tid ? getpid() : s.tid);
}

static void test_by_pthread(void **state)
{
	u64 fake[128] = { 0 };

	(void)state;
	assert_int_equal(thread_by_pthread("/proc", getpid(), self()),
			 getpid());
	assert_int_equal(thread_by_pthread("/proc", getpid(), 0), -ESRCH);
	assert_int_equal(thread_by_pthread("/proc", getpid(), 4096), -ESRCH);
	/* It has its own address, but the id of no thread. */
	fake[0] = fake[2] = (u64)(uintptr_t)fake;
	assert_int_equal(thread_by_pthread("/proc", getpid(), fake[0]), -ESRCH);
	fake[2] = 0;
	assert_int_equal(thread_by_pthread("/proc", getpid(), fake[0]), -ESRCH);
}

static void test_ids(void **state)
{
	pid_t *tid = NULL;

	(void)state;
	assert_int_equal(thread_process("/proc", getpid()), getpid());
	assert_int_equal(thread_process("/proc", 1 << 23), -ESRCH);
	assert_true(thread_inner_id("/proc", getpid()) > 0);
	assert_int_equal(thread_inner_id("/proc", 1 << 23), -ESRCH);
	assert_true(thread_list("/proc", 1 << 23, &tid) < 0);
	assert_null(tid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_thread),
		cmocka_unit_test(test_by_pthread),
		cmocka_unit_test(test_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
