/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Programs that are hardly there, for a profiler that must not miss their
 * beginning.
 *
 *   first burn MS            burns MS milliseconds of CPU in
 *                            first_outer;first_inner;first_leaf, and ends
 *   first load SO MS         loads SO and burns in its late_leaf at once
 *   first times N COMMAND... runs the command N times, one after the other
 *   first storm RATE SECONDS forks and executes itself so many times a second
 *   first nothing            ends
 *
 * Build it without frame pointers and with -rdynamic, for the names to survive
 * strip.
 */
#include <dlfcn.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The call stays a call, and its caller keeps its frame. */
#define EXPORT	     __attribute__((noipa, visibility("default")))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

void first_leaf(long ms);
void first_inner(long ms);
void first_outer(long ms);

static long long clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Of clock_gettime() there is as little as possible: it is another leaf. */
EXPORT void first_leaf(long ms)
{
	long long end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 100000; i++)
			;
}

EXPORT void first_inner(long ms)
{
	first_leaf(ms);
	KEEP_FRAME();
}

EXPORT void first_outer(long ms)
{
	first_inner(ms);
	KEEP_FRAME();
}

static void load(const char *path, long ms)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*late)(long ms);

	if (!library)
		errx(1, "%s", dlerror());
	*(void **)&late = dlsym(library, "late_outer");
	if (!late)
		errx(1, "%s", dlerror());
	late(ms);
}

static void run(char **command)
{
	pid_t pid = vfork();

	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0)
		err(1, "fork");
	waitpid(pid, NULL, 0);
}

/* With fork() in it, which copies what a profiler knows of the parent. */
static void storm(char *self, long rate, long seconds)
{
	char nothing[] = "nothing", *command[] = { self, nothing, NULL };
	long long start = clock_ns(CLOCK_MONOTONIC), due;

	for (long n = 0; n < rate * seconds; n++) {
		struct timespec wait = { 0 };
		pid_t pid = fork();

		if (!pid) {
			execv(self, command);
			_exit(127);
		}
		if (pid < 0)
			err(1, "fork");
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		due = start + (n + 1) * 1000000000ll / rate -
		      clock_ns(CLOCK_MONOTONIC);
		if (due <= 0)
			continue;
		wait.tv_sec = due / 1000000000;
		wait.tv_nsec = due % 1000000000;
		nanosleep(&wait, NULL);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "burn"))
		first_outer(atol(argv[2]));
	else if (argc == 4 && !strcmp(argv[1], "load"))
		load(argv[2], atol(argv[3]));
	else if (argc >= 4 && !strcmp(argv[1], "times"))
		for (long n = atol(argv[2]); n; n--)
			run(argv + 3);
	else if (argc == 4 && !strcmp(argv[1], "storm"))
		storm("/proc/self/exe", atol(argv[2]), atol(argv[3]));
	else if (argc != 2 || strcmp(argv[1], "nothing"))
		errx(2, "usage: first burn MS|load SO MS|times N COMMAND...|"
			"storm RATE SECONDS|nothing");
	return 0;
}
