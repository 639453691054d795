/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Per file libdw keeps each entry that it was asked for, the first state of each CIE,
 * and each expression, taken apart (libdw/cfi.h, fde.c, frame-cache.c at
 * elfutils-0.188).  While it interprets a program it has one state, with as many
 * registers as the highest that is named, and one for each that is remembered.
 *
 * Only operands are looked at here, not what they mean.
 */
#include "user/unwind/cfi_bound.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "user/elf/cie.h"
#include "user/elf/pointer.h"
#include "user/unwind/cfi_source.h"

#define MAX_REGISTER   127 /* the psABI numbers fewer */
#define MAX_REMEMBERED 64

/* Bytes, at most. */
#define MAX_BYTES (256u << 20)
#define FDE_BYTES 128
#define CIE_BYTES 2048
#define OP_BYTES  128 /* for each byte of an expression */

/* Operands of each instruction: r the number of a register, u another number, b a
 * block, 1 2 4 8 so many bytes, a an address.  NULL: libdw refuses it. */
static const char *const operands[] = {
	[DW_CFA_nop] = "",
	[DW_CFA_set_loc] = "a",
	[DW_CFA_advance_loc1] = "1",
	[DW_CFA_advance_loc2] = "2",
	[DW_CFA_advance_loc4] = "4",
	[DW_CFA_MIPS_advance_loc8] = "8",
	[DW_CFA_offset_extended] = "ru",
	[DW_CFA_restore_extended] = "r",
	[DW_CFA_undefined] = "r",
	[DW_CFA_same_value] = "r",
	[DW_CFA_register] = "ru",
	[DW_CFA_remember_state] = "",
	[DW_CFA_restore_state] = "",
	[DW_CFA_def_cfa] = "uu",
	[DW_CFA_def_cfa_register] = "u",
	[DW_CFA_def_cfa_offset] = "u",
	[DW_CFA_def_cfa_expression] = "b",
	[DW_CFA_expression] = "rb",
	[DW_CFA_offset_extended_sf] = "ru",
	[DW_CFA_def_cfa_sf] = "uu",
	[DW_CFA_def_cfa_offset_sf] = "u",
	[DW_CFA_val_offset] = "ru",
	[DW_CFA_val_offset_sf] = "ru",
	[DW_CFA_val_expression] = "rb",
	[DW_CFA_GNU_window_save] = "",
	[DW_CFA_GNU_args_size] = "u",
	[DW_CFA_GNU_negative_offset_extended] = "ru",
};

struct walk {
	struct pointer_cursor c;
	int encoding; /* of addresses */
	u64 cost;
};

static int skip(struct walk *w, u64 len)
{
	if (len > (u64)(w->c.end - w->c.at))
		return -EBADMSG;
	w->c.at += len;
	return 0;
}

static int pass_operand(struct walk *w, char kind)
{
	u64 value;

	if (kind >= '0' && kind <= '9')
		return skip(w, kind - '0');
	if (kind == 'a')
		return pointer_take_value(&w->c, w->encoding & 0x0f, &value);
	if (pointer_take_value(&w->c, DW_EH_PE_uleb128, &value))
		return -EBADMSG;
	if (kind == 'r' && value > MAX_REGISTER)
		return -E2BIG;
	if (kind != 'b')
		return 0;
	if (skip(w, value))
		return -EBADMSG;
	w->cost += value * OP_BYTES;
	return 0;
}

static const char *operands_of(u8 op)
{
	if (op & 0xc0)
		return (op & 0xc0) == DW_CFA_offset ? "u" : "";
	return op < sizeof(operands) / sizeof(*operands) ? operands[op] : NULL;
}

static int pass_program(struct walk *w)
{
	u32 depth = 0;
	int err = 0;

	while (!err && w->c.at < w->c.end) {
		u8 op = *w->c.at++;
		const char *operand = operands_of(op);

		if (!operand)
			return -EBADMSG;
		while (!err && *operand)
			err = pass_operand(w, *operand++);
		if (op == DW_CFA_remember_state && ++depth > MAX_REMEMBERED)
			err = -E2BIG;
		if (op == DW_CFA_restore_state && depth)
			depth--;
	}
	return err;
}

/* How FDEs of this CIE write addresses, where libdw reads it in the same way whatever
 * the CIE holds: else it would take other bytes for the program. */
static int encoding_of(const Dwarf_CIE *cie)
{
	const char *a = cie->augmentation;
	int encoding = cie_encoding(cie);

	if (!a || encoding < 0 || (*a && *a != 'z'))
		return -EBADMSG;
	a = strchr(a, 'R');
	if (a && strchr(a + 1, 'R'))
		return -EBADMSG;
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_pcrel:
	case DW_EH_PE_datarel:
		return encoding;
	}
	return -EBADMSG;
}

/* To the instructions of an FDE, behind address, length and augmentation data. */
static int skip_head(struct walk *w, bool sized)
{
	u64 value, size = 0;

	if (pointer_take_value(&w->c, w->encoding & 0x0f, &value) ||
	    pointer_take_value(&w->c, w->encoding & 0x0f, &value))
		return -EBADMSG;
	if (sized && pointer_take_value(&w->c, DW_EH_PE_uleb128, &size))
		return -EBADMSG;
	return skip(w, size);
}

static int walk_entry(struct walk *w, const struct cfi_source *s,
		      const Dwarf_FDE *fde)
{
	Dwarf_CFI_Entry entry;
	const Dwarf_CIE *cie = &entry.cie;
	int err;

	if (cfi_source_entry(s, fde->CIE_pointer, &entry) ||
	    !dwarf_cfi_cie_p(&entry))
		return -EBADMSG;
	w->encoding = encoding_of(cie);
	if (w->encoding < 0)
		return -EBADMSG;
	w->c = (struct pointer_cursor){ .at = cie->initial_instructions,
					.end = cie->initial_instructions_end };
	err = pass_program(w);
	if (err)
		return err;
	w->c = (struct pointer_cursor){ .at = fde->start, .end = fde->end };
	err = skip_head(w, *cie->augmentation == 'z');
	return err ? err : pass_program(w);
}

int cfi_bound_spend(struct cfi_bound *b, const struct cfi_source *s, u64 offset)
{
	struct walk w = { .cost = FDE_BYTES };
	Dwarf_CFI_Entry entry;
	int err;

	if (cfi_source_entry(s, offset, &entry) || dwarf_cfi_cie_p(&entry))
		return -EBADMSG;
	if (entry.fde.CIE_pointer != b->cie || b->bytes == 0)
		w.cost += CIE_BYTES;
	err = walk_entry(&w, s, &entry.fde);
	if (err)
		return err;
	if (w.cost > MAX_BYTES - b->bytes)
		return -E2BIG;
	b->bytes += w.cost;
	b->cie = entry.fde.CIE_pointer;
	return 0;
}
