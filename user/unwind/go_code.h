/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The few instructions by which functions of Go's runtime are told: bytes, and what
 * moves a register to or from the stack.
 */
#ifndef JPBPF_USER_UNWIND_GO_CODE_H
#define JPBPF_USER_UNWIND_GO_CODE_H

#include <stdbool.h>

#include <jpbpf/types.h>

#define GO_CODE_MAX 1024 /* bytes of a function that are looked at */

struct go_code {
	u8 byte[GO_CODE_MAX];
	u64 len;
};

/* Do these bytes stand at an offset? */
bool go_code_has(const struct go_code *c, u64 at, const void *bytes, u64 len);
/* Where from an offset on they stand, or c->len. */
u64 go_code_find(const struct go_code *c, u64 at, const void *bytes, u64 len);

#define GO_CODE_BYTES(...) ((const u8[]){ __VA_ARGS__ })
#define GO_CODE_HAS(c, at, ...)                        \
	go_code_has(c, at, GO_CODE_BYTES(__VA_ARGS__), \
		    sizeof(GO_CODE_BYTES(__VA_ARGS__)))
#define GO_CODE_FIND(c, at, ...)                        \
	go_code_find(c, at, GO_CODE_BYTES(__VA_ARGS__), \
		     sizeof(GO_CODE_BYTES(__VA_ARGS__)))

/* Opcodes; reg, OFFSET(%rsp) or the other way around. */
enum {
	GO_CODE_SUB = 0x2b,
	GO_CODE_STORE = 0x89,
	GO_CODE_LOAD = 0x8b,
	GO_CODE_LEA = 0x8d,
};

/* Such an instruction at an offset, with these two bytes first and this register (as
 * instructions number it).  Its length, 0: it is none.  *offset is written always. */
u32 go_code_rsp(const struct go_code *c, u64 at, u8 rex, u8 opcode, u32 reg,
		s32 *offset);
/* Where from an offset on one stands, with its length; or c->len and 0. */
u64 go_code_find_rsp(const struct go_code *c, u64 at, u8 opcode, u32 reg,
		     u32 *bytes, s32 *offset);

#endif
