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
	s16 two = 0;
	s32 four = 0;
	int err;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return pointer_take_bytes(c, out, 8);
	case DW_EH_PE_udata4:
		err = pointer_take_bytes(c, &four, 4);
		*out = (u32)four;
		return err;
	case DW_EH_PE_sdata4:
		err = pointer_take_bytes(c, &four, 4);
		*out = (s64)four;
		return err;
	case DW_EH_PE_udata2:
		err = pointer_take_bytes(c, &two, 2);
		*out = (u16)two;
		return err;
	case DW_EH_PE_sdata2:
		err = pointer_take_bytes(c, &two, 2);
		*out = (s64)two;
		return err;
	case DW_EH_PE_uleb128:
		return take_leb(c, false, out);
	case DW_EH_PE_sleb128:
		return take_leb(c, true, out);
	default:
		return -EBADMSG;
	}
}

int pointer_take(struct pointer_cursor *c, int encoding, u64 data, u64 *out)
{
	u64 here = c->vaddr;
	int err = pointer_take_value(c, encoding, out);

	if (err)
		return err;
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		return 0;
	case DW_EH_PE_pcrel:
		*out += here;
		return 0;
	case DW_EH_PE_datarel:
		*out += data;
		return 0;
	default:
		return -EBADMSG;
	}
}
