/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The records in the ring buffer, and the map values that both sides share.
 *
 * Four kinds of record: a sample; a deferred sample, which was taken
 * before the tables that its walk needs were there; a text (the bytes behind a
 * text id); and a notice (something happened to a process that user space must
 * look at).
 *
 * A text id is the hash of the text's bytes.  The kernel side reads a name at
 * the moment of the sample, hashes it, puts the id into the frame and sends the
 * bytes along when this CPU has not sent them lately.  So a name can never be
 * stale: whatever later lives at the same address has another id.
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
	RECORD_DEFERRED
};

#define COMM_LEN 16

/* Frame words follow: first kernel frames, then user frames, leaf first. */
struct sample {
	u32 type;	  /* RECORD_SAMPLE or RECORD_DEFERRED */
	u32 words;	  /* frame words in all */
	u32 kernel_words; /* how many of them are kernel frames */
	u32 pid, tid;	  /* as the profiler's pid namespace sees them */
	u16 cpu, source;  /* enum source_id */
	u32 status;	  /* enum walk_status of the native walk */
	u32 process;	  /* serial of the process table entry; see below */
	u64 time;	  /* ns, CLOCK_MONOTONIC */
	u64 value;	  /* units of the source that it stands for */
	char comm[COMM_LEN];
	u64 word[];
};

#define DEFERRED_PAGE  4096u
#define DEFERRED_PAGES 250u /* of the stack, at most */
#define DEFERRED_MASKS 4u

/*
 * Follows the words of a RECORD_DEFERRED: where the walk stood when it could not go
 * on, and the stack from there.  The sample's status says why: LOST_NOT_READY
 * (nothing is known of the process yet), CUT_NOT_READY, CUT_NO_MAPPING; with any
 * other there is nothing to be walked.
 */
struct deferred {
	struct cursor
		cursor; /* its cfa: of the frame inward, the next one is higher */
	u32 placed; /* of the sample's words; the others are FRAME_KEY and frames */
	u32 keyed; /* bit per walker id: all that it has is among them */
	u64 vdso;  /* where the process has it; 0: it has none */
	u64 base;  /* user address of the first page */
	u64 pages
		[DEFERRED_MASKS]; /* bit per page from there: which are here.  A
				* function with much room on its stack leaves pages
				* that nobody touched */
	u64 stack[];		  /* those pages, one after the other */
};

static inline const struct deferred *deferred_of(const struct sample *s)
{
	return (const struct deferred *)&s->word[s->words];
}

/* How many are here of so many pages from the first on. */
static inline u32 deferred_pages(const u64 pages[DEFERRED_MASKS], u32 n)
{
	u32 sum = 0;

	for (u32 i = 0; i < DEFERRED_MASKS && i * 64 < n; i++)
		sum += __builtin_popcountll(
			n - i * 64 < 64 ? pages[i] & ((1ull << n % 64) - 1)
					: pages[i]);
	return sum;
}

#define TEXT_MAX 256 /* bytes with the final NUL; longer ones end in "..." */

struct text {
	u32 type; /* RECORD_TEXT */
	u32 len;  /* bytes, without the NUL */
	u64 id;
	char text[TEXT_MAX];
};

enum notice_kind {
	NOTICE_FORK =
		1, /* arg: pid of the child, in the process table if there was room */
	NOTICE_EXEC,	 /* the entry has been removed or marked pending */
	NOTICE_EXIT,	 /* the whole process is gone, not one thread */
	NOTICE_UNMAPPED, /* arg: an executed address in no known mapping */
	NOTICE_GONE, /* something else is about to be mapped from arg to end: what
		      * was published there is gone */
};

struct notice {
	u32 type; /* RECORD_NOTICE */
	u32 kind;
	u32 pid;
	u32 process; /* serial, 0 if there is no entry, or was none (EXIT) */
	u64 arg;
	u64 time; /* ns, CLOCK_MONOTONIC */
	u64 end;
};

/*
 * One entry of the process table (key: pid).  User space writes it when it has
 * examined a process; fork copies it in the kernel, so a child's first sample is
 * not lost; exec marks it pending, exit removes it.
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
	u32 walkers;	/* bit per walker id: which may place frames here */
	u32 kept;	/* samples deferred because of an unknown mapping */
	u64 memory;	/* kernel's address of its mm_struct ... */
	u32 memory_of;	/* ... if that is serial; else not known yet */
	u32 gone_of;	/* if that is serial: there is a struct gone */
};

/*
 * Of what an entry publishes, this is not mapped any more.  The entry is user space's
 * to change, so the kernel side says it here, by the entry's serial: what is published
 * next has another one.  Samples that do not come upon such an address are walked.
 */
struct gone {
	u32 of;	    /* the entry's serial */
	u32 serial; /* for the caches from then on: what they have is void */
	u64 start, end;
	u32 areas; /* so many make up the range */
	u32 spare;
};

/* Addresses from start up to end. */
struct area {
	u64 start, end;
};

#define SERIAL_FROM_KERNEL 0x80000000u /* set in serials given out by fork */

/* Cost of the walks, per CPU.  Buckets are log2 with 8 steps an octave. */
#define COST_BUCKETS 256
struct cost {
	u64 samples, ns;
	u64 native_frames, walker_frames;
	u64 histogram[COST_BUCKETS];
};

/* What is counted in a walk slot: u64 only. */
struct counters {
	u64 taken, kept;
	u64 rule_misses;
	u64 status[WALK_STATUS_COUNT];
	struct cost cost;
};

static inline u32 cost_bucket(u64 ns)
{
	u64 v = ns;
	u32 log = 0;

	if (ns < 8)
		return ns;
	/* Without branches: the verifier would follow all 64 ways. */
	for (int k = 5; k >= 0; k--) {
		u32 by = ((1ull << (1 << k)) - 1 - v) >> 63 << k;

		v >>= by;
		log += by;
	}
	return ((log - 2) * 8 + ((ns >> (log - 3)) & 7)) & (COST_BUCKETS - 1);
}

/* Lowest value that falls into bucket b: the inverse of cost_bucket(). */
static inline u64 cost_floor(u32 b)
{
	return b < 16 ? b : (u64)(8 + (b & 7)) << (b / 8 - 1);
}

#endif
