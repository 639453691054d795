/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Processes are born and end, as cheaply as can be: half of them by fork(), half by
 * vfork() and the start of this program anew, which is linked statically.
 *
 *   births COUNT RATE   so many, so many a second (0: as fast as it goes)
 *   births              ends
 */
#include <err.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *self[] = { (char *)"/proc/self/exe", NULL };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void bear(long number)
{
	pid_t pid = number & 1 ? fork() : vfork();

	if (!pid && !(number & 1))
		execv(self[0], self);
	if (!pid)
		_exit(0);
	if (pid < 0)
		err(1, "fork");
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

int main(int argc, char **argv)
{
	long count = argc == 3 ? atol(argv[1]) : 0;
	double rate = argc == 3 ? atof(argv[2]) : 0, start = now();

	if (argc == 1)
		_exit(0);
	if (argc != 3)
		errx(2, "usage: births COUNT RATE");
	for (long n = 0; n < count; n++) {
		double ahead = rate > 0 ? n / rate - (now() - start) : 0;

		bear(n);
		if (ahead > 0.01)
			usleep(ahead * 1e6);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	return 0;
}
