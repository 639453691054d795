/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Unwind tables as both sides see them.
 *
 * Everything of variable length lives in the arena: an array of segments (BPF array
 * maps that user space maps into memory), cut into 64-byte chunks that are numbered
 * through.
 * Three things are stored there:
 *
 *   rows      per file, sorted: "from this address on, rule R applies"
 *   rules     per file: how to find the caller's registers
 *   mappings  per process, sorted by start
 *
 * A row has 16 bits of address relative to its chunk's base, so a file costs about 4.3
 * bytes a row.  A stretch of addresses without unwind information has a row too, whose
 * rule is of kind UNWIND_NONE.
 */
#ifndef JPBPF_UNWIND_H
#define JPBPF_UNWIND_H

#include <jpbpf/types.h>

#include "arch/registers.h"

#define ARENA_CHUNK 64u
/* log2 of the chunks in a segment: 16,384 chunks, 1 MiB. */
#define ARENA_SEGMENT_SHIFT  14
#define ARENA_SEGMENT_CHUNKS (1u << ARENA_SEGMENT_SHIFT)
#define ARENA_MAX_SEGMENTS   1024u /* 1 GiB in all, allocated as needed */

struct arena_chunk {
	u8 bytes[ARENA_CHUNK];
};

#define UNWIND_CHUNK_ROWS 15

struct unwind_row {
	u16 delta; /* address - chunk base */
	u16 rule;  /* index into the file's rules */
};

/* The last used row of a chunk is repeated to its end. */
struct unwind_chunk {
	u32 base; /* address of the first row, in the file's address space */
	struct unwind_row row[UNWIND_CHUNK_ROWS];
};

enum unwind_kind {
	UNWIND_NONE = 0, /* no unwind information for this address */
	UNWIND_CFA,	 /* CFA = reg + cfa_off */
	UNWIND_DEREF,	 /* CFA = *(reg + cfa_off) + deref_off */
	/* A linker's stub, which pushes a word at byte cfa_off (arch_plt_depth()). */
	UNWIND_PLT,
	/* All registers are in the sigcontext at reg + cfa_off. */
	UNWIND_SIGNAL,
	/* Outermost frame, proven: the return address is undefined. */
	UNWIND_ROOT,
	/* A rule that cannot be expressed here (counted). */
	UNWIND_UNSUPPORTED,
	/* Behind the clone system call: as UNWIND_ROOT in the child, where the call's
	 * result is 0, else as UNWIND_CFA. */
	UNWIND_CLONE,
	/* CFA = *(*(reg + cfa_off) + 8) - *(reg + deref_off) + 8: the end of another
	 * stack minus the depth on it at which the callee's frame begins. */
	UNWIND_DEPTH,
	/* CFA = 8 + *(OWNER + near[1]), OWNER = *(T + deref_off), T = *(*(thread-local
	 * + cfa_off) + near[0]): the place on the stack that the thread has left, from
	 * the thread's own data. */
	UNWIND_THREAD,
	/* On another stack than the caller, and nothing tells where the caller's is. */
	UNWIND_SWITCH,
};

/* 0 is a valid slot: functions that realign the stack keep the caller's frame pointer
 * in the word that their own frame pointer points to. */
#define UNWIND_SLOT_LOST (-32768) /* rule cannot be expressed */
#define UNWIND_SLOT_SAME (-32767) /* the register is unchanged in this frame */

enum unwind_flag {
	/* Slots count from the frame pointer, not the CFA (functions that realign the
	 * stack). */
	UNWIND_SLOTS_FROM_FRAME = 1 << 0,
	/* The return address counts from the frame pointer, not the CFA. */
	UNWIND_RA_FROM_FRAME = 1 << 1,
	/* ra is the DWARF number of the register that holds the return address. */
	UNWIND_RA_IN_REG = 1 << 2,
	/* The end of longjmp(): the CFA is the stack pointer after the jump.  Slots
	 * count from the register of number deref_off; the frame pointer is in the
	 * register whose number is its slot. */
	UNWIND_JUMP = 1 << 3,
	/* The return address is an instruction at which the caller was interrupted. */
	UNWIND_INTERRUPTED = 1 << 4,
};

/* What form a rule has. */
struct unwind_head {
	u8 kind;    /* enum unwind_kind */
	u8 cfa_reg; /* register that the CFA counts from */
	/* UNWIND_MARK of the walker that asks for this frame, or 0. */
	u8 mark;
	u8 flags; /* enum unwind_flag */
};

/* How to find the caller of a frame.  Registers are DWARF numbers.  All sixteen
 * occur as cfa_reg; those that calls destroy only in short stretches at a function's
 * start. */
struct unwind_rule {
	union {
		struct unwind_head head;
		struct {
			u8 kind, cfa_reg, mark, flags; /* of the head */
		};
		u32 word; /* the head */
	};
	s32 cfa_off;
	s32 deref_off;
	s16 ra;		      /* return address at CFA + 8 * ra */
	s16 slot[SAVED_REGS]; /* saved at CFA + 8 * slot, or UNWIND_SLOT_* */
	u8 near[2];	      /* only for UNWIND_THREAD */
	u8 spare[4];
};

_Static_assert(sizeof(struct unwind_chunk) == ARENA_CHUNK, "chunk size");
_Static_assert(sizeof(struct unwind_rule) == 32, "two rules in a chunk");

/*
 * A walker may mark address ranges of a file, such as the evaluator's entry.  The rows
 * of such a range have rules with the mark.  The walker chooses index.
 */
#define UNWIND_MARK(walker, index) (((walker) + 1) << 4 | (index))
#define UNWIND_MARK_WALKER(mark)   (((mark) >> 4) - 1)
#define UNWIND_MARK_INDEX(mark)	   ((mark)&15)
/* An index that is used for source lines only. */
#define UNWIND_MARK_LINES 15

/*
 * Where a file's tables are.  A table can be dropped while a walk reads it: chunks
 * becomes 0, the other members stay, and the chunks that they refer to are not reused
 * before the walk has ended.  Readers therefore read chunks once, and first.
 */
struct unwind_file {
	u32 first;	 /* first chunk of rows */
	u32 chunks;	 /* number of chunks of rows; 0: there is no table */
	u32 rules_first; /* first chunk of rules, two in a chunk */
	/* Number of rules.  If chunks is 0: why there is no table (enum walk_status),
	 * or 0 if it is not built yet or was dropped. */
	u32 rules;
};

/* One executable mapping of a process.  Two fit in an arena chunk. */
struct unwind_mapping {
	u64 start, end; /* user addresses, [start, end) */
	u64 bias;	/* user address minus address in the file */
	/* Id of the file: index into the map of struct unwind_file. */
	u32 file;
	u32 spare;
};

_Static_assert(sizeof(struct unwind_mapping) == 32, "two mappings in a chunk");

#endif
