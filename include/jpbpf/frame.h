/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * How one frame is written in a sample.
 *
 * A stack is a sequence of 64-bit words, leaf first.  A frame is one header word and as
 * many payload words as the header says:
 *
 *   native               kind:6 | file:18 | address:40
 *   unmapped, status     kind:6 | value:58
 *   interpreter          kind:6 | extra:4 | sub:6 | value:48
 *   kernel               the address; its top bits are the kind
 *
 * A native frame names a file (by the id that user space gave it) and a virtual address
 * inside that file, so the frame stays valid after the mapping or the process has gone.
 * For a frame that waits for a call to return, the address is the return address minus
 * one: it lies inside the calling instruction.
 *
 * The payload of an interpreter frame is text ids (see sample.h) and native words:
 * nothing in a frame has to be looked up in the target later.
 */
#ifndef JPBPF_FRAME_H
#define JPBPF_FRAME_H

#include <jpbpf/types.h>

enum frame_kind {
	FRAME_NONE = 0,
	FRAME_NATIVE = 1,   /* file id, virtual address in the file */
	FRAME_UNMAPPED = 2, /* user address in no known file */
	/* In a RECORD_DEFERRED: an address on the stack.  The interpreter frames
	 * behind it belong to the native frame that contains this address. */
	FRAME_KEY = 3,
	FRAME_STATUS = 4, /* enum walk_status: why the walk ended here */
	/* FRAME_WALKER + walker id: the walker's frame, see walkers/NAME/NAME.h. */
	FRAME_WALKER = 8,
	/* An error: texts of its class and its message, each 0 if there is none.  sub: the
	 * walker id + 1; 0: of C++, and the class is mangled. */
	FRAME_CONDITION = 62,
	/* A kernel address unchanged: the top bits of every kernel address are ones. */
	FRAME_KERNEL = 63,
};

#define FRAME_FILE_BITS	   18
#define FRAME_ADDR_BITS	   40
#define FRAME_MAX_FILES	   (1u << FRAME_FILE_BITS)
#define FRAME_ADDR_MASK	   ((1ull << FRAME_ADDR_BITS) - 1)
#define FRAME_VALUE58_MASK ((1ull << 58) - 1)
#define FRAME_VALUE48_MASK ((1ull << 48) - 1)

static inline u64 frame_native(u32 file, u64 addr)
{
	return (u64)FRAME_NATIVE << 58 | (u64)file << FRAME_ADDR_BITS |
	       (addr & FRAME_ADDR_MASK);
}

static inline u64 frame_value58(enum frame_kind kind, u64 value)
{
	return (u64)kind << 58 | (value & FRAME_VALUE58_MASK);
}

static inline u64 frame_walker(u32 walker, u32 extra, u32 sub, u64 value)
{
	return (u64)(FRAME_WALKER + walker) << 58 | (u64)(extra & 15) << 54 |
	       (u64)(sub & 63) << 48 | (value & FRAME_VALUE48_MASK);
}

static inline u32 frame_kind(u64 word)
{
	return word >> 58;
}

static inline u32 frame_file(u64 word)
{
	return (word >> FRAME_ADDR_BITS) & (FRAME_MAX_FILES - 1);
}

static inline u64 frame_addr(u64 word)
{
	return word & FRAME_ADDR_MASK;
}

/* The address in a FRAME_KERNEL or FRAME_UNMAPPED word: 58 bits, sign-extended. */
static inline u64 frame_value(u64 word)
{
	return (u64)((s64)(word << 6) >> 6);
}

/* Number of payload words that follow this header word. */
static inline u32 frame_extra(u64 word)
{
	u32 kind = frame_kind(word);

	return kind >= FRAME_WALKER && kind != FRAME_KERNEL ? (word >> 54) & 15
							    : 0;
}

static inline u32 frame_sub(u64 word)
{
	return (word >> 48) & 63;
}

#endif
