/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Runs in many libraries in turn.  Each has two functions: bounds_outer_NN calls
 * what it is given, truth_leaf_NN uses the CPU.  A leaf is called by the next
 * library's outer.
 *
 *   bounds turn SECONDS TABLE LIBRARY...   NN is 01, 02, ... in their order
 *   bounds hold LIBRARY...                 map them and wait
 *   bounds change SECONDS TABLE FOLDER LIBRARY...
 *                      each leaf in a copy of its library in FOLDER, a new one
 *                      every time, which goes when 32 others have run; called by
 *                      its own library's outer, which stays.  No address is
 *                      used for a second copy
 *   bounds reuse SECONDS TABLE FOLDER LIBRARY...
 *                      the same with one copy at a time, each where the last was
 *   bounds fork SECONDS TABLE FOLDER LIBRARY...
 *                      a copy of each; it is loaded, and every child that is forked
 *                      then puts another copy to its place at once and runs that
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_LIBRARIES 98
#define LOADED	      32  /* copies, at a time */
#define FILES	      256 /* of one at a time: whoever is late shall find it */
#define EACH	      0.011 /* seconds, at least */
#define CHILDREN      4	    /* of each copy */

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

/* by: how many libraries further the caller is. */
static int write_table(const char *path, int n, int by)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	for (int i = 0; i < n; i++)
		fprintf(f,
			"truth_leaf_%02d\tmain;bounds_outer_%02d;"
			"truth_leaf_%02d\tlibrary %d\n",
			i + 1, (i + by) % n + 1, i + 1, i + 1);
	return fclose(f);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	int ok = in >= 0 && out >= 0 && sendfile(out, in, NULL, 1 << 30) > 0;

	close(in);
	close(out);
	return ok;
}

/* Nothing else will be where the library is. */
static void unload(void *library)
{
	struct link_map *map = NULL;
	char *page;

	dlinfo(library, RTLD_DI_LINKMAP, &map);
	page = (char *)map->l_addr;
	dlclose(library);
	for (int i = 0; i < 64; i++, page += 4096)
		if (mmap(page, 4096, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0) == MAP_FAILED)
			break;
}

/* A copy runs, and goes when some others have run. */
static int change(const char *folder, const char *path, int i, int loaded)
{
	static void *library[LOADED];
	static long n;
	void **at = &library[n % loaded];
	char name[4096];

	if (*at && loaded > 1)
		unload(*at);
	else if (*at)
		dlclose(*at);
	snprintf(name, sizeof(name), "%s/%ld.so", folder,
		 n - (loaded > 1 ? loaded : FILES));
	unlink(name);
	snprintf(name, sizeof(name), "%s/%ld.so", folder, n++);
	*at = copy(path, name) ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!*at)
		return -1;
	leaf[i] = (leaf_fn)find(*at, "truth_leaf", i + 1);
	return 0;
}

static void run_for(double seconds, int i)
{
	double end = now() + seconds;

	do
		outer[i](leaf[i]);
	while (now() < end);
}

/* Load copy i; NULL: it cannot be. */
static void *load(const char *folder, int i)
{
	char name[4096];
	void *library;

	snprintf(name, sizeof(name), "%s/%d.so", folder, i);
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (library)
		leaf[i] = (leaf_fn)find(library, "truth_leaf", i + 1);
	return library;
}

static int exchange(const char *folder, void *library, int i)
{
	dlclose(library);
	if (!load(folder, i))
		return 1;
	run_for(EACH, i);
	return 0;
}

/* Copy i, then another one in every child. */
static int have_children(const char *folder, int i, int n)
{
	void *library = load(folder, i);
	int status, wrong = 0;

	if (!library)
		return -1;
	run_for(EACH, i);
	for (int k = 1; k <= CHILDREN; k++) {
		pid_t pid = fork();

		if (!pid)
			_exit(exchange(folder, library, (i + k) % n));
		wrong |= pid < 0 || waitpid(pid, &status, 0) != pid || status;
	}
	dlclose(library);
	return wrong ? -1 : 0;
}

static int fork_all(double seconds, const char *folder, char **path, int n)
{
	double end = now() + seconds;
	char name[4096];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s/%d.so", folder, i);
		if (!copy(path[i], name))
			return 1;
	}
	for (int i = 0; now() < end; i = (i + 1) % n)
		if (have_children(folder, i, n))
			return 1;
	return 0;
}

static int hold(char **path, int n)
{
	for (int i = 0; i < n; i++)
		if (!dlopen(path[i], RTLD_LAZY))
			return 1;
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	int is_turn = argc > 4 && !strcmp(argv[1], "turn");
	int is_reuse = argc > 5 && !strcmp(argv[1], "reuse");
	int is_fork = argc > 5 && !strcmp(argv[1], "fork");
	int is_change =
		is_reuse || is_fork || (argc > 5 && !strcmp(argv[1], "change"));
	char **path = argv + 2 + 2 * is_turn + 3 * is_change;
	int n = argc - (int)(path - argv);
	double end, next;

	if (argc < 3 || n > (is_turn || is_change ? MAX_LIBRARIES : 1000))
		return 2;
	if (!is_turn && !is_change)
		return hold(path, n);
	if (open_all(path, n) || write_table(argv[3], n, is_turn))
		return 1;
	if (is_fork)
		return fork_all(atof(argv[2]), argv[4], path, n);
	end = now() + atof(argv[2]);
	for (int i = 0; now() < end; i = (i + 1) % n) {
		if (is_change &&
		    change(argv[4], path[i], i, is_reuse ? 1 : LOADED))
			return 1;
		/* A fast machine makes no more files than a slow one. */
		next = now() + is_change * EACH;
		do
			outer[(i + is_turn) % n](leaf[i]);
		while (now() < next);
	}
	return 0;
}
