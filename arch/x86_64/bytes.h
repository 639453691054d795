/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A piece of machine code, and patterns of instructions in it: bytes in hexadecimal, ".."
 * for any byte, blanks where they help the reader.
 */
#ifndef JPBPF_ARCH_X86_64_BYTES_H
#define JPBPF_ARCH_X86_64_BYTES_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct module;

#define BYTES_MAX     1024
#define BYTES_ENDBR64 "f30f1efa"

struct bytes {
	u64 vaddr, len;
	u8 byte[BYTES_MAX];
};

/* As many as there is room for, of so many; none where they cannot be read. */
void bytes_read(struct bytes *b, const struct module *m, u64 vaddr, u64 len);
/* The length of what stands at an offset if it is as the pattern says, else 0. */
u64 bytes_match(const struct bytes *b, u64 at, const char *pattern);
/* Where from an offset on it stands, or b->len. */
u64 bytes_find(const struct bytes *b, u64 at, const char *pattern);
/* The four bytes at an offset as a number; 0: they are not there. */
s32 bytes_value(const struct bytes *b, u64 at);

/* Opcodes; reg, OFFSET(%rsp) or the other way around. */
enum {
	BYTES_SUB = 0x2b,
	BYTES_STORE = 0x89,
	BYTES_LOAD = 0x8b,
	BYTES_LEA = 0x8d,
};

/* Such an instruction of this register at an offset.  Its length, 0: it is none.
 * *offset is written always. */
u32 bytes_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		s32 *offset);
/* Where from an offset on one stands, with its length; or b->len and 0. */
u64 bytes_find_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		     u32 *len, s32 *offset);

#endif
