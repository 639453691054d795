// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Native calls of all kinds, in several threads.  Each function counts itself: how often it
 * began, and how it ended, which it knows before it does.  Begins when a line can be read.
 * In the end writes a line for each function: name, begun, and how often it ended by each
 * way, with tabs between.
 *
 *   calls_native SEED ROUNDS FILE
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS	 3
#define NOINLINE __attribute__((noinline, noclone))

enum how { ENTER, RETURN, TAIL, JUMP, HOWS };

#define EACH(X)     \
	X(leaf)     \
	X(two_ways) \
	X(tail)     \
	X(chain)    \
	X(rec)      \
	X(even)     \
	X(odd) X(jumps) X(over) X(lands) X(through) X(waits) X(has_switch)

enum name {
#define X(name) AT_##name,
	EACH(X)
#undef X
		NAMES
};

/* Of a thread; and of all, when a thread has ended. */
static __thread unsigned long own[NAMES][HOWS];
static atomic_ulong count[NAMES][HOWS];

static inline void note(enum name name, enum how how)
{
	own[name][how]++;
}

/* The compiler sees that something happens. */
#define USE(value) __asm__ volatile("" : "+r"(value))

struct state {
	jmp_buf at;
	unsigned seed;
};

static unsigned any(struct state *s, unsigned n)
{
	s->seed = s->seed * 1103515245u + 12345;
	return (s->seed >> 16) % n;
}

static NOINLINE int leaf(int x)
{
	note(AT_leaf, ENTER);
	USE(x);
	note(AT_leaf, RETURN);
	return x + 1;
}

static NOINLINE int two_ways(int x)
{
	note(AT_two_ways, ENTER);
	if (x & 1) {
		note(AT_two_ways, RETURN);
		return x;
	}
	x = leaf(x) + leaf(x);
	note(AT_two_ways, RETURN);
	return x;
}

static NOINLINE int tail(int x)
{
	note(AT_tail, ENTER);
	USE(x);
	note(AT_tail, TAIL);
	return leaf(x + 1);
}

static NOINLINE int chain(int x)
{
	note(AT_chain, ENTER);
	if (x > 2) {
		note(AT_chain, TAIL);
		return two_ways(x);
	}
	note(AT_chain, TAIL);
	return tail(x);
}

static NOINLINE int rec(int n)
{
	int sum;

	note(AT_rec, ENTER);
	sum = n ? rec(n - 1) + leaf(n) : 0;
	note(AT_rec, RETURN);
	return sum;
}

static NOINLINE int odd(int n);

static NOINLINE int even(int n)
{
	note(AT_even, ENTER);
	if (!n) {
		note(AT_even, RETURN);
		return 1;
	}
	note(AT_even, TAIL);
	return odd(n - 1);
}

static NOINLINE int odd(int n)
{
	note(AT_odd, ENTER);
	if (!n) {
		note(AT_odd, RETURN);
		return 0;
	}
	note(AT_odd, TAIL);
	return even(n - 1);
}

static NOINLINE int has_switch(int x)
{
	note(AT_has_switch, ENTER);
	switch (x) {
	case 0:
		x = leaf(3);
		break;
	case 1:
		x = 7;
		break;
	case 2:
		x = leaf(x) * 3;
		break;
	case 3:
		x = leaf(x) - 3;
		break;
	case 4:
		x = leaf(x) / 3;
		break;
	case 5:
		x = 11;
		break;
	}
	note(AT_has_switch, RETURN);
	return x;
}

static NOINLINE void jumps(struct state *s)
{
	note(AT_jumps, ENTER);
	leaf(1);
	note(AT_jumps, JUMP);
	longjmp(s->at, 1);
}

/* Is jumped over, if at all, some levels deep. */
static NOINLINE int over(struct state *s, int n, int jump)
{
	note(AT_over, ENTER);
	if (jump)
		note(AT_over, JUMP);
	if (n)
		over(s, n - 1, jump);
	else if (jump)
		jumps(s);
	leaf(n);
	note(AT_over, RETURN);
	return n;
}

static NOINLINE int through(struct state *s, int n, int jump)
{
	note(AT_through, ENTER);
	if (jump)
		note(AT_through, JUMP);
	n = over(s, n, jump) + leaf(n);
	note(AT_through, RETURN);
	return n;
}

static NOINLINE void lands(struct state *s)
{
	note(AT_lands, ENTER);
	if (!setjmp(s->at))
		through(s, any(s, 4), any(s, 2));
	leaf(2);
	note(AT_lands, RETURN);
}

static void run(struct state *s, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		switch (any(s, 6)) {
		case 0:
			chain(any(s, 8));
			break;
		case 1:
			rec(any(s, 6));
			break;
		case 2:
			even(any(s, 7));
			break;
		case 3:
			has_switch(any(s, 7));
			break;
		default:
			lands(s);
		}
	}
}

static int rounds;
static unsigned seed;

static void add_own(void *arg)
{
	(void)arg;
	for (int i = 0; i < NAMES; i++)
		for (int k = 0; k < HOWS; k++)
			atomic_fetch_add(&count[i][k], own[i][k]);
}

static void *thread(void *number)
{
	struct state s = { .seed = seed + (unsigned)(size_t)number };

	run(&s, rounds);
	add_own(NULL);
	return NULL;
}

/* Is left when its thread is cancelled: the C library jumps to the thread's begin. */
static NOINLINE void waits(void)
{
	note(AT_waits, ENTER);
	note(AT_waits, JUMP);
	for (;;)
		pause();
}

static void *cancelled(void *arg)
{
	pthread_cleanup_push(add_own, NULL);
	waits();
	pthread_cleanup_pop(0);
	return arg;
}

static void put(const char *file)
{
	static const char *const names[] = {
#define X(name) #name,
		EACH(X)
#undef X
	};
	FILE *out = fopen(file, "w");

	for (int i = 0; out && i < NAMES; i++)
		fprintf(out, "%s\t%lu\t%lu\t0\t0\t0\t0\t%lu\t%lu\n", names[i],
			count[i][ENTER], count[i][RETURN], count[i][TAIL],
			count[i][JUMP]);
	if (!out || fclose(out))
		exit(1);
}

int main(int argc, char **argv)
{
	pthread_t id[THREADS], last;
	char line[8];

	if (argc != 4)
		return 2;
	seed = strtoul(argv[1], NULL, 10);
	rounds = strtol(argv[2], NULL, 10);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, thread, (void *)i);
	pthread_create(&last, NULL, cancelled, NULL);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	usleep(50000);
	pthread_cancel(last);
	pthread_join(last, NULL);
	put(argv[3]);
	return 0;
}
