/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Runs in many libraries in turn.  Each has two functions: bounds_outer_NN calls
 * what it is given, truth_leaf_NN uses the CPU.  A leaf is called by the next
 * library's outer.
 *
 *   bounds turn SECONDS TABLE LIBRARY...   NN is 01, 02, ... in their order
 *   bounds hold LIBRARY...                 map them and wait
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_LIBRARIES 98

typedef void (*leaf_fn)(void);
typedef void (*outer_fn)(leaf_fn leaf);

static leaf_fn leaf[MAX_LIBRARIES];
static outer_fn outer[MAX_LIBRARIES];

static void *find(void *library, const char *name, int number)
{
	char symbol[64];
	void *p;

	snprintf(symbol, sizeof(symbol), "%s_%02d", name, number);
	p = dlsym(library, symbol);
	if (!p)
		fprintf(stderr, "bounds: no %s\n", symbol);
	return p;
}

static int open_all(char **path, int n)
{
	for (int i = 0; i < n; i++) {
		void *library = dlopen(path[i], RTLD_NOW | RTLD_LOCAL);

		if (!library) {
			fprintf(stderr, "bounds: %s\n", dlerror());
			return -1;
		}
		leaf[i] = (leaf_fn)find(library, "truth_leaf", i + 1);
		outer[i] = (outer_fn)find(library, "bounds_outer", i + 1);
		if (!leaf[i] || !outer[i])
			return -1;
	}
	return 0;
}

static int write_table(const char *path, int n)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	for (int i = 0; i < n; i++)
		fprintf(f,
			"truth_leaf_%02d\tmain;bounds_outer_%02d;"
			"truth_leaf_%02d\tlibrary %d\n",
			i + 1, (i + 1) % n + 1, i + 1, i + 1);
	return fclose(f);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int is_turn = argc > 4 && !strcmp(argv[1], "turn");
	char **path = argv + (is_turn ? 4 : 2);
	int n = argc - (int)(path - argv);
	double end;

	if (argc < 3 || n > (is_turn ? MAX_LIBRARIES : 1000))
		return 2;
	if (!is_turn) {
		for (int i = 0; i < n; i++)
			if (!dlopen(path[i], RTLD_LAZY))
				return 1;
		puts("ready");
		fflush(stdout);
		pause();
		return 0;
	}
	if (open_all(path, n) || write_table(argv[3], n))
		return 1;
	end = now() + atof(argv[2]);
	while (now() < end)
		for (int i = 0; i < n; i++)
			outer[(i + 1) % n](leaf[i]);
	return 0;
}
