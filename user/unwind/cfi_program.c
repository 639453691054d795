/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Interprets call frame instructions in one pass.
 *
 * A table gives the operands of each instruction. Operands are read through a
 * cursor that knows the end of the bytes. libdw only finds and parses the entries.
 * A unit test compares all rows of whole libraries with the rows that libdw makes.
 */
#include "user/unwind/cfi_program.h"

#include <dwarf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "user/elf/frames.h"
#include "user/elf/module.h"
#include "user/elf/pointer.h"

#define MAX_REMEMBERED 64 /* compilers use a few */

/* Operands of each instruction: u unsigned number, s signed number, U and S the
 * same times the data alignment, N like U but negated, b block, a address, 1 2 4 8
 * so many bytes. NULL: no such instruction. place: where it puts the register that is
 * its first operand. */
static const struct {
	const char *operands;
	enum cfi_where place;
} instruction[] = {
	[DW_CFA_nop] = { "" },
	[DW_CFA_set_loc] = { "a" },
	[DW_CFA_advance_loc1] = { "1" },
	[DW_CFA_advance_loc2] = { "2" },
	[DW_CFA_advance_loc4] = { "4" },
	[DW_CFA_MIPS_advance_loc8] = { "8" },
	[DW_CFA_offset_extended] = { "uU", CFI_AT_CFA },
	[DW_CFA_restore_extended] = { "u" },
	[DW_CFA_undefined] = { "u", CFI_UNDEFINED },
	[DW_CFA_same_value] = { "u", CFI_SAME },
	[DW_CFA_register] = { "uu", CFI_IN_REG },
	[DW_CFA_remember_state] = { "" },
	[DW_CFA_restore_state] = { "" },
	[DW_CFA_def_cfa] = { "uu" },
	[DW_CFA_def_cfa_register] = { "u" },
	[DW_CFA_def_cfa_offset] = { "u" },
	[DW_CFA_def_cfa_expression] = { "b" },
	[DW_CFA_expression] = { "ub" },
	[DW_CFA_offset_extended_sf] = { "uS", CFI_AT_CFA },
	[DW_CFA_def_cfa_sf] = { "uS" },
	[DW_CFA_def_cfa_offset_sf] = { "S" },
	[DW_CFA_val_offset] = { "uU", CFI_IS_CFA },
	[DW_CFA_val_offset_sf] = { "uS", CFI_IS_CFA },
	[DW_CFA_val_expression] = { "ub" },
	[DW_CFA_GNU_args_size] = { "u" },
	[DW_CFA_GNU_negative_offset_extended] = { "uN", CFI_AT_CFA },
};

/* The state of one function's program. */
struct run {
	struct cfi_program *p;
	struct pointer_cursor c;
	const u8 *block; /* the last operand b */
	struct cfi_frame now;
	struct cfi_frame remembered[MAX_REMEMBERED];
	u32 depth;
	u64 at, end;
	int (*fn)(void *ctx, u64 end, const struct cfi_frame *row);
	void *ctx;
};

void cfi_program_init(struct cfi_program *p, const struct frames *f)
{
	*p = (struct cfi_program){ .frames = f, .cie = ~0ull };
}

static int take_operand(struct run *r, char kind, u64 *out)
{
	static const int encoding[] = {
		['2'] = DW_EH_PE_udata2,  ['4'] = DW_EH_PE_udata4,
		['8'] = DW_EH_PE_udata8,  ['N'] = DW_EH_PE_uleb128,
		['S'] = DW_EH_PE_sleb128, ['U'] = DW_EH_PE_uleb128,
		['b'] = DW_EH_PE_uleb128, ['u'] = DW_EH_PE_uleb128,
	};
	int err;

	*out = 0;
	if (kind == '1')
		return pointer_take_bytes(&r->c, out, 1);
	if (kind == 'a')
		return pointer_take(&r->c, r->p->encoding, 0, out);
	err = pointer_take_value(&r->c, encoding[(u8)kind], out);
	if (kind == 'U' || kind == 'S' || kind == 'N')
		*out *= (u64)r->p->data_align;
	if (kind == 'N')
		*out = -*out;
	if (kind != 'b' || err)
		return err;
	r->block = r->c.at;
	return pointer_take_bytes(&r->c, NULL, *out);
}

/* Emits a row up to end. Fails in a CIE, which has no addresses. */
static int row_until(struct run *r, u64 end)
{
	int err = 0;

	if (!r->fn || end < r->at)
		return -EBADMSG;
	if (end > r->end)
		end = r->end;
	if (end > r->at)
		err = r->fn(r->ctx, end, &r->now);
	r->at = end;
	return err;
}

static int advance(struct run *r, u64 delta)
{
	u64 step, to;

	if (__builtin_mul_overflow(delta, r->p->code_align, &step) ||
	    __builtin_add_overflow(r->at, step, &to))
		return -EBADMSG;
	return row_until(r, to);
}

/* value: a distance from the CFA, or a register. */
static int set_place(struct run *r, u64 reg, enum cfi_where where, u64 value)
{
	struct cfi_place *place = cfi_frame_place(&r->now, reg);

	if (where == CFI_IN_REG && value >= REG_COUNT)
		where = CFI_OTHER;
	if (place)
		*place = (struct cfi_place){ where, value, (s64)value };
	return 0;
}

static int restore(struct run *r, u64 reg)
{
	struct cfi_place *to = cfi_frame_place(&r->now, reg);

	if (to)
		*to = *cfi_frame_place(&r->p->first, reg);
	return 0;
}

static int set_cfa(struct run *r, u64 reg, u64 off)
{
	if (reg > UINT8_MAX)
		return -EBADMSG;
	r->now.cfa = UNWIND_CFA;
	r->now.cfa_reg = reg;
	r->now.cfa_off = (s64)off;
	return 0;
}

/* Changes a CFA of the form register + offset; fails for any other form. */
static int change_cfa(struct run *r, u64 reg, u64 off)
{
	return r->now.cfa == UNWIND_CFA ? set_cfa(r, reg, off) : -EBADMSG;
}

static int run_one(struct run *r, u8 op, const u64 *a)
{
	if (instruction[op].place)
		return set_place(r, a[0], instruction[op].place, a[1]);
	switch (op) {
	case DW_CFA_set_loc:
		return row_until(r, a[0]);
	case DW_CFA_advance_loc1 ... DW_CFA_advance_loc4:
	case DW_CFA_MIPS_advance_loc8:
		return advance(r, a[0]);
	case DW_CFA_restore_extended:
		return restore(r, a[0]);
	case DW_CFA_remember_state:
		if (r->depth == MAX_REMEMBERED)
			return -EBADMSG;
		r->remembered[r->depth++] = r->now;
		break;
	case DW_CFA_restore_state:
		if (!r->depth)
			return -EBADMSG;
		r->now = r->remembered[--r->depth];
		break;
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
		return set_cfa(r, a[0], a[1]);
	case DW_CFA_def_cfa_register:
		return change_cfa(r, a[0], (u64)r->now.cfa_off);
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		return change_cfa(r, r->now.cfa_reg, a[0]);
	case DW_CFA_def_cfa_expression:
		cfi_frame_cfa(&r->now, r->block, a[0]);
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		cfi_frame_expression(&r->now, a[0], r->block, a[1],
				     op == DW_CFA_val_expression);
		break;
	}
	return 0;
}

/* An instruction whose first operand is in the opcode byte has a long form. */
static int step(struct run *r)
{
	static const u8 long_form[] = {
		[DW_CFA_advance_loc >> 6] = DW_CFA_advance_loc1,
		[DW_CFA_offset >> 6] = DW_CFA_offset_extended,
		[DW_CFA_restore >> 6] = DW_CFA_restore_extended,
	};
	u8 op = *r->c.at++, form = op >> 6;
	u64 a[2] = { op & 0x3f };
	const char *kind;

	r->c.vaddr++;
	if (form)
		op = long_form[form];
	kind = op < sizeof(instruction) / sizeof(*instruction)
		       ? instruction[op].operands
		       : NULL;
	if (!kind)
		return -EBADMSG;
	for (size_t i = form != 0; kind[i]; i++)
		if (take_operand(r, kind[i], &a[i]))
			return -EBADMSG;
	return run_one(r, op, a);
}

static int steps(struct run *r)
{
	int err = 0;

	while (!err && r->c.at < r->c.end && (!r->fn || r->at < r->end))
		err = step(r);
	return err;
}

static bool read_cie(struct cfi_program *p, const Dwarf_CIE *cie)
{
	struct run r = {
		.p = p,
		.c = { .at = cie->initial_instructions,
		       .end = cie->initial_instructions_end },
	};
	const char *letters = cie->augmentation;

	p->encoding = frames_encoding(cie);
	p->sized = letters && letters[0] == 'z';
	p->code_align = cie->code_alignment_factor;
	p->data_align = cie->data_alignment_factor;
	cfi_frame_init(&p->first, p->sized && strchr(letters, 'S'));
	r.now = p->first;
	if (p->encoding < 0 || !letters || (*letters && !p->sized) ||
	    cie->return_address_register != REG_RETURN || steps(&r))
		return false;
	p->first = r.now;
	return true;
}

static bool know_cie(struct cfi_program *p, u64 offset)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (p->cie != offset)
		p->usable = !frames_entry(p->frames, offset, &next, &entry) &&
			    dwarf_cfi_cie_p(&entry) && read_cie(p, &entry.cie);
	p->cie = offset;
	return p->usable;
}

/* Skips address, length and augmentation data, up to the instructions. */
static bool skip_head(struct run *r)
{
	u64 value;

	return !pointer_take_value(&r->c, r->p->encoding & 0x0f, &value) &&
	       !pointer_take_value(&r->c, r->p->encoding & 0x07, &value) &&
	       (!r->p->sized || !take_operand(r, 'b', &value));
}

int cfi_program_rows(struct cfi_program *p, const struct module_function *f,
		     int (*fn)(void *ctx, u64 end, const struct cfi_frame *row),
		     void *ctx)
{
	const struct frames *s = p->frames;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;
	struct run r;
	int err;

	if (frames_entry(s, f->fde - s->vaddr, &next, &entry) ||
	    dwarf_cfi_cie_p(&entry) || !know_cie(p, entry.fde.CIE_pointer))
		return -EBADMSG;
	r.p = p;
	r.c = (struct pointer_cursor){ entry.fde.start, entry.fde.end,
				       s->vaddr + (entry.fde.start -
						   (u8 *)s->data.d_buf) };
	r.now = p->first;
	r.depth = 0;
	r.at = f->start;
	r.end = f->end;
	r.fn = fn;
	r.ctx = ctx;
	err = skip_head(&r) ? steps(&r) : -EBADMSG;
	return err ? err : row_until(&r, r.end);
}
