/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A mapping of a file leads to the file's module, and the vDSO to the kernel's.  Any
 * other executable mapping is code that the process has made, and leads to a module of
 * its own.
 */
#include "user/processes/survey.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/files/modules.h"
#include "user/processes/map_history.h"
#include "user/processes/process.h"
#include "user/target/maps.h"
#include "user/elf/module.h"

#define MAX_MAPPINGS 65535u

/* A file may be mapped ten thousand times.  Within one reading of maps it is opened
 * once for consecutive mappings. */
struct lately {
	u64 time; /* maps.time */
	const struct map *map;
	struct module *m;
};

static bool same_file(const struct map *a, const struct map *b)
{
	return a && a->ino == b->ino && a->dev == b->dev &&
	       !strcmp(a->path, b->path);
}

static bool is_vdso(const struct map *map)
{
	return !map->ino && !strcmp(map->path, "[vdso]");
}

static struct module *module_of(const struct tracker *t, pid_t pid,
				const struct map *map, struct lately *lately)
{
	struct module *m = NULL;

	/* The walk knows what stands in the page of the uprobes. */
	if (!map->executable || !strcmp(map->path, "[vsyscall]") ||
	    !strcmp(map->path, "[uprobes]"))
		return NULL;
	if (is_vdso(map))
		return modules_vdso(t->config.modules, map);
	if (map->ino && !same_file(lately->map, map)) {
		lately->map = map;
		lately->m =
			modules_find(t->config.modules, pid, map, lately->time);
	}
	if (map->ino)
		m = lately->m;
	return m ? m : modules_code(t->config.modules, pid, map);
}

void survey_release(struct survey *s)
{
	free(s->mapping);
}

/* Fill in one mapping.  Returns false when the mapping has no address in the file. */
static bool fill_mapping(struct unwind_mapping *out, const struct map *map,
			 const struct module *m)
{
	u64 vaddr;

	if (m->code)
		vaddr = map->start - m->code->base;
	else if (module_offset_to_vaddr(m, map->offset, &vaddr))
		return false;
	*out = (struct unwind_mapping){
		.start = map->start,
		.end = map->end,
		.bias = map->start - vaddr,
		.file = m->id,
	};
	return true;
}

static void add_file(struct survey *s, size_t walker, struct survey_file file)
{
	struct survey_file *with = s->with[walker];
	u32 n = s->files[walker];

	/* It has several mappings. */
	if (n && with[n - 1].m == file.m && with[n - 1].bias == file.bias)
		return;
	if (n == SURVEY_FILES)
		n--;
	with[n] = file;
	s->files[walker] = n + 1;
}

static void survey_add(struct survey *s, const struct unwind_mapping *mapping,
		       const struct module *m)
{
	if (s->n >= MAX_MAPPINGS)
		return;
	s->mapping = xgrow(s->mapping, s->n, &s->capacity, sizeof(*s->mapping));
	s->partial |= m->id == MODULES_NONE;
	s->mapping[s->n++] = *mapping;
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!m->walker[i])
			continue;
		s->walkers |= 1u << i;
		add_file(s, i, (struct survey_file){ m, mapping->bias });
	}
}

void survey_make(const struct tracker *t, pid_t pid, const struct maps *maps,
		 struct survey *s)
{
	struct lately lately = { .time = maps->time };

	for (size_t i = 0; i < maps->n; i++) {
		struct module *m = module_of(t, pid, &maps->map[i], &lately);
		struct unwind_mapping mapping;

		if (!m || !fill_mapping(&mapping, &maps->map[i], m))
			continue;
		survey_add(s, &mapping, m);
	}
}

struct unwind_mapping survey_mapping(const struct tracker *t, pid_t pid,
				     const struct map *map, u64 time)
{
	struct unwind_mapping mapping = {
		.start = map->start,
		.end = map->end,
		.file = MAP_NO_FILE,
	};
	struct module *m = NULL;

	if (map->ino)
		m = modules_find_late(t->config.modules, pid, map, time);
	else if (is_vdso(map))
		m = modules_vdso(t->config.modules, map);
	if (m)
		fill_mapping(&mapping, map, m);
	return mapping;
}
