/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel as the host-built programs find it, and what a test can do to it.
 *
 * "User memory" is the memory of the test process itself, read by
 * process_vm_readv(), so that a wild pointer gives an error as in the kernel and
 * not a crash.  Time stands still until the test moves it.  One CPU.
 */
#ifndef JPBPF_TESTS_HOST_HOST_H
#define JPBPF_TESTS_HOST_HOST_H

#include "vmlinux.h"

#include <jpbpf/sample.h>
#include <jpbpf/types.h>

struct arena;

/* ---- maps (host_map.c) ------------------------------------------------- */

struct host_map {
	const char *name;
	const void *map; /* address of the map's declaration */
	u32 key_size, value_size, entries;
	bool hash;	 /* else an array, key u32 */
	u8 *value, *key; /* host_map.c's own */
	u32 used;
};

/* Values are zero at first. */
void host_map_bind(const struct host_map *map);
/* The map by that name, NULL: there is none. */
const void *host_map_named(const char *name);
/* The two-level map of the unwind tables: chunks of a. */
void host_map_bind_arena(const void *map, struct arena *a);
void host_map_release(void);

/* ---- reads of user memory (host_read.c) --------------------------------- */

struct host_faults {
	u64 fail_at;	   /* number of the read that fails, from 1; 0: none */
	u64 fail_from;	   /* this one and all after it; 0: none */
	u64 garble_at;	   /* this one gives nonsense; 0: none */
	u32 garble_one_in; /* about every nth gives nonsense; 0: none */
	u32 seed;
};

extern struct host_faults host_faults;
extern u64 host_reads; /* since host_faults_set() */

void host_faults_set(const struct host_faults *f); /* NULL: no faults */
/* Pseudo-random, the same every time. */
u64 host_random(u64 *state);

/* ---- records (host_record.c) -------------------------------------------- */

/* The last sample, NULL: none since host_records_forget(). */
const struct sample *host_record_sample(void);
/* The last notice, NULL: none since. */
const struct notice *host_record_notice(void);
/* Text behind an id, of all that were ever sent; NULL: never. */
const char *host_record_text(u64 id);
u32 host_record_texts(void);	/* text records since */
u32 host_record_largest(void);	/* bytes of the largest record since */
void host_records_forget(void); /* all but the texts' bytes */
void host_records_release(void);
/* Set: the ring buffer is full. */
extern bool host_ring_full;

/* ---- task and time (host_task.c) ---------------------------------------- */

extern u64 host_now;	    /* ns */
extern u64 host_loop_turns; /* of the last bpf_loop */
extern struct task_struct host_task_current;
extern struct pt_regs host_task_saved; /* registers on the kernel's stack */

/* ---- registers (here.c) ------------------------------------------------- */

/* The caller's registers as they are when this returns. */
void host_here(struct perf_regs *out);

#endif
