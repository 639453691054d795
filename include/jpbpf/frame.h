/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * How one frame is written in a sample.
 *
 * A stack is a sequence of 64-bit words, leaf first.  A frame is one header
 * word and as many payload words as the header says:
 *
 *   native, kernel, status    kind:6 | file:18 | value:40
 *   interpreter               kind:6 | extra:4 | sub:6 | value:48
 *
 * A native frame names a file (the id that user space gave it) and a virtual
 * address inside that file, so it stays valid when the mapping or the process
 * has gone.  For a frame that is waiting for a call to return, the address is
 * the return address minus one: it lies inside the calling instruction.
 *
 * The payload of an interpreter frame is text ids (see sample.h) and native
 * words: nothing in a frame has to be looked up in the target later.
 */
#ifndef JPBPF_FRAME_H
#define JPBPF_FRAME_H

#include <jpbpf/types.h>

enum frame_kind {
	FRAME_NONE = 0,
	FRAME_NATIVE = 1,   /* file, virtual address in it */
	FRAME_UNMAPPED = 2, /* user address in no known file; value58 */
	FRAME_KEY =
		3, /* in a RECORD_DEFERRED: an address on the stack; the frames
			* that follow stand in the native frame that has it */
	FRAME_STATUS = 4, /* enum walk_status: why the walk ended here */
	FRAME_WALKER =
		8, /* FRAME_WALKER + walker id: see walkers/NAME/NAME.h */
	FRAME_KERNEL =
		63, /* a kernel address as it is: its top bits are ones */
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

/* Sign-extended value of a FRAME_KERNEL or FRAME_UNMAPPED word. */
static inline u64 frame_value(u64 word)
{
	return (u64)((s64)(word << 6) >> 6);
}

/* How many payload words follow this header word. */
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
