/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The maps that more than one program uses.  Defined in maps.bpf.c; sizes given
 * as 1 are set by user space before loading (by the number of CPUs, or options).
 */
#ifndef JPBPF_MAPS_BPF_H
#define JPBPF_MAPS_BPF_H

/* Records for user space.  Written by every program, read by session, which makes it
 * larger for high frequencies. */
struct map_samples {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
};
extern struct map_samples samples SEC(".maps");

/* One cursor per CPU.  Plain array: a per-CPU map could not hold values of this
 * size, and its look-up would not be inlined. */
struct map_walks {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct walk);
};
extern struct map_walks walks SEC(".maps");

/* Counters, one entry per CPU; user space adds them up. */
struct map_stats {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cpu_stats);
};
extern struct map_stats stats SEC(".maps");

/* Address to rule, PC_CACHE_SETS per CPU, two entries each. */
struct map_pc_cache {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PC_CACHE_SLOTS);
	__type(key, u32);
	__type(value, struct pc_entry);
};
extern struct map_pc_cache pc_cache SEC(".maps");

/* Where to begin searching when pc_cache does not know an address, PLACE_SLOTS per
 * CPU. */
struct map_places {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACE_SLOTS);
	__type(key, u32);
	__type(value, struct place);
};
extern struct map_places places SEC(".maps");

/* Ids of texts that this CPU has sent lately, TEXT_CACHE_SLOTS per CPU. */
struct map_text_cache {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, TEXT_CACHE_SLOTS);
	__type(key, u32);
	__type(value, u64);
};
extern struct map_text_cache text_cache SEC(".maps");

/* The process table: written by user space and by the process programs.  Its size
 * is --max-processes. */
struct map_processes {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct process_entry);
};
extern struct map_processes processes SEC(".maps");

/* What is gone of entries, by their serials.  One that has been dropped for another is
 * taken for all that the entry has. */
struct map_gone {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, struct gone);
};
extern struct map_gone gone SEC(".maps");

/* Where each file's unwind table is; index = file id; written by user space through
 * its mapping, see struct unwind_file.  Its size is --max-files and one more. */
struct map_files {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct unwind_file);
};
extern struct map_files files SEC(".maps");

/* One segment of the arena; written by user space through its mapping. */
struct map_segment {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ARENA_SEGMENT_CHUNKS);
	/* Sizes, not types: clang leaves a type that is only named here out of
	 * the BTF, and the linker could then not size the inner map. */
	__uint(key_size, sizeof(u32));
	__uint(value_size, ARENA_CHUNK);
};

/* The arena: segments appear as user space needs them. */
struct map_arena {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, ARENA_MAX_SEGMENTS);
	__type(key, u32);
	__array(values, struct map_segment);
};
extern struct map_arena arena SEC(".maps");

/* Threads to sample (-t); used only when config.by_thread is set. */
struct map_threads {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, u32);
	__type(value, u32);
};
extern struct map_threads threads SEC(".maps");

#endif
