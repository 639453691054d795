/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The maps that more than one program uses.  Defined in maps.bpf.c; sizes given
 * as 1 are set by user space before loading (by the number of walk slots, or options).
 */
#ifndef JPBPF_MAPS_BPF_H
#define JPBPF_MAPS_BPF_H

/* Declares a map: its name, kind, flags, size, and the types of key and value. */
#define MAP(name, kind, flags, entries, key_type, value_type) \
	struct map_##name {                                   \
		__uint(type, BPF_MAP_TYPE_##kind);            \
		__uint(map_flags, flags);                     \
		__uint(max_entries, entries);                 \
		__type(key, key_type);                        \
		__type(value, value_type);                    \
	};                                                    \
	extern struct map_##name name SEC(".maps")

/* Records for user space.  Written by every program, read by session, which makes it
 * larger for high frequencies. */
struct map_samples {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
};
extern struct map_samples samples SEC(".maps");

/* One cursor per walk slot.  Plain array: a per-CPU map could not hold values of this
 * size, and its look-up would not be inlined. */
MAP(walks, ARRAY, 0, 1, u32, struct walk);

/* Counters: nobody's entry, and one per walk slot; user space adds them up. */
MAP(stats, ARRAY, 0, 1, u32, struct counters);

/* Address to rule, PC_CACHE_SETS per walk slot, two entries each. */
MAP(pc_cache, ARRAY, 0, PC_CACHE_SLOTS, u32, struct pc_entry);

/* Where to begin searching when pc_cache does not know an address, PLACE_SLOTS per
 * walk slot. */
MAP(places, ARRAY, 0, PLACE_SLOTS, u32, struct place);

/* Ids of texts that were sent lately, TEXT_CACHE_SLOTS per walk slot. */
MAP(text_cache, ARRAY, 0, TEXT_CACHE_SLOTS, u32, u64);

/* The process table: written by user space and by the process programs.  Its size
 * is --max-processes. */
MAP(processes, HASH, 0, 1, u32, struct process_entry);

/* What is gone of entries, by their serials.  One that has been dropped for another is
 * taken for all that the entry has. */
MAP(gone, LRU_HASH, 0, 4096, u32, struct gone);

/* Where each file's unwind table is; index = file id; written by user space through
 * its mapping, see struct unwind_file.  Its size is --max-files and one more. */
MAP(files, ARRAY, BPF_F_MMAPABLE, 1, u32, struct unwind_file);

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
MAP(threads, HASH, 0, 1024, u32, u32);

#endif
