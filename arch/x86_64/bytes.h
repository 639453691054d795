/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A piece of machine code, and patterns of instructions in it: bytes in hexadecimal,
 * ".." for any byte, blanks where they help the reader.
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

/* Reads len bytes at vaddr, or as many as there is room for; none if unreadable. */
void bytes_read(struct bytes *b, const struct module *m, u64 vaddr, u64 len);
/* Length of the bytes at an offset if they match the pattern, else 0. */
u64 bytes_match(const struct bytes *b, u64 at, const char *pattern);
/* Offset of the first match from an offset on, or b->len. */
u64 bytes_find(const struct bytes *b, u64 at, const char *pattern);
/* The four bytes at an offset as a number; 0: not that many bytes. */
s32 bytes_value(const struct bytes *b, u64 at);

/* Opcodes; reg, OFFSET(%rsp) or the other way around. */
enum {
	BYTES_SUB = 0x2b,
	BYTES_STORE = 0x89,
	BYTES_LOAD = 0x8b,
	BYTES_LEA = 0x8d,
};

/* Length of the instruction at an offset if it has this opcode, this register and
 * memory at rsp, else 0.  *offset, from rsp, is always written. */
u32 bytes_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		s32 *offset);
/* Offset of the first such instruction from an offset on, and its length; or b->len
 * and 0. */
u64 bytes_find_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		     u32 *len, s32 *offset);

#endif
