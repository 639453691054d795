/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two copies of the library in one process: the program's, and the one in a library that it
 * loads when it has run for a while, and whose words its own word calls. */
#include <jpbpf-interp.h>

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static const struct jpi_method loads =
	JPI_METHOD("loads", "own", "calc_load.c");

static __attribute__((noinline)) void load(char **argv)
{
	jpi_mark mark = jpi_enter(&loads, 0);
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*run)(int, char **) =
		library ? (int (*)(int, char **))dlsym(library, "calc_main")
			: NULL;

	if (!run)
		fputs(dlerror(), stderr);
	else
		run(1, argv);
	jpi_leave(mark);
}

int main(int argc, char **argv)
{
	time_t until = time(NULL) + 1;

	if (argc != 2)
		return 2;
	while (time(NULL) < until)
		;
	load(argv);
	return 1;
}
