/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * ModRM with a SIB byte of 0x24 is memory at rsp: without an offset, with one of a
 * byte or of four (Intel SDM, volume 2, 2.1.5).
 */
#include "arch/x86_64/bytes.h"

#include <ctype.h>
#include <string.h>

#include "arch/registers.h"
#include "user/elf/module.h"

#define LONGEST 8 /* bytes of an instruction with an offset from rsp */

void bytes_read(struct bytes *b, const struct module *m, u64 vaddr, u64 len)
{
	b->vaddr = vaddr;
	b->len = len < BYTES_MAX ? len : BYTES_MAX;
	if (module_read(m, vaddr, b->byte, b->len))
		b->len = 0;
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
}

u64 bytes_match(const struct bytes *b, u64 at, const char *pattern)
{
	u64 from = at;

	for (; *pattern; pattern += 2) {
		if (*pattern == ' ')
			pattern++;
		if (at >= b->len)
			return 0;
		if (*pattern != '.' &&
		    b->byte[at] != digit(pattern[0]) * 16 + digit(pattern[1]))
			return 0;
		at++;
	}
	return at - from;
}

u64 bytes_find(const struct bytes *b, u64 at, const char *pattern)
{
	while (at < b->len && !bytes_match(b, at, pattern))
		at++;
	return at < b->len ? at : b->len;
}

s32 bytes_value(const struct bytes *b, u64 at)
{
	s32 value = 0;

	if (at <= b->len && b->len - at >= sizeof(value))
		memcpy(&value, b->byte + at, sizeof(value));
	return value;
}

/* As instructions number them. */
static u32 number_of(u32 dwarf_reg)
{
	static const u8 low[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	return dwarf_reg < sizeof(low) ? low[dwarf_reg] : dwarf_reg;
}

u32 bytes_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		s32 *offset)
{
	u32 reg = number_of(dwarf_reg);
	const u8 *byte;

	*offset = 0;
	if (at > b->len || b->len - at < LONGEST)
		return 0;
	byte = b->byte + at;
	if (byte[0] != (reg < 8 ? 0x48 : 0x4c) || byte[1] != opcode ||
	    (byte[2] & 0x3f) != ((reg & 7) << 3 | 4) || byte[3] != 0x24)
		return 0;
	switch (byte[2] >> 6) {
	case 0:
		return 4;
	case 1:
		*offset = (s8)byte[4];
		return 5;
	case 2:
		*offset = bytes_value(b, at + 4);
		return 8;
	}
	return 0;
}

u64 bytes_find_stack(const struct bytes *b, u64 at, u8 opcode, u32 dwarf_reg,
		     u32 *len, s32 *offset)
{
	*len = 0;
	*offset = 0;
	for (; at < b->len; at++) {
		*len = bytes_stack(b, at, opcode, dwarf_reg, offset);
		if (*len)
			return at;
	}
	return b->len;
}
