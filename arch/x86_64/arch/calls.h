/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tests on the bytes of code around a return address: whether a call stands before it,
 * the call's target, and whether the code is a linker's stub.
 */
#ifndef JPBPF_ARCH_CALLS_H
#define JPBPF_ARCH_CALLS_H

#ifndef __bpf__
#include <stdbool.h>
#endif

#include <jpbpf/types.h>

/* Whether the 8 bytes of code are `jmp *GOT(%rip)`, with or without endbr64 and bnd. */
static inline bool arch_is_stub(u64 code)
{
	if ((u32)code == 0xfa1e0ff3) /* endbr64 */
		code >>= 32;
	if ((code & 0xff) == 0xf2) /* bnd */
		code >>= 8;
	return (code & 0xffff) == 0x25ff;
}

/* Whether the word ends with `call *REG` or `call *MEMORY` of so many bytes. */
static inline bool arch_is_indirect(u64 code, u32 bytes)
{
	u64 call = code >> (64 - 8 * bytes);

	return (call & 0x38ff) == 0x10ff;
}

/* Whether the 8 bytes before a return address end with an indirect call. */
static inline bool arch_calls_any(u64 code)
{
	return arch_is_indirect(code, 2) || arch_is_indirect(code, 3) ||
	       arch_is_indirect(code, 4) || arch_is_indirect(code, 6) ||
	       arch_is_indirect(code, 7);
}

/* Whether the 8 bytes before the return address ra end with a direct call; its target
 * goes to *target. */
static inline bool arch_calls(u64 code, u64 ra, u64 *target)
{
	*target = ra + (s64)(s32)(code >> 32);
	return (code >> 24 & 0xff) == 0xe8;
}

#endif
