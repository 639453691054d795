/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The threads of this very process. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/target/memory.h"
#include "user/target/proc.h"
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

static void *stay(void *none)
{
	while (true)
		pause();
	return none;
}

/* A child whose first thread exits while its second one stays. */
static pid_t start_leaderless(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_create(&thread, NULL, stay, NULL))
		_exit(1);
	pthread_exit(NULL);
}

static void test_first_exited(void **state)
{
	static const u64 word = 0x1234567812345678;
	pid_t pid = start_leaderless(), tid;
	struct maps maps = { 0 };
	u64 got = 0;

	(void)state;
	assert_true(pid > 0);
	while ((tid = thread_living("/proc", pid)) == pid)
		sched_yield();
	assert_int_equal(thread_process("/proc", tid), pid);
	assert_false(proc_ended("/proc", pid));
	assert_int_equal(proc_maps("/proc", pid, &maps), 0);
	assert_non_null(maps_find(&maps, (u64)(uintptr_t)&word));
	maps_release(&maps);
	memory_forget();
	assert_int_equal(memory_read_u64(pid, (u64)(uintptr_t)&word, &got), 0);
	assert_true(got == word);

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, pid, NULL, WEXITED | WNOWAIT), 0);
	assert_true(proc_ended("/proc", pid));
	assert_int_equal(thread_living("/proc", pid), pid);
	assert_int_equal(memory_read_u64(pid, (u64)(uintptr_t)&word, &got),
			 -ESRCH);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* What is known of the first thread for some milliseconds does not hold any more. */
static void test_exits_meanwhile(void **state)
{
	static const u64 word = 0x8765432187654321;
	int begin[2];
	pid_t pid;
	u64 got = 0;

	(void)state;
	assert_int_equal(pipe(begin), 0);
	pid = fork();
	if (!pid) {
		pthread_t thread;
		char c;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, stay, NULL) ||
		    read(begin[0], &c, 1) != 1)
			_exit(1);
		pthread_exit(NULL);
	}
	assert_true(pid > 0);
	assert_int_equal(memory_read_u64(pid, (u64)(uintptr_t)&word, &got), 0);
	assert_int_equal(write(begin[1], "", 1), 1);
	while (thread_living("/proc", pid) == pid)
		sched_yield();
	assert_int_equal(memory_read_u64(pid, (u64)(uintptr_t)&word, &got), 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(begin[0]);
	close(begin[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_thread),
		cmocka_unit_test(test_by_pthread),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_first_exited),
		cmocka_unit_test(test_exits_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
