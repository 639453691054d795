/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Threads in every state, each at a known stack.
 *
 *   parked TABLE THREADS
 *
 * TABLE: a line for each thread, TID STATE FRAME;FRAME;..., outermost first.  The main
 * thread waits for the child of a vfork(), which cannot be interrupted.  One thread never
 * leaves its CPU, one has a stack whose pages are not in the page table, all others sleep.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define STACK (256u << 10)

static FILE *table;
static volatile int ends; /* never set */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;

static void note(const char *state, const char *frames, unsigned depth)
{
	pthread_mutex_lock(&lock);
	fprintf(table, "%d %s %s", gettid(), state, frames);
	for (unsigned i = 0; i < depth; i++)
		fputs(";parked_deep", table);
	fputs(depth ? ";parked_leaf\n" : "\n", table);
	pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void parked_leaf(void)
{
	while (!ends)
		pause();
}

__attribute__((noinline)) static void parked_deep(unsigned depth)
{
	if (depth > 1)
		parked_deep(depth - 1);
	else
		parked_leaf();
	__asm__ volatile("");
}

static void *parked_sleeps(void *depth)
{
	note("S", "parked_sleeps", (unsigned long)depth);
	pthread_barrier_wait(&all);
	parked_deep((unsigned long)depth);
	return NULL;
}

static void *parked_spins(void *arg)
{
	note("R", "parked_spins", 0);
	pthread_barrier_wait(&all);
	while (!ends)
		;
	return arg;
}

__attribute__((noinline)) static void parked_waits(void)
{
	if (!vfork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sleep(1000);
		_exit(0);
	}
	__asm__ volatile("");
}

/* A thread whose stack is a file's, so that it can be dropped from memory. */
static void *start_absent(void)
{
	int fd = memfd_create("stack", 0);
	pthread_attr_t attr;
	pthread_t thread;
	void *stack;

	if (fd < 0 || ftruncate(fd, STACK))
		exit(1);
	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pthread_attr_init(&attr);
	if (stack == MAP_FAILED || pthread_attr_setstack(&attr, stack, STACK) ||
	    pthread_create(&thread, &attr, parked_sleeps, (void *)500))
		exit(1);
	return stack;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	pthread_t thread;
	void *stack;

	table = argc == 3 ? fopen(argv[1], "w") : NULL;
	if (!table || threads < 3)
		return 2;
	setvbuf(table, NULL, _IOFBF, 1 << 20); /* the table is whole or empty */
	pthread_barrier_init(&all, NULL, threads);
	stack = start_absent();
	pthread_create(&thread, NULL, parked_spins, NULL);
	for (unsigned long i = 3; i < threads; i++)
		pthread_create(&thread, NULL, parked_sleeps,
			       (void *)(i % 7 + 1));
	note("D", "main;parked_waits", 0);
	pthread_barrier_wait(&all);
	sleep(1); /* until all are where they stay */
	madvise(stack, STACK, MADV_DONTNEED);
	fclose(table);
	parked_waits();
	return 0;
}
