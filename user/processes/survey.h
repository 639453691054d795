/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a process maps executable, as the kernel side wants it. */
#ifndef JPBPF_USER_PROCESSES_SURVEY_H
#define JPBPF_USER_PROCESSES_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

#include "user/processes/mapping_table.h"

struct map;
struct maps;
struct module;

/* What a process maps, and which modules hold an interpreter in it. */
struct survey {
	struct unwind_mapping *mapping;
	struct module **module; /* of each mapping */
	size_t n, capacity, module_capacity;
	bool partial; /* some have no module */
	const struct module *with[WALKER_COUNT];
	u64 bias[WALKER_COUNT];
};

/* Zeroes before; the arrays are the caller's to free. */
void survey_make(const struct process_env *env, pid_t pid,
		 const struct maps *maps, struct survey *s);
/* Which walkers' interpreters does the process map? Bits; -errno when gone. */
int survey_walkers(const struct process_env *env, pid_t pid,
		   const struct maps *maps);
/* Ask for the unwind tables of all files that the process maps executable. */
void survey_want(const struct process_env *env, pid_t pid,
		 const struct maps *maps);
/* What the kernel told that a process has mapped at that time, as the kernel side
 * wants it; file is MAP_NO_FILE when it is no ELF file or cannot be had any more. */
struct unwind_mapping survey_mapping(const struct process_env *env, pid_t pid,
				     const struct map *map, u64 time);

#endif
