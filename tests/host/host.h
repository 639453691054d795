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
/* All entries of a hash map are gone. */
void host_map_empty(const void *map);
/* The two-level map of the unwind tables: chunks of a. */
void host_map_bind_arena(const void *map, struct arena *a);
void host_map_release(void);
/* Called at the next look-up in any map, once: what interrupts a program. */
extern void (*host_interrupt)(void);

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

extern u64 host_kernel_reads; /* of kernel memory, ever */

/* ---- the page table (host_page.c) ---------------------------------------- */

/* Flags of an entry (arch/x86/include/asm/pgtable_types.h, v6.1); the rest is an
 * address.  What an ordinary page has: HOST_PAGE_PLAIN. */
#define HOST_PAGE_PRESENT	(1ull << 0)
#define HOST_PAGE_WRITE		(1ull << 1)
#define HOST_PAGE_USER		(1ull << 2)
#define HOST_PAGE_WRITE_THROUGH (1ull << 3)
#define HOST_PAGE_CACHE_OFF	(1ull << 4)
#define HOST_PAGE_ACCESSED	(1ull << 5)
#define HOST_PAGE_DIRTY		(1ull << 6)
#define HOST_PAGE_HUGE		(1ull << 7)
#define HOST_PAGE_GLOBAL	(1ull << 8)
#define HOST_PAGE_SPECIAL	(1ull << 9)
#define HOST_PAGE_NO_EXECUTE	(1ull << 63)
#define HOST_PAGE_PLAIN		(HOST_PAGE_PRESENT | HOST_PAGE_USER)

/* Where the tables lie, and where memory begins so that all that a test's process
 * usually has mapped is within reach of an entry. */
#define HOST_PAGE_TABLES (HOST_PAGE_BASE + (5ull << 30) + 7 * 4096)
#define HOST_PAGE_BASE	 (1ull << 46)

/* Reads are direct from here to host_page_end(); an empty table of so many levels.
 * base: host address of "physical" address 0, whole GiB, up to 64 TiB below the
 * tables.  flags: set in each entry that leads to a table. */
void host_page_begin(u32 levels, u64 base, u64 flags);
void host_page_end(void);
/* The entry for 1 << shift bytes at a user address; the tables above it are made
 * when they are not there. */
u64 *host_page_entry(u64 address, u32 shift);
/* A page of zeroes beside the tables, until host_page_end(). */
void *host_page_new(void);
u64 host_page_physical(const void *p);
/* Enter what this process has mapped at this moment and can read, as far as base
 * allows; about one page in so many is left out, 0: none.  Larger pages where it
 * can be. */
void host_page_fill(u32 absent_one_in, u64 seed);

/* ---- records (host_record.c) -------------------------------------------- */

/* The last sample, NULL: none since host_records_forget(). */
const struct sample *host_record_sample(void);
/* The same of a sample that is kept for later. */
const struct sample *host_record_deferred(void);
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
/* What is said of it: bytes that nobody has read yet, and its size. */
extern u64 host_ring_unread, host_ring_size;

/* ---- task and time (host_task.c) ---------------------------------------- */

extern u64 host_now;	    /* ns */
extern u64 host_tick;	    /* ns that pass with each look at the time */
extern u64 host_loop_turns; /* of the last bpf_loop */
extern struct task_struct host_task_current;
extern struct pt_regs host_task_saved; /* registers on the kernel's stack */

/* ---- registers (here.c) ------------------------------------------------- */

/* The caller's registers as they are when this returns. */
void host_here(struct perf_regs *out);

#endif
