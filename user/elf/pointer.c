/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decodes the pointers of .eh_frame and .eh_frame_hdr.
 *
 * The low four bits of the encoding give length and sign; the next three give the
 * base (LSB Core 10.5.1). Indirect pointers, and pointers relative to a function or
 * to .text, never name code in an x86-64 file and are refused.
 */
#include "user/elf/pointer.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

int pointer_take_bytes(struct pointer_cursor *c, void *out, size_t len)
{
	if (len > (size_t)(c->end - c->at))
		return -EBADMSG;
	if (out)
		memcpy(out, c->at, len);
	c->at += len;
	c->vaddr += len;
	return 0;
}

static int take_leb(struct pointer_cursor *c, bool is_signed, u64 *out)
{
	unsigned int shift = 0;
	u8 byte;

	*out = 0;
	do {
		if (shift > 63 || pointer_take_bytes(c, &byte, 1))
			return -EBADMSG;
		*out |= (u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		*out |= ~0ull << shift;
	return 0;
}

int pointer_take_value(struct pointer_cursor *c, int encoding, u64 *out)
{
	static const u8 bytes[8] = {
		[DW_EH_PE_absptr] = 8,
		[DW_EH_PE_udata2] = 2,
		[DW_EH_PE_udata4] = 4,
		[DW_EH_PE_udata8] = 8,
	};
	bool is_signed = encoding & DW_EH_PE_signed;
	u32 size = bytes[encoding & 7], shift = 64 - 8 * size;

	if ((encoding & 7) == DW_EH_PE_uleb128)
		return take_leb(c, is_signed, out);
	*out = 0;
	if (!size || pointer_take_bytes(c, out, size))
		return -EBADMSG;
	if (is_signed)
		*out = (u64)((s64)(*out << shift) >> shift);
	return 0;
}

int pointer_take(struct pointer_cursor *c, int encoding, u64 data, u64 *out)
{
	u64 here = c->vaddr;
	int base = encoding & 0xf0;

	if (pointer_take_value(c, encoding, out))
		return -EBADMSG;
	if (base == DW_EH_PE_pcrel)
		*out += here;
	else if (base == DW_EH_PE_datarel)
		*out += data;
	else if (base != DW_EH_PE_absptr)
		return -EBADMSG;
	return 0;
}
