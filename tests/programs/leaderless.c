/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * To be preloaded: runs the program's main() in a second thread, while the first thread
 * exits: at once, or when the file named by LEADER_STAYS is no longer there.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define STACK (64ul << 20)

typedef int main_fn(int argc, char **argv, char **environment);
typedef int start_fn(main_fn *fn, int argc, char **argv, void (*init)(void),
		     void (*fini)(void), void (*end)(void), void *stack);

static struct {
	main_fn *fn;
	int argc;
	char **argv, **environment;
} real;

static void *second(void *none)
{
	(void)none;
	exit(real.fn(real.argc, real.argv, real.environment));
}

static int first(int argc, char **argv, char **environment)
{
	const char *stays = getenv("LEADER_STAYS");
	pthread_attr_t attributes;
	pthread_t thread;

	/* For this program only, not for those that it runs. */
	unsetenv("LD_PRELOAD");
	real.argc = argc;
	real.argv = argv;
	real.environment = environment;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, second, NULL))
		return 1;
	while (stays && !access(stays, F_OK))
		usleep(1000);
	pthread_exit(NULL);
}

int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*end)(void), void *stack);
int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*end)(void), void *stack)
{
	start_fn *start = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

	real.fn = fn;
	return start(first, argc, argv, init, fini, end, stack);
}
