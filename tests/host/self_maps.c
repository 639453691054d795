/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Gives each BPF map of the kernel side its memory, for one CPU. */
#include "self_maps.h"

#include "bpf/budget.bpf.h"
#include "bpf/walk.bpf.h"
#include "walkers/r/kernel/r.bpf.h"
#include "walkers/shadow/kernel/shadow.bpf.h"
#include "walkers/tcl/kernel/tcl.bpf.h"
#include "walkers/tcl/kernel/tcl_names.bpf.h"

#include "host.h"

/* Maps without a named type. */
extern struct host_anonymous tcl_subcommands, r_processes;

static void bind(const char *name, const void *map, u32 value_size, u32 entries)
{
	const struct host_map m = {
		.name = name,
		.map = map,
		.key_size = sizeof(u32),
		.value_size = value_size,
		.entries = entries,
		.hash = entries == SELF_ENTRIES,
	};

	host_map_bind(&m);
}

#define BIND(map, entries) bind(#map, &map, sizeof(*map.value), entries)

void self_maps_bind(void)
{
	const struct host_map bindings = {
		.name = "r_bindings",
		.map = &r_bindings,
		.key_size = sizeof(u64),
		.value_size = sizeof(*r_bindings.value),
		.entries = SELF_ENTRIES,
		.hash = true,
	};
	const struct host_map subcommands = {
		.name = "tcl_subcommands",
		.map = &tcl_subcommands,
		.key_size = sizeof(u64),
		.value_size = sizeof(u32),
		.entries = SELF_ENTRIES,
		.hash = true,
	};
	const struct host_map counts = {
		.name = "shadow_counts",
		.map = &shadow_counts,
		.key_size = sizeof(u64),
		.value_size = sizeof(u64),
		.entries = SELF_ENTRIES,
		.hash = true,
	};

	BIND(walks, SELF_SLOTS);
	BIND(stats, SELF_SLOTS + 1);
	BIND(accounts, SELF_SLOTS);
	BIND(files, SELF_FILES);
	BIND(processes, SELF_ENTRIES);
	BIND(threads, SELF_ENTRIES);
	BIND(fresh, SELF_ENTRIES);
	BIND(tcl_names, SELF_SLOTS * TCL_NAME_SLOTS);
	BIND(shadow_processes, SELF_ENTRIES);
	host_map_bind(&counts);
	BIND(r_symbols, SELF_SLOTS * R_CACHE_SLOTS);
	BIND(r_closures, SELF_SLOTS * R_CACHE_SLOTS);
	bind("tcl_files", &tcl_files, sizeof(struct tcl_file), SELF_ENTRIES);
	host_map_bind(&bindings);
	host_map_bind(&subcommands);
	bind("r_processes", &r_processes, sizeof(struct r_process),
	     SELF_ENTRIES);
}
