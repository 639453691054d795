/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The records in the ring buffer, and the map values that both sides share.
 *
 * There are four kinds of record: a sample; a deferred sample, which was taken before
 * the tables that its walk needs were there; a text (the bytes behind a text id); and a
 * notice (a process did something that user space must look at).
 *
 * A text id is the hash of the text's bytes.  The kernel side reads a name at the
 * moment of the sample, hashes it, writes the id into the frame, and sends the bytes
 * along unless this CPU has sent them lately.  A name can therefore never be stale: a
 * text that stands at the same address later has another id.
 */
#ifndef JPBPF_SAMPLE_H
#define JPBPF_SAMPLE_H

#include <jpbpf/cursor.h>
#include <jpbpf/status.h>
#include <jpbpf/types.h>

enum record_type {
	RECORD_SAMPLE = 1,
	RECORD_TEXT,
	RECORD_NOTICE,
	RECORD_DEFERRED,
	/* Of calls (jpbpf/call.h): a sample whose value is a function's id and whose source
	 * is the walker.  With kernel words, those of the function's key, the function is new
	 * and the others are its frame.  Else a call ends (status: enum call_left) or begins
	 * (CALL_BEGINS), weight is when it began, process the number of calls around it. */
	RECORD_CALL,
};

#define COMM_LEN 16

/* The frame words follow: kernel frames, then user frames, each part leaf first. */
struct sample {
	u32 type;	  /* RECORD_SAMPLE or RECORD_DEFERRED */
	u32 words;	  /* number of all frame words */
	u32 kernel_words; /* number of kernel frame words */
	u32 pid, tid;	  /* as seen in the profiler's pid namespace */
	u16 cpu, source;  /* source: enum source_id */
	u32 status;	  /* enum walk_status of the native walk */
	/* Serial of the process table entry, or of the areas to which the entry does not
	 * apply (struct fresh). */
	u32 process;
	u64 time;  /* ns, CLOCK_MONOTONIC */
	u64 value; /* in units of the source, of all events that it stands for */
	u64 weight; /* number of events that it stands for */
	u64 count; /* what a counter of the thread has grown by (jpi_count()) */
	char comm[COMM_LEN];
	u64 word[];
};

/* Whether a stack needs no status word: it is whole, or the thread has no user stack.
 * WALK_USER_MODE is not among these, because its stack would be empty. */
static inline bool sample_is_whole(u32 status)
{
	return status == WALK_ROOT || status == WALK_KERNEL_THREAD ||
	       status == WALK_EXEC;
}

#define DEFERRED_PAGE  4096u
#define DEFERRED_PAGES 250u /* most pages of the stack */
#define DEFERRED_MASKS 4u

/*
 * Follows the frame words of a RECORD_DEFERRED: the position at which the walk stopped,
 * and the stack from there.  The sample's status says why the walk stopped
 * (LOST_NOT_READY: the process is not examined yet).
 */
struct deferred {
	/* Its cfa is that of the last frame walked; the frame to be walked next is
	 * above. */
	struct cursor cursor;
	/* Number of the sample's words that are in place; after them come FRAME_KEY
	 * words with their frames. */
	u32 placed;
	/* Bit per walker id: all frames of the walker are among the FRAME_KEY ones. */
	u32 keyed;
	u64 base; /* user address of the first page */
	/* Bit per page from base on: the page is in stack.  Pages that nobody touched,
	 * which a function with large variables can leave on its stack, are missing. */
	u64 pages[DEFERRED_MASKS];
	u64 stack[]; /* the pages that are there, one after the other */
};

/* Whether the walk of a deferred sample with this status goes on later. */
static inline bool deferred_is_open(u32 status)
{
	return status == LOST_NOT_READY || status == CUT_NOT_READY ||
	       status == CUT_NO_MAPPING;
}

static inline const struct deferred *deferred_of(const struct sample *s)
{
	return (const struct deferred *)&s->word[s->words];
}

/* Number of pages that are there among the first n. */
static inline u32 deferred_pages(const u64 pages[DEFERRED_MASKS], u32 n)
{
	u32 sum = 0;

	for (u32 i = 0; i < DEFERRED_MASKS && i * 64 < n; i++)
		sum += __builtin_popcountll(
			n - i * 64 < 64 ? pages[i] & ((1ull << n % 64) - 1)
					: pages[i]);
	return sum;
}

#define TEXT_MAX 256 /* bytes, NUL included; a longer text ends in "..." */

struct text {
	u32 type; /* RECORD_TEXT */
	u32 len;  /* bytes, without the NUL */
	u64 id;
	char text[TEXT_MAX];
};

enum notice_kind {
	/* arg: pid of the child, which has an entry in the process table if there was
	 * room. */
	NOTICE_FORK = 1,
	NOTICE_EXEC,	 /* the entry has been removed or marked pending */
	NOTICE_EXIT,	 /* the whole process has ended, not one thread */
	NOTICE_UNMAPPED, /* arg: an executed address in no known mapping */
};

struct notice {
	u32 type; /* RECORD_NOTICE */
	u32 kind;
	u32 pid;
	/* Serial of the entry; 0: there is no entry, or (NOTICE_EXIT) there was
	 * none. */
	u32 process;
	u64 arg;
	u64 time; /* ns, CLOCK_MONOTONIC */
};

/*
 * One entry of the process table (key: pid).  User space writes the entry when it has
 * examined a process.  At a fork the kernel side copies the parent's entry, so that a
 * child's first sample is not lost; at an exec it marks the entry pending, at an exit
 * it removes the entry.
 */
enum process_state {
	PROCESS_PENDING = 1, /* being examined; its samples are deferred */
	PROCESS_READY,
	PROCESS_IGNORED, /* examined and not wanted; samples are not counted */
};

struct process_entry {
	u32 serial;	/* unique for each address space seen in this run */
	u32 state;	/* enum process_state */
	u32 maps_first; /* arena chunk of the first mapping */
	u32 maps;	/* number of mappings */
	u32 walkers;	/* bit per walker id: the walker may add frames */
	/* Not 0: the process runs at addresses in no mapping, user space has looked.  No
	 * sample is deferred for such an address. */
	u32 strays;
	/* Kernel address of the mm_struct; valid only if memory_of is the serial. */
	u64 memory;
	u32 memory_of; /* serial that memory belongs to */
	/* A serial: the process may have a struct fresh with areas later than `since`.
	 * User space puts in the entry's serial, the kernel side that of a new area, or 0
	 * when it has found none. */
	u32 fresh;
	u64 since; /* ns: all mappings made before are among those published */
};

/* Areas mapped executable [start, end), at that time (ns). */
struct fresh_area {
	u64 start, end, time;
};

#define FRESH_AREAS 8

/*
 * Where a process has mapped something executable lately.  The key is its pid.  What is
 * published for an area that is later than the publication may be out of date, so no
 * sample is walked by it.  User space rewrites the entry of the process table at any
 * moment, so the areas are not kept there.
 */
struct fresh {
	u32 version; /* odd: being changed */
	u32 serial; /* for the caches: it voids what they hold of earlier areas */
	u32 n;
	u32 spare;
	struct fresh_area area[FRESH_AREAS];
};

/* Set in serials that a fork has given. */
#define SERIAL_FROM_KERNEL 0x80000000u

/* The cost of the walks, per walk slot.  Histogram buckets are logarithmic: 8 an
 * octave. */
#define COST_BUCKETS 256
struct cost {
	u64 samples, ns;
	u64 native_frames, walker_frames;
	u64 histogram[COST_BUCKETS];
};

/* The counters of a walk slot.  All members are u64. */
struct counters {
	u64 taken, kept;
	u64 skipped; /* events not sampled, because others stand for them */
	u64 rule_misses;
	struct cost cost;
	u64 status[WALK_STATUS_COUNT];
};

static inline u32 cost_bucket(u64 ns)
{
	u64 v = ns;
	u32 log = 0;

	if (ns < 8)
		return ns;
	/* Without branches, because the verifier would follow all 64 ways. */
	for (int k = 5; k >= 0; k--) {
		u32 by = ((1ull << (1 << k)) - 1 - v) >> 63 << k;

		v >>= by;
		log += by;
	}
	return ((log - 2) * 8 + ((ns >> (log - 3)) & 7)) & (COST_BUCKETS - 1);
}

/* The lowest value that falls into bucket b: the inverse of cost_bucket(). */
static inline u64 cost_floor(u32 b)
{
	return b < 16 ? b : (u64)(8 + (b & 7)) << (b / 8 - 1);
}

#endif
