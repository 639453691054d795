/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Definitions of the maps that maps.bpf.h describes, and of the settings. */
#include "bpf/budget.bpf.h"

const volatile struct walk_config config = {};
u64 sample_until = ~0ull;

struct map_samples samples SEC(".maps");
struct map_walks walks SEC(".maps");
struct map_stats stats SEC(".maps");
struct map_accounts accounts SEC(".maps");
struct map_processes processes SEC(".maps");
struct map_fresh fresh SEC(".maps");
struct map_files files SEC(".maps");
struct map_arena arena SEC(".maps");
struct map_threads threads SEC(".maps");
