/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The maps that more than one program uses.  They are defined in maps.bpf.c.  User
 * space sets the sizes given as 1 before loading, by the number of walk slots or by
 * options.
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

/* Records for user space.  Every program writes here.  User space makes the ring larger
 * for high frequencies. */
struct map_samples {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
};
extern struct map_samples samples SEC(".maps");

/* One walk per slot.  A plain array, because a per-CPU map cannot hold values of this
 * size and its look-up is not inlined. */
MAP(walks, ARRAY, 0, 1, u32, struct walk);

/* Counters: one shared entry, then one per walk slot.  User space adds them up. */
MAP(stats, ARRAY, 0, 1, u32, struct counters);

/* The process table: written by user space and by the process programs.  Its size
 * is set by user space. */
MAP(processes, HASH, 0, 1, u32, struct process_entry);

/* What processes with an entry have mapped lately.  As large as the process table. */
MAP(fresh, HASH, 0, 1, u32, struct fresh);

/* Location of each file's unwind table, by file id.  User space writes through its
 * mapping, see struct unwind_file.  User space sets the size. */
MAP(files, ARRAY, BPF_F_MMAPABLE, 1, u32, struct unwind_file);

/* One segment of the arena.  User space writes through its mapping. */
struct map_segment {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ARENA_SEGMENT_CHUNKS);
	/* Sizes, not types: clang leaves a type that is only named here out of
	 * the BTF, and the linker could then not size the inner map. */
	__uint(key_size, sizeof(u32));
	__uint(value_size, ARENA_CHUNK);
};

/* The arena.  User space adds segments as it needs them. */
struct map_arena {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, ARENA_MAX_SEGMENTS);
	__type(key, u32);
	__array(values, struct map_segment);
};
extern struct map_arena arena SEC(".maps");

/* Threads to sample (-t); used only when config.by_thread is set. */
MAP(threads, HASH, 0, 1024, u32, u32);

/* ns, CLOCK_MONOTONIC: no sample is taken from then on.  User space sets it. */
extern u64 sample_until;

#endif
