/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The state of one walk, and the functions that walkers are written with.
 *
 * A walk is one bpf_loop() over small steps.  Each step belongs to the holder of the
 * mode: the native unwinder or one interpreter's walker.  The unwinder goes from the
 * leaf outward.  For every frame it finds the rule and the CFA, then lets the walkers
 * have the frame, then writes the native frame and moves to its caller.  A walker gets
 * the mode in two ways:
 *
 *   wake   A walker that knows an address on the stack calls walk_wait().  It gets the
 *          mode at the frame whose CFA lies above the address, and may write frames
 *          that this native frame has called.  Of several walkers that wait, the one
 *          with the lowest address comes first.
 *   mark   A walker that knows a function has its rows marked in the tables.  It gets
 *          the mode at each frame of the function.
 *
 * A walker gives the mode back with walk_native(); one that waits does so with
 * walk_next().  Words are written leaf first, so a walker's frames written at frame i
 * stand between frame i and the frame it called, which is their true place.
 *
 * A struct walk belongs to the sample that has claimed it (slot.bpf.h), and so do the caches
 * and the walkers' states in it.  The walkers' own caches have one part for each slot, found
 * by w->index.
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

#include "bpf/cache.bpf.h"
#include "bpf/direct.bpf.h"

#define WALK_WORDS	 65536u	 /* frame words of one sample */
#define WALK_ROOM	 131072u /* words, with the stack of a deferred sample */
#define WALK_RESERVE	 16u /* words kept free for the frames that end a stack */
#define WALK_MAX_STEPS	 131072u
#define WALK_BLOCK_WORDS 512u /* stack words read at once, at most: 4 KiB */
#define WALK_KERNEL	 127u /* kernel frames at most, the kernel's own limit */
#define WALK_STATE_WORDS 384u /* for the state of each walker */
#define TEXT_CACHE_SLOTS 4096u

enum walk_mode { MODE_NATIVE, MODE_DONE, MODE_WALKER /* + walker id */ };

/* State of the current frame: nothing is known; rule and CFA are known; rule and CFA
 * are known and the walker of its mark has had the mode. */
enum walk_located { LOCATED_NOT, LOCATED, LOCATED_MARKED };

#define WAKE_NEVER (~0ull)

/* maps.bpf.c */
extern const volatile struct walk_config config;

/* What every sample uses stands together, in the fewest cache lines. */
struct walk {
	struct cursor; /* unnamed, so its fields are used as w->pc, w->cfa, ... */
	u32 mode;      /* enum walk_mode */
	u32 words;     /* words written so far */
	u32 walker_frames;
	u32 status; /* enum walk_status, when mode is MODE_DONE */
	u32 slot;   /* slot of the current frame in cache */
	u8 located; /* enum walk_located of the current frame */
	u8 spare[3];
	u32 counted; /* words up to which walk_count() does nothing */
	u32 keyed; /* bit per walker whose frames have addresses, see early.bpf.h */
	u64 wake; /* the lowest address on the stack that a walker waits for */
	u64 wakes[WALKER_COUNT]; /* address per walker; WAKE_NEVER: none */
	u32 wake_mode;		 /* mode of the walker that waits for wake */
	u32 index;		 /* number of this slot */
	u32 level;		 /* enum source_level of the event */
	u32 pid;
	u32 busy;
	u32 block_size; /* of the block (block.bpf.h): bytes to read next time */
	u64 block_base; /* user address of block[0] */
	u64 block_len;	/* valid bytes of the block */
	u32 fresh_n, spare_n;
	struct process_entry process; /* copy of the table's entry */
	struct direct_pages direct;
	/* Areas to which the publication does not apply. */
	struct fresh_area fresh[FRESH_AREAS];
	u64 unmapped_time; /* time and entry of the last NOTICE_UNMAPPED */
	u32 unmapped_serial;
	u32 placed;  /* words written when the walk was cut */
	u64 cut_cfa; /* cfa when the walk was cut */
	u64 deferred_pages[DEFERRED_MASKS]; /* bit per stack page copied */
	u32 deferred_end;     /* words up to the end of the copy */
	u32 deferred_missing; /* unreadable pages in a row */
	/* Of a task that is not the current one: its address in the kernel, where its
	 * thread-local variables are, and how often it had left a CPU when its walk began. */
	u64 task, thread, switches;
	u64 state[WALKER_COUNT][WALK_STATE_WORDS];
	/* Keeps the cache at a multiple of 64 bytes for any number of walkers. */
	u64 spare_line[8 - (WALKER_COUNT + 2) % 8];
	u32 text_bytes;
	u32 text_unsent; /* set when a text could not be sent: its id must not be
			  * cached */
	struct text text; /* the text being interned */
	struct sample sample;
	u64 word[WALK_ROOM]; /* beyond WALK_WORDS, so that walk_frame() needs
			      * one check */
	/* From address to rule: answers nearly every look-up. */
	struct pc_entry cache[PC_CACHE_SLOTS];
	/* Starting points of the search for an address that is not in the cache. */
	struct place place[PLACE_SLOTS];
	u64 text_sent[TEXT_CACHE_SLOTS]; /* ids of texts sent lately */
	u64 block[WALK_BLOCK_WORDS];
};

_Static_assert(__builtin_offsetof(struct walk, cache) % 64 == 0 &&
		       sizeof(struct walk) % 64 == 0,
	       "each entry of the cache has the same place within cache lines");

#include "bpf/maps.bpf.h"

/* Defines two functions of a walker.  NAME_state(w) is its state in the walk, a struct NAME_walk,
 * which is zero before the first walk in this slot.  NAME_current(w) is the same, or NULL if w
 * is NULL: in a global function the verifier wants that checked.  The barrier keeps the compiler
 * from computing the address before the check, which Linux 6.1 refuses. */
#define WALK_STATE(id, name)                                       \
	static __always_inline struct name##_walk *name##_state(   \
		struct walk *w)                                    \
	{                                                          \
		_Static_assert(sizeof(struct name##_walk) <=       \
				       sizeof(w->state[id]),       \
			       "WALK_STATE_WORDS is too small");   \
		return (struct name##_walk *)w->state[id];         \
	}                                                          \
	static __always_inline struct name##_walk *name##_current( \
		struct walk *w)                                    \
	{                                                          \
		if (!w) {                                          \
			barrier();                                 \
			return NULL;                               \
		}                                                  \
		return name##_state(w);                            \
	}

static __always_inline struct pc_entry *walk_entry(struct walk *w, u32 slot)
{
	struct pc_entry *e;

	/* Linux 6.1 does not know the bound of a number that `|` has made of two. */
	barrier_var(slot);
	e = &w->cache[slot & (PC_CACHE_SLOTS - 1)];
	/* Otherwise the compiler computes the address anew for each member. */
	barrier_var(e);
	return e;
}

/* The counters of a slot.  Entry 0 is shared: programs without a slot add
 * atomically. */
static __always_inline struct counters *walk_stats(const struct walk *w)
{
	u32 entry = w->index + 1;

	return bpf_map_lookup_elem(&stats, &entry);
}

static __always_inline void walk_count(struct walk *w, u32 status)
{
	struct counters *s = walk_stats(w);
	u64 at = status;

	/* Linux 6.1 forgets a bound that was checked in the lower half of a register. */
	barrier_var(at);
	if (s && at < WALK_STATUS_COUNT && w->words >= w->counted)
		s->status[at]++;
}

/* The status for a record that could not be written: ring full, or busy.  An NMI does
 * not wait for another CPU that writes to the ring. */
static __always_inline u32 walk_ring_lost(void)
{
	u64 unread = bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA);

	return unread < bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE) / 2
		       ? LOST_RING_BUSY
		       : LOST_RING_FULL;
}

static __always_inline void walk_end(struct walk *w, u32 status)
{
	w->mode = MODE_DONE;
	w->status = status;
}

/* Appends one word.  When the record is full the walk ends with CUT_DEPTH, and the
 * result is false. */
static __always_inline bool walk_push(struct walk *w, u64 word)
{
	u32 n = w->words;

	if (seldom(n >= WALK_WORDS - WALK_RESERVE)) {
		walk_end(w, CUT_DEPTH);
		return false;
	}
	/* Linux 6.1 loses the bound of an index that is scaled before it is checked. */
	barrier_var(n);
	w->word[n & (WALK_WORDS - 1)] = word;
	w->words = n + 1;
	return true;
}

/* Whether there is room for a walker's whole frame; if not, the walk ends. */
static __always_inline bool walk_room(struct walk *w, u32 words)
{
	if (seldom(w->words + words >= WALK_WORDS - WALK_RESERVE)) {
		walk_end(w, CUT_DEPTH);
		return false;
	}
	return true;
}

#define WALK_PAYLOAD 4u

/* Appends the words of a walker's frame. */
static __always_inline void walk_push_frame(struct walk *w, u64 header,
					    const u64 payload[WALK_PAYLOAD])
{
	u32 n = w->words, words = 1 + frame_extra(header);
	u64 *word = &w->word[n & (WALK_WORDS - 1)];

	if (!walk_room(w, words))
		return;
	word[0] = header;
	for (u32 i = 1; i < words; i++)
		word[i] = payload[i - 1];
	w->words = n + words;
}

/* Appends frame_walker(id, ..., sub, value) and the words of its payload, at most
 * WALK_PAYLOAD. */
#define walk_frame(w, id, sub, value, ...)                                     \
	walk_push_frame(                                                       \
		w,                                                             \
		frame_walker(id, sizeof((u64[]){ __VA_ARGS__ }) / sizeof(u64), \
			     sub, value),                                      \
		(const u64[WALK_PAYLOAD]){ __VA_ARGS__ })

/* Frames may be missing here: a status frame says so in the stack. */
COLD int walk_missing(struct walk *w, u32 why);

static __always_inline void walk_native(struct walk *w)
{
	w->mode = MODE_NATIVE;
}

/* Whether an option of a walker is set. */
#define walk_wants(option) (config.walker_options >> option##_OPTION & 1)

/* Whether the walker waits for addresses.  A constant for the compiler, which drops the
 * code for all others. */
static __always_inline bool walk_waits(u32 id)
{
	return WALKERS_THAT_WAIT >> id & 1;
}

/* Starts with no walker waiting. */
static __always_inline void walk_wake_begin(struct walk *w)
{
	w->wake = WAKE_NEVER;
	for (u32 i = 0; i < WALKER_COUNT; i++)
		w->wakes[i] = WAKE_NEVER;
}

/* Gives the walker the mode at the native frame that the address belongs to. */
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

/* One bit per walker that waits for an address. */
static __always_inline u32 walk_waiting(const struct walk *w)
{
	u32 waiting = 0;

	for (u32 i = 0; i < WALKER_COUNT; i++)
		if (walk_waits(i) && w->wakes[i] != WAKE_NEVER)
			waiting |= 1u << i;
	return waiting;
}

/* Passes the mode on: to the walker with the lowest address within the current frame,
 * or to the unwinder. */
static __always_inline void walk_next(struct walk *w)
{
	if (w->mode != MODE_DONE)
		w->mode = w->wake < w->cfa ? w->wake_mode : MODE_NATIVE;
}

/* Reads at most DIRECT_PAGE bytes of user memory.  out is in a map or on the BPF stack. */
static __always_inline int walk_read(struct walk *w, void *out, u32 size,
				     u64 address)
{
	return direct_copy(&w->direct, out, size, address);
}

/* Reads n words of user memory, directly if possible.  n is a constant up to
 * DIRECT_WORDS.  out is in a map or on the BPF stack. */
static __always_inline int walk_words(struct walk *w, u64 *out, u32 n,
				      u64 address)
{
	u64 kernel = direct_at(&w->direct, address, n * 8);

	if (seldom(!kernel))
		return walk_read(w, out, n * 8, address);
	direct_words(out, n, kernel);
	return 0;
}

/* Reads one word of user memory where time does not matter. */
static __always_inline int walk_word(struct walk *w, u64 *out, u64 address)
{
	/* Up to Linux 6.2 memory passed to a global function must be initialised. */
	*out = 0;
	return direct_read(&w->direct, out, address);
}

/* text.bpf.c: id of the text at a user address; 0: it cannot be read. */
u64 text_at(struct walk *w, u64 address);
/* text.bpf.c: id of the text in the first `words` words of w->text.text, at most TEXT_WORDS;
 * 0: it does not end there. */
u64 text_words(struct walk *w, u32 words);
/* text.bpf.c: id of the text w->text.text[0 .. w->text_bytes). */
u64 text_intern(struct walk *w);
/* defer.bpf.c: send a sample that cannot be walked (further) yet.  Returns 0, or the
 * status under which it is lost. */
COLD int defer(struct walk *w);
/* native.bpf.c: answer a miss of the first entry of a set of the cache, which is at slot.
 * Returns NATIVE_SECOND if the address's is the second entry, NATIVE_UNMAPPED if
 * nothing is mapped there; else fills the first, and returns 0 or a status. */
#define NATIVE_SECOND	(-1)
#define NATIVE_UNMAPPED (-2)
int native_fill(struct walk *w, u64 address, u32 slot);
/* native.bpf.c: one step, as native_step(), for a frame with any rule.  address is the
 * frame's, w->slot its set of the cache. */
int native_take(struct walk *w, u64 address);
/* native.bpf.c: tell user space of an address without a mapping, at most once in 20 ms per
 * walk slot. */
COLD int native_unmapped(struct walk *w, u64 address);
/* uprobe.bpf.c: if w->pc is in the page of the kernel's uprobes, puts the address there for
 * which it stands.  1: it has. */
COLD int uprobe_step(struct walk *w);
/* native.bpf.c: read the callee-saved registers that are known into w->reg. */
int native_registers(struct walk *w);
/* native.bpf.c: native frame word of an address; 0: it is in no known file. */
u64 native_word(struct walk *w, u64 address);

/* The functions that a walker provides, NAME = tcl, r, ...  All return 0; fork returns
 * -1 if there is no room for what the walker knows of the child.  By its traits a walker
 * has no end, or neither fork nor exit. */
#define WALKER(id, name, title, traits)                                   \
	int name##_begin(struct walk *w); /* at the start of a sample */  \
	int name##_step(struct walk *w);  /* while it holds the mode */   \
	int name##_end(struct walk *w);	  /* the native walk has ended */ \
	int name##_fork(u32 parent, u32 child);                           \
	int name##_exit(u32 pid);
#include "walkers/walkers.def"

#endif
