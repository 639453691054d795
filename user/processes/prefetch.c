/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Prefetching only fills the registry of modules and builds tables.  Which processes
 * are profiled is decided later, and what they map is read then. */
#include "user/processes/prefetch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/mem.h"
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/target/proc.h"
#include "user/elf/module.h"
#include "user/elf/needed.h"
#include "walkers/walker.h"

static void want_path(void *ctx, const char *path)
{
	struct modules *ms = ctx;
	struct map map = { .path = xstrdup(path) };
	struct module *m = NULL;
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode)) {
		map.dev = st.st_dev;
		map.ino = st.st_ino;
		/* The file is taken as it is now, however young it is. */
		m = modules_find_late(ms, getpid(), &map, ~0ull);
	}
	if (m)
		tables_expect(modules_tables(ms), m->id);
	free(map.path);
}

static void want_maps(struct modules *ms, pid_t pid, const struct maps *maps)
{
	const struct map *last = NULL;

	for (size_t i = 0; i < maps->n; i++) {
		const struct map *map = &maps->map[i];
		struct module *m;

		if (!map->executable || !map->ino ||
		    (last && last->ino == map->ino && last->dev == map->dev))
			continue;
		last = map;
		m = modules_find(ms, pid, map, maps->time);
		if (m)
			tables_want(modules_tables(ms), m->id);
	}
}

static void want_program(void *ctx, const char *program)
{
	needed_files(program, want_path, ctx);
}

static bool is_named(const char *const *names, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	while (*names && strcmp(*names, name))
		names++;
	return *names != NULL;
}

/* command: the program that will be run, by itself or through scripts; NULL: none. */
static void want_known(struct modules *ms, const char *command)
{
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		const char *const *name = w->language.commands;

		/* Interpreters started through scripts are only prefetched for a
		 * matching command: finding their programs is slow, and there are many
		 * files. */
		if (!w->language.programs)
			for (; name && *name; name++)
				want_program(ms, *name);
		else if (name && command && is_named(name, command))
			w->language.programs(want_program, ms);
	}
}

void prefetch_processes(struct modules *ms, const pid_t *pid, size_t n)
{
	for (; n > 0; n--, pid++) {
		struct maps maps = { .n = 0 };

		proc_maps("/proc", *pid, &maps);
		want_maps(ms, *pid, &maps);
		maps_release(&maps);
	}
}

void prefetch(struct modules *ms, const char *command, bool known)
{
	if (command)
		want_program(ms, command);
	if (known)
		want_known(ms, command);
	tables_build(modules_tables(ms), 0);
}
