/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process that is many programs, one after the other, for a profiler that must not
 * take what one has left for the next one's.
 *
 *   hop_one LEFT MS NEXT...
 *
 * Burns MS milliseconds of CPU in WHO_outer;WHO_inner;WHO_leaf and becomes the first
 * NEXT, whose arguments are LEFT - 1, MS, and the NEXTs with that one at the end; so
 * until LEFT is 0.  WHO and ROOM are the includer's: two of these programs are loaded at the
 * same address, and have other functions there, in frames of another size.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)	    TEXT_(a)
#define LOCAL	    static __attribute__((noipa))

LOCAL void JOIN(WHO, _room)(void)
{
	__asm__ volatile(".skip " TEXT(ROOM) ", 0x90");
}

static long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* A sample in the loop has the leaf as its innermost frame. */
LOCAL unsigned long JOIN(WHO, _leaf)(unsigned long turns)
{
	volatile char frame[ROOM];
	unsigned long x = 1;

	frame[0] = 0;
	while (turns--) {
		x = x * 6364136223846793005ul + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return x + frame[0];
}

LOCAL unsigned long JOIN(WHO, _inner)(unsigned long turns)
{
	volatile char frame[ROOM / 2];

	frame[0] = 1;
	return JOIN(WHO, _leaf)(turns) + frame[0];
}

LOCAL unsigned long JOIN(WHO, _outer)(unsigned long turns)
{
	return JOIN(WHO, _inner)(turns) + 1;
}

static void become_next(long left, char **argv, int argc)
{
	char *self = argv[3], text[24];

	snprintf(text, sizeof(text), "%ld", left - 1);
	argv[0] = self;
	argv[1] = text;
	for (int i = 3; i + 1 < argc; i++)
		argv[i] = argv[i + 1];
	argv[argc - 1] = self;
	execv(self, argv);
	err(1, "%s", self);
}

int main(int argc, char **argv)
{
	long long end;
	long left;

	if (argc < 4)
		errx(2, "usage: hop_WHO LEFT MS NEXT...");
	left = strtol(argv[1], NULL, 10);
	end = cpu_ns() + strtol(argv[2], NULL, 10) * 1000000;
	JOIN(WHO, _room)();
	while (cpu_ns() < end)
		JOIN(WHO, _outer)(20000);
	if (left > 0)
		become_next(left, argv, argc);
	return 0;
}
