/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The cursor of one walk, and the toolkit that walkers are written with.
 *
 * A walk is one bpf_loop over small steps.  Each step belongs to whoever holds
 * the mode: the native unwinder, or one interpreter's walker.  The unwinder goes
 * from the leaf outward; for every frame it first finds the rule and the CFA,
 * then asks the walkers, then writes the native frame and moves to its caller:
 *
 *   wake   a walker that knows an address on the stack calls walk_wait(); at the
 *          frame whose CFA lies above it the walker gets the mode and may write
 *          frames that are called by this native frame.  Of several walkers that
 *          wait, the one with the lowest address comes first.
 *   mark   a walker that knows a function has its rows marked; at such a frame
 *          the walker gets the mode in the same way.
 *
 * A walker gives the mode back with walk_native(), one that waits with walk_next().
 * Because words are written
 * leaf first, frames written by a walker at frame i stand between frame i and
 * the frame it called: their true place.
 *
 * A struct walk belongs to the sample that has claimed it (slot.bpf.h).  Caches and
 * a walker's own state have a part for each, found by w->index.
 */
#ifndef JPBPF_WALK_BPF_H
#define JPBPF_WALK_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include <jpbpf/config.h>
#include <jpbpf/cursor.h>
#include <jpbpf/frame.h>
#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>
#include <jpbpf/walkers.h>

#include "bpf/direct.bpf.h"

#define WALK_WORDS	 65536u /* frame words of one sample */
#define WALK_ROOM	 131072u /* words: also for the stack of one that is kept */
#define WALK_RESERVE	 16u	 /* kept free for the frames that end a stack */
#define WALK_MAX_STEPS	 131072u
#define WALK_BLOCK_WORDS 512u /* stack words read at once, at most: 4 KiB */
#define WALK_BLOCK_LEAST 128u /* bytes, at least */
#define WALK_KERNEL	 127u /* kernel frames at most, the kernel's own limit */

enum walk_mode { MODE_NATIVE, MODE_DONE, MODE_WALKER /* + walker id */ };

/* What is known of the current frame: nothing; its rule and CFA; and its mark
 * has been served. */
enum walk_located { LOCATED_NOT, LOCATED, LOCATED_MARKED };

/* Samples kept for one publication of a process because of unknown mappings. */
#define KEEP_UNMAPPED 64u

#define WAKE_NEVER (~0ull)

/* maps.bpf.c */
extern const volatile struct walk_config config;

struct walk {
	struct cursor; /* its fields: pc, cfa, reg, ... */
	u32 mode;      /* enum walk_mode */
	u32 words;     /* words written so far */
	u32 walker_frames;
	u32 status; /* enum walk_status, when mode is MODE_DONE */
	u32 slot;   /* of the current frame in pc_cache */
	u8 located; /* enum walk_located: of the current frame */
	u8 spare[3];
	u32 counted; /* words up to which walk_count() was called already */
	u32 keyed;   /* frames are written with their key: see defer.bpf.c */
	u32 placed;  /* words written when the walk was cut */
	u64 cut_cfa; /* what cfa was then */
	u64 deferred_pages
		[DEFERRED_MASKS]; /* of the stack that is being kept, */
	u32 deferred_end;	  /* words up to its end, */
	u32 deferred_missing;	  /* pages that were not there, in a row */
	u64 wake; /* the lowest address on the stack that a walker waits for */
	u64 wakes[WALKER_COUNT]; /* each one's; WAKE_NEVER: for none */
	u32 wake_mode;		 /* whose wake is */
	u32 index; /* of this slot: its part of a map that has one per slot */
	u32 pid;
	u32 busy;
	u64 unmapped_time; /* of the last NOTICE_UNMAPPED, and for which */
	u32 unmapped_serial;
	u32 text_bytes;
	u32 block_size;	 /* bytes to read next time */
	u32 text_unsent; /* set when a text could not be handed over: whoever
			  * keeps its id must not */
	struct process_entry process; /* copy of the table's entry */
	struct area gone;	      /* what it says there is not there now */
	u64 block_base;		      /* user address of block[0] */
	u64 block_len;		      /* bytes of it that are valid */
	struct direct_pages direct;
	struct text text; /* the text being interned */
	struct sample sample;
	u64 word[WALK_ROOM]; /* beyond WALK_WORDS, so that walk_push3() needs
			      * one check */
	/* Rarely used, so not between what always is. */
	u64 block[WALK_BLOCK_WORDS];
};

/* One line of the cache from address to rule. */
struct pc_entry {
	u64 pc;	   /* address looked up */
	u64 frame; /* native frame word for it */
	u32 serial;
	u32 spare;
	struct unwind_rule rule;
	u64 bias;
};
_Static_assert(sizeof(struct pc_entry) == 64, "one cache line");

/* What the last search for an address in some PLACE_BYTES of code found. */
struct place {
	u64 number; /* address / PLACE_BYTES; all ones: nothing is known */
	u32 serial;
	u32 file;
	u64 bias;
	u32 chunk; /* of rows, counted from the file's first; all ones: none */
	u32 spare;
};

#define PLACE_BYTES 1024u /* mappings consist of whole ones */
#define PLACE_SLOTS 512u  /* per walk slot */
#define PC_CACHE_SETS \
	4096u /* per walk slot, of two entries: the last used comes first */
#define PC_CACHE_SLOTS	 (2 * PC_CACHE_SETS)
#define TEXT_CACHE_SLOTS 4096u /* per walk slot */

#include "bpf/maps.bpf.h"

/* The first entry is nobody's: what more than one can count at a time, atomically. */
static __always_inline struct counters *walk_stats(const struct walk *w)
{
	u32 entry = w->index + 1;

	return bpf_map_lookup_elem(&stats, &entry);
}

static __always_inline void walk_count(struct walk *w, u32 status)
{
	struct counters *s = walk_stats(w);

	if (s && status < WALK_STATUS_COUNT && w->words >= w->counted)
		s->status[status]++;
}

/* Why a record could not be written.  A sample by NMI does not wait for another CPU
 * that is writing one. */
static __always_inline u32 walk_ring_lost(void)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);

	return unread < bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE) / 2
		       ? LOST_RING_BUSY
		       : LOST_RING_FULL;
}

/* Append one word.  When the record is full the walk ends: CUT_DEPTH. */
static __always_inline void walk_push(struct walk *w, u64 word)
{
	u32 n = w->words;

	if (n >= WALK_WORDS - WALK_RESERVE) {
		w->mode = MODE_DONE;
		w->status = CUT_DEPTH;
		return;
	}
	/* Linux 6.1 forgets the bound of what was multiplied before it was checked. */
	barrier_var(n);
	w->word[n & (WALK_WORDS - 1)] = word;
	w->words = n + 1;
}

/* The frame words of a walker: room for the whole frame, or none of it. */
static __always_inline bool walk_room(struct walk *w, u32 words)
{
	if (w->words + words < WALK_WORDS - WALK_RESERVE)
		return true;
	w->mode = MODE_DONE;
	w->status = CUT_DEPTH;
	return false;
}

/* The most frequent frame of a walker: a header and two words. */
static __always_inline void walk_push3(struct walk *w, u64 header, u64 a, u64 b)
{
	u32 n = w->words;
	u64 *word = &w->word[n & (WALK_WORDS - 1)];

	if (!walk_room(w, 3))
		return;
	word[0] = header;
	word[1] = a;
	word[2] = b;
	w->words = n + 3;
}

static __always_inline void walk_end(struct walk *w, u32 status)
{
	w->mode = MODE_DONE;
	w->status = status;
}

static __always_inline void walk_native(struct walk *w)
{
	w->mode = MODE_NATIVE;
}

/* Is this option of a walker chosen? */
#define walk_wants(option) (config.walker_options >> option##_OPTION & 1)

/* Does this walker wait for addresses? A constant, so that what follows is as short as
 * it would be for one of them where there is one. */
static __always_inline bool walk_waits(u32 id)
{
	return WALKERS_THAT_WAIT >> id & 1;
}

/* No walker waits for anything. */
static __always_inline void walk_wake_begin(struct walk *w)
{
	w->wake = WAKE_NEVER;
	for (u32 i = 0; i < WALKER_COUNT; i++)
		w->wakes[i] = WAKE_NEVER;
}

/* The walker wants to have the mode at the frame that this address belongs to. */
static __always_inline void walk_wait(struct walk *w, u32 id, u64 address)
{
	w->wakes[id] = address;
	w->wake = address;
	w->wake_mode = MODE_WALKER + id;
	for (u32 i = 0; i < WALKER_COUNT; i++) {
		if (i == id || !walk_waits(i) || w->wakes[i] >= w->wake)
			continue;
		w->wake = w->wakes[i];
		w->wake_mode = MODE_WALKER + i;
	}
}

/* Bit per walker that waits for an address. */
static __always_inline u32 walk_waiting(const struct walk *w)
{
	u32 waiting = 0;

	for (u32 i = 0; i < WALKER_COUNT; i++)
		if (walk_waits(i) && w->wakes[i] != WAKE_NEVER)
			waiting |= 1u << i;
	return waiting;
}

/* Who has the mode now? The one with the lowest address in the frame at hand. */
static __always_inline void walk_next(struct walk *w)
{
	if (w->mode != MODE_DONE)
		w->mode = w->wake < w->cfa ? w->wake_mode : MODE_NATIVE;
}

static __always_inline int walk_read(void *out, u32 size, u64 address)
{
	return bpf_probe_read_user(out, size, (const void *)address);
}

/* The same for n words, a constant up to DIRECT_WORDS; out is in a map or on the
 * BPF stack. */
static __always_inline int walk_words(struct walk *w, u64 *out, u32 n,
				      u64 address)
{
	u64 kernel = direct_at(&w->direct, address, n * 8);

	if (!kernel)
		return walk_read(out, n * 8, address);
	direct_words(out, n, kernel);
	return 0;
}

/* The same for one word where time does not matter. */
static __always_inline int walk_word(struct walk *w, u64 *out, u64 address)
{
	/* Up to Linux 6.2 what a global function is given must have been written. */
	*out = 0;
	return direct_read(&w->direct, out, address);
}

/*
 * Read the user's stack from low upward into the block.  How much is adapted to
 * how the walk moves: cold memory costs by the cache line, so where frames are far
 * apart only a little is read, and where they are close up to 4 KiB at once.
 */
static __always_inline void walk_block(struct walk *w, u64 low)
{
	u64 end = w->block_base + w->block_len;
	u32 size = w->block_size;

	if (low >= w->block_base && low - end < 512)
		size *= 2;
	else
		size /= 2;
	if (size < WALK_BLOCK_LEAST)
		size = WALK_BLOCK_LEAST;
	if (size > sizeof(w->block))
		size = sizeof(w->block);
	w->block_size = size;
	w->block_base = low;
	w->block_len = size;
	if (!bpf_probe_read_user(w->block, size, (const void *)low))
		return;
	/* Near the end of a stack only the low part is there. */
	w->block_len = 64;
	if (bpf_probe_read_user(w->block, 64, (const void *)low))
		w->block_len = 0;
}

/* Is [low, high) in the block? */
static __always_inline bool walk_in_block(const struct walk *w, u64 low,
					  u64 high)
{
	return low - w->block_base < w->block_len &&
	       high - w->block_base <= w->block_len;
}

/* A word of the block, which must hold the address. */
static __always_inline u64 walk_block_word(const struct walk *w, u64 address)
{
	u64 off = address - w->block_base;

	return w->block[(off >> 3) & (WALK_BLOCK_WORDS - 1)];
}

/* text.bpf.c: id of the text at a user address, 0 when it cannot be read. */
u64 text_at(struct walk *w, u64 address);
/* text.bpf.c: the same for a text that was read already, into up to so many words
 * of w->text.text; 0 when it does not end there. */
u64 text_words(struct walk *w, u32 words);
/* text.bpf.c: the same for w->text.text[0 .. w->text_bytes). */
u64 text_intern(struct walk *w);
/* defer.bpf.c: hand over a sample that cannot be walked (any further) yet.  0, or
 * the status under which it is lost. */
int defer(struct walk *w);
/* native.bpf.c: fill the cache's slot for an address. 0, or a status. */
int native_fill(struct walk *w, u64 address, u32 slot);
/* native.bpf.c: have in w->reg what is known of the callee-saved registers. */
int native_registers(struct walk *w);
/* native.bpf.c: native frame word of an address, 0 when in no known file. */
u64 native_word(struct walk *w, u64 address);

/* What a walker provides, NAME = tcl, r, ...  All return 0; they act on w.  fork: or
 * -1, there is no room for what it knows of the child. */
#define WALKER(id, name, title, traits)                                   \
	int name##_begin(struct walk *w); /* at the start of a sample */  \
	int name##_step(struct walk *w);  /* while it holds the mode */   \
	int name##_end(struct walk *w);	  /* the native walk has ended */ \
	int name##_fork(u32 parent, u32 child);                           \
	int name##_exit(u32 pid);
#include "walkers/walkers.def"

#endif
