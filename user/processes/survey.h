/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a process maps executable, as the kernel side wants it. */
#ifndef JPBPF_USER_PROCESSES_SURVEY_H
#define JPBPF_USER_PROCESSES_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>
#include <jpbpf/walkers.h>

struct map;
struct maps;
struct module;
struct tracker;

#define SURVEY_FILES 5u /* one more than any walker takes, which says so then */

/* What a process maps, and which modules hold an interpreter. */
struct survey {
	struct unwind_mapping *mapping;
	size_t n, capacity;
	bool partial; /* some found no room (MODULES_NONE) */
	u32 walkers;  /* bit per walker whose interpreter the process maps */
	/* The files of each walker; of more than there is room for, the last is one. */
	struct survey_file {
		const struct module *m;
		u64 bias;
	} with[WALKER_COUNT][SURVEY_FILES];
	u32 files[WALKER_COUNT];
};

/* s is all zeroes before. */
void survey_make(const struct tracker *t, pid_t pid, const struct maps *maps,
		 struct survey *s);
void survey_release(struct survey *s);
/* A mapping that the kernel reported at that time (ns), as the kernel side wants it.
 * file is MAP_NO_FILE when it is no ELF file or cannot be had any more. */
struct unwind_mapping survey_mapping(const struct tracker *t, pid_t pid,
				     const struct map *map, u64 time);

#endif
