/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * ModRM with a SIB byte of 0x24 is memory at rsp: without an offset, with one of a
 * byte or of four (Intel SDM, volume 2, 2.1.5).
 */
#include "user/unwind/go_code.h"

#include <string.h>

#define LONGEST 8 /* bytes of such an instruction */

enum { REX_W = 0x48 };

bool go_code_has(const struct go_code *c, u64 at, const void *bytes, u64 len)
{
	return at <= c->len && len <= c->len - at &&
	       !memcmp(c->byte + at, bytes, len);
}

u64 go_code_find(const struct go_code *c, u64 at, const void *bytes, u64 len)
{
	for (; at < c->len; at++)
		if (go_code_has(c, at, bytes, len))
			return at;
	return c->len;
}

u32 go_code_rsp(const struct go_code *c, u64 at, u8 rex, u8 opcode, u32 reg,
		s32 *offset)
{
	const u8 *byte;

	*offset = 0;
	if (at > c->len || c->len - at < LONGEST)
		return 0;
	byte = c->byte + at;
	if (byte[0] != rex || byte[1] != opcode ||
	    (byte[2] & 0x3f) != ((reg & 7) << 3 | 4) || byte[3] != 0x24)
		return 0;
	switch (byte[2] >> 6) {
	case 0:
		return 4;
	case 1:
		*offset = (s8)byte[4];
		return 5;
	case 2:
		memcpy(offset, byte + 4, sizeof(*offset));
		return 8;
	}
	return 0;
}

u64 go_code_find_rsp(const struct go_code *c, u64 at, u8 opcode, u32 reg,
		     u32 *bytes, s32 *offset)
{
	*bytes = 0;
	for (; at < c->len; at++) {
		*bytes = go_code_rsp(c, at, REX_W, opcode, reg, offset);
		if (*bytes)
			return at;
	}
	*offset = 0;
	return c->len;
}
