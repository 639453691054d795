/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Unwind tables as both sides see them.
 *
 * Everything of variable length lives in the arena: an array of segments
 * (BPF array maps that user space maps into memory), cut into 64-byte chunks
 * and addressed by one chunk number.  Three things are stored there:
 *
 *   rows      per file, sorted: "from this address on, rule R applies"
 *   rules     per file: how to find the caller's registers
 *   mappings  per process, sorted by start
 *
 * Rows say 16 bits of address relative to their chunk's base, so a file costs
 * about 4.3 bytes a row.  An address without unwind information is a row as
 * well: its rule is of kind UNWIND_NONE.
 */
#ifndef JPBPF_UNWIND_H
#define JPBPF_UNWIND_H

#include <jpbpf/types.h>

#include "arch/registers.h"

#define ARENA_CHUNK	     64u
#define ARENA_SEGMENT_SHIFT  14 /* chunks in a segment: 16,384 = 1 MiB */
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

/* Unused rows at the end of a chunk repeat the last used row. */
struct unwind_chunk {
	u32 base; /* address of the first row, in the file's address space */
	struct unwind_row row[UNWIND_CHUNK_ROWS];
};

enum unwind_kind {
	UNWIND_NONE = 0, /* no unwind information for this address */
	UNWIND_CFA,	 /* CFA = reg + cfa_off */
	UNWIND_DEREF,	 /* CFA = *(reg + cfa_off) + deref_off */
	UNWIND_PLT,	 /* a linker's stub, which pushes a word at cfa_off
			  * (arch_plt_cfa()) */
	UNWIND_SIGNAL,	 /* all registers from the struct sigcontext at reg +
			  * cfa_off */
	UNWIND_ROOT,	 /* return address undefined: outermost frame, proven */
	UNWIND_UNSUPPORTED, /* a rule that does not fit here (counted) */
	UNWIND_CLONE, /* behind the system call: the child when the result is 0, and then
		       * as UNWIND_ROOT, else as UNWIND_CFA */
	UNWIND_DEPTH, /* CFA = *(*(reg + cfa_off) + 8) - *(reg + deref_off) + 8: the
		       * end of another stack, and how far below it the callee
		       * of a frame there begins */
	UNWIND_THREAD, /* CFA = 8 + *(OWNER + near[1]), OWNER = *(T + deref_off), T =
			* *(*(thread-local + cfa_off) + near[0]): what the thread's own
			* data say of the stack that it has left */
	UNWIND_SWITCH, /* on another stack than its caller, and nothing tells where
			* that one is */
};

/* Slot 0 is a real place: functions that realign the stack keep the caller's
 * frame pointer in the word that their own points to. */
#define UNWIND_SLOT_LOST (-32768) /* its rule cannot be expressed here */
#define UNWIND_SLOT_SAME (-32767) /* the register is unchanged in this frame */

enum unwind_flag {
	UNWIND_SLOTS_FROM_FRAME =
		1 << 0, /* slots count from the frame pointer, not the CFA
					 * (functions that realign the stack) */
	UNWIND_RA_FROM_FRAME = 1 << 1, /* as above for the return address */
	UNWIND_RA_IN_REG = 1 << 2,     /* ra is the DWARF number of a register
					 * that holds the return address */
	UNWIND_JUMP =
		1 << 3, /* the end of longjmp(): the CFA is where the stack
			       * will be, slots count from the register whose number
			       * is deref_off, but the frame pointer is in the register whose
			       * number is its slot */
	UNWIND_INTERRUPTED =
		1 << 4, /* the return address is that of an instruction
				      * where the caller was made to stop */
};

/* Registers by their DWARF numbers.  All sixteen occur as cfa_reg, the ones that calls
 * destroy only in short stretches at the start of a function. */
struct unwind_rule {
	u8 kind;    /* enum unwind_kind */
	u8 cfa_reg; /* DWARF number of the register the CFA counts from */
	u8 mark; /* 0, or the walker that wants to see this frame: UNWIND_MARK */
	u8 flags; /* enum unwind_flag */
	s32 cfa_off;
	s32 deref_off;
	s16 ra;		      /* return address at CFA + 8 * ra */
	s16 slot[SAVED_REGS]; /* saved at CFA + 8 * slot, or UNWIND_SLOT_* */
	u8 near[2];	      /* of UNWIND_THREAD */
	u8 spare[4];
};

_Static_assert(sizeof(struct unwind_chunk) == ARENA_CHUNK, "chunk size");
_Static_assert(sizeof(struct unwind_rule) == 32, "two rules in a chunk");

/*
 * A walker may mark address ranges of a file (the evaluator's entry, say); the
 * rows in that range then carry rules with the mark.  index is the walker's.
 */
#define UNWIND_MARK(walker, index) (((walker) + 1) << 4 | (index))
#define UNWIND_MARK_WALKER(mark)   (((mark) >> 4) - 1)
#define UNWIND_MARK_INDEX(mark)	   ((mark)&15)
#define UNWIND_MARK_LINES	   15 /* this index is of use for lines only */

/*
 * Where a file's tables are.  A table can go while a walk reads it: then chunks becomes
 * 0, and the rest stays what it was; what it refers to is not used for anything else
 * before the walk has ended.  So chunks is to be read once, and first.
 */
struct unwind_file {
	u32 first;	 /* first chunk of rows */
	u32 chunks;	 /* number of chunks of rows; 0: there is no table */
	u32 rules_first; /* first chunk of rules, two in a chunk */
	u32 rules; /* their number; without chunks: why there is no table (enum
			  * walk_status), 0: it is not there yet, or any more */
};

/* One executable mapping of a process; two in an arena chunk. */
struct unwind_mapping {
	u64 start, end; /* user addresses, [start, end) */
	u64 bias;	/* user address - address in the file */
	u32 file;	/* id of the file; index into the map of unwind_file */
	u32 spare;
};

_Static_assert(sizeof(struct unwind_mapping) == 32, "two mappings in a chunk");

#endif
