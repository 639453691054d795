/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An interpreter of call frame instructions (DWARF 5, 6.4.2) for the ones that
 * compilers write for nearly every function.  Whatever else there is (expressions,
 * signal frames, unusual pointers) is left to libdw, function by function, so this
 * file can be small and has nothing to guess; a unit test compares it with
 * libdw on whole libraries.
 *
 * libdw also finds the entries and takes them apart.  Bytes are taken through a
 * cursor that knows their end.
 */
#include "user/unwind/cfi_program.h"

#include <dwarf.h>
#include <errno.h>
#include <stddef.h>

#include <libelf.h>

#include "user/elf/cie.h"
#include "user/elf/module.h"
#include "user/elf/pointer.h"
#include "user/unwind/cfi_source.h"

#define MAX_REMEMBERED 8
#define MAX_REGISTER   127 /* the psABI numbers fewer */

/* One function's program at work. */
struct run {
	const struct cfi_program *p;
	struct pointer_cursor c;
	struct cfi_plain now;
	struct cfi_plain remembered[MAX_REMEMBERED];
	u32 depth;
	u64 at, end;
	int (*fn)(void *ctx, u64 end, const struct cfi_plain *row);
	void *ctx;
};

void cfi_program_init(struct cfi_program *p, const struct cfi_source *s)
{
	*p = (struct cfi_program){ .source = s, .cie = ~0ull };
}

/* Where the rule of a register is kept; NULL: it is of no interest. */
static struct cfi_place *place_of(struct cfi_plain *row, u64 reg)
{
	if (reg == REG_RETURN)
		return &row->ra;
	for (u32 i = 0; i < SAVED_REGS; i++)
		if (saved_reg[i] == reg)
			return &row->saved[i];
	return NULL;
}

static int set_place(struct run *r, u64 reg, enum cfi_where where, u64 off)
{
	struct cfi_place *place = place_of(&r->now, reg);

	if (reg == REG_STACK || reg > MAX_REGISTER)
		return -ENOTSUP;
	if (place)
		*place = (struct cfi_place){ where, (s64)off };
	return 0;
}

static int restore(struct run *r, u64 reg)
{
	struct cfi_plain first = r->p->first;
	struct cfi_place *from = place_of(&first, reg);

	return from ? set_place(r, reg, from->where, (u64)from->off)
		    : set_place(r, reg, CFI_SAME, 0);
}

static int take(struct run *r, int encoding, u64 *out)
{
	return pointer_take_value(&r->c, encoding, out) ? -ENOTSUP : 0;
}

static int take_uleb(struct run *r, u64 *out)
{
	return take(r, DW_EH_PE_uleb128, out);
}

/* An offset that is a multiple of the data alignment. */
static int take_factored(struct run *r, int encoding, u64 *out)
{
	int err = take(r, encoding, out);

	*out *= (u64)r->p->data_align;
	return err;
}

static int row_until(struct run *r, u64 end)
{
	int err = 0;

	if (end > r->end)
		end = r->end;
	if (end > r->at)
		err = r->fn(r->ctx, end, &r->now);
	r->at = end;
	return err;
}

static int advance(struct run *r, u64 delta)
{
	u64 step;

	/* A CIE has no address to advance from. */
	if (!r->fn || __builtin_mul_overflow(delta, r->p->code_align, &step) ||
	    step > r->end - r->at)
		return -ENOTSUP;
	return row_until(r, r->at + step);
}

static int advance_by(struct run *r, u8 op)
{
	int encoding = op == DW_CFA_advance_loc1   ? 0
		       : op == DW_CFA_advance_loc2 ? DW_EH_PE_udata2
						   : DW_EH_PE_udata4;
	u64 delta = 0;
	u8 byte = 0;

	if (!encoding) {
		if (pointer_take_bytes(&r->c, &byte, 1))
			return -ENOTSUP;
		return advance(r, byte);
	}
	return take(r, encoding, &delta) ? -ENOTSUP : advance(r, delta);
}

static int remember(struct run *r)
{
	if (r->depth == MAX_REMEMBERED)
		return -ENOTSUP;
	r->remembered[r->depth++] = r->now;
	return 0;
}

static int recall(struct run *r)
{
	if (!r->depth)
		return -ENOTSUP;
	r->now = r->remembered[--r->depth];
	return 0;
}

static int define_cfa(struct run *r, u8 op)
{
	u64 reg = r->now.cfa_reg, off = (u64)r->now.cfa_off;
	int err = 0;

	if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_sf ||
	    op == DW_CFA_def_cfa_register)
		err = take_uleb(r, &reg);
	if (!err && (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_offset))
		err = take_uleb(r, &off);
	if (!err && (op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf))
		err = take_factored(r, DW_EH_PE_sleb128, &off);
	if (err || reg > UINT8_MAX)
		return -ENOTSUP;
	r->now.cfa_reg = reg;
	r->now.cfa_off = (s64)off;
	return 0;
}

static int define_place(struct run *r, u8 op)
{
	u64 reg, off;

	if (take_uleb(r, &reg))
		return -ENOTSUP;
	switch (op) {
	case DW_CFA_offset_extended:
		return take_factored(r, DW_EH_PE_uleb128, &off)
			       ? -ENOTSUP
			       : set_place(r, reg, CFI_AT_CFA, off);
	case DW_CFA_offset_extended_sf:
		return take_factored(r, DW_EH_PE_sleb128, &off)
			       ? -ENOTSUP
			       : set_place(r, reg, CFI_AT_CFA, off);
	case DW_CFA_restore_extended:
		return restore(r, reg);
	case DW_CFA_undefined:
		return set_place(r, reg, CFI_UNDEFINED, 0);
	case DW_CFA_same_value:
		return set_place(r, reg, CFI_SAME, 0);
	}
	return -ENOTSUP;
}

/* The instructions whose operand is in the byte itself. */
static int short_step(struct run *r, u8 op)
{
	u64 off;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(r, op & 0x3f);
	case DW_CFA_offset:
		return take_factored(r, DW_EH_PE_uleb128, &off)
			       ? -ENOTSUP
			       : set_place(r, op & 0x3f, CFI_AT_CFA, off);
	default:
		return restore(r, op & 0x3f);
	}
}

static int step(struct run *r, u8 op)
{
	u64 ignored;

	if (op & 0xc0)
		return short_step(r, op);
	switch (op) {
	case DW_CFA_nop:
		return 0;
	case DW_CFA_advance_loc1:
	case DW_CFA_advance_loc2:
	case DW_CFA_advance_loc4:
		return advance_by(r, op);
	case DW_CFA_remember_state:
		return remember(r);
	case DW_CFA_restore_state:
		return recall(r);
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		return define_cfa(r, op);
	case DW_CFA_GNU_args_size:
		return take_uleb(r, &ignored);
	default:
		return define_place(r, op);
	}
}

static int steps(struct run *r)
{
	int err = 0;

	while (!err && r->c.at < r->c.end && (!r->fn || r->at < r->end)) {
		u8 op = *r->c.at++;

		err = step(r, op);
	}
	return err;
}

/* Of the letters of an augmentation: S is a signal frame. */
static bool plain_letters(const char *a)
{
	for (; a && *a; a++)
		if (*a != 'z' && *a != 'R' && *a != 'L' && *a != 'P')
			return false;
	return a != NULL;
}

static bool read_cie(struct cfi_program *p, const Dwarf_CIE *cie)
{
	struct run r = {
		.p = p,
		.c = { .at = cie->initial_instructions,
		       .end = cie->initial_instructions_end },
	};

	p->encoding = cie_encoding(cie);
	p->sized = cie->augmentation && cie->augmentation[0] == 'z';
	p->code_align = cie->code_alignment_factor;
	p->data_align = cie->data_alignment_factor;
	p->first = (struct cfi_plain){ .ra = { .where = CFI_UNSET } };
	r.now = p->first;
	if (p->encoding < 0 || cie->return_address_register != REG_RETURN ||
	    !plain_letters(cie->augmentation) || steps(&r))
		return false;
	p->first = r.now;
	return p->first.ra.where != CFI_UNSET;
}

static bool know_cie(struct cfi_program *p, u64 offset)
{
	Dwarf_CFI_Entry entry;

	if (p->cie == offset)
		return p->usable;
	p->cie = offset;
	p->usable = !cfi_source_entry(p->source, offset, &entry) &&
		    dwarf_cfi_cie_p(&entry) && read_cie(p, &entry.cie);
	return p->usable;
}

/* To the instructions, behind address, length and augmentation data. */
static int skip_head(struct run *r)
{
	u64 value, size = 0;

	if (take(r, r->p->encoding & 0x0f, &value) ||
	    take(r, r->p->encoding & 0x07, &value) ||
	    (r->p->sized && take_uleb(r, &size)) ||
	    size > (u64)(r->c.end - r->c.at))
		return -ENOTSUP;
	r->c.at += size;
	return 0;
}

int cfi_program_rows(struct cfi_program *p, const struct module_function *f,
		     int (*fn)(void *ctx, u64 end, const struct cfi_plain *row),
		     void *ctx)
{
	struct run r = {
		.p = p,
		.at = f->start,
		.end = f->end,
		.fn = fn,
		.ctx = ctx,
	};
	Dwarf_CFI_Entry entry;
	int err;

	if (p->source->debug ||
	    cfi_source_entry(p->source, f->fde - p->source->frames_vaddr,
			     &entry) ||
	    dwarf_cfi_cie_p(&entry) || !know_cie(p, entry.fde.CIE_pointer))
		return -ENOTSUP;
	r.c = (struct pointer_cursor){ .at = entry.fde.start,
				       .end = entry.fde.end };
	r.now = p->first;
	err = skip_head(&r);
	if (!err)
		err = steps(&r);
	return err ? err : row_until(&r, r.end);
}
