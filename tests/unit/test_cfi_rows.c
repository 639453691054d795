/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Call frame information that is made by hand: the edges of its instructions, and which
 * rows become which rules. */
#include "user/unwind/cfi_program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "user/elf/frames.h"
#include "user/elf/module.h"

/* ---- programs --------------------------------------------------------------- */

#define START 0x1000
#define SIZE  32

static u8 section[512]; /* a CIE and an FDE */
static size_t used;

static struct {
	u64 end;
	s64 off;
} rows[16];
static size_t n_rows;

static void add(const void *bytes, size_t len)
{
	assert_true(used + len <= sizeof(section));
	if (len)
		memcpy(section + used, bytes, len);
	used += len;
}

static void begin_entry(u32 id)
{
	u32 length = 0;

	add(&length, 4);
	add(&id, 4);
}

static void end_entry(size_t start)
{
	u32 length = used - start - 4;

	memcpy(section + start, &length, 4);
}

/* The CFA is rsp + 8, and there is the return address. */
static void add_cie(u8 return_register, const u8 *more, size_t len)
{
	const u8 head[] = { 1,
			    0,
			    1,
			    0x78,
			    return_register,
			    DW_CFA_def_cfa,
			    7,
			    8,
			    DW_CFA_offset | 16,
			    1 };

	used = 0;
	begin_entry(~0u);
	add(head, sizeof(head));
	add(more, len);
	end_entry(0);
}

static int take_row(void *ctx, u64 end, const struct cfi_frame *row)
{
	(void)ctx;
	assert_true(n_rows < 16);
	rows[n_rows].end = end;
	rows[n_rows++].off = row->cfa_off;
	return 0;
}

/* What becomes of a function with these instructions. */
static int run_fde(const u8 *program, size_t len)
{
	const u64 place[] = { START, SIZE };
	struct frames frames = { .debug = true };
	struct cfi_program p;
	struct module_function f = { .start = START, .end = START + SIZE };
	size_t at = used;

	begin_entry(0);
	add(place, sizeof(place));
	add(program, len);
	end_entry(at);
	frames.data.d_buf = section;
	frames.data.d_size = used;
	frames.data.d_type = ELF_T_BYTE;
	f.fde = at;
	n_rows = 0;
	cfi_program_init(&p, &frames);
	return cfi_program_rows(&p, &f, take_row, NULL);
}

static int run_program(const u8 *program, size_t len)
{
	add_cie(16, NULL, 0);
	return run_fde(program, len);
}

#define RUN(...)                                 \
	run_program((const u8[]){ __VA_ARGS__ }, \
		    sizeof((const u8[]){ __VA_ARGS__ }))

static void check_row(size_t i, u64 end, s64 off)
{
	assert_true(i < n_rows);
	assert_int_equal(rows[i].end, START + end);
	assert_int_equal(rows[i].off, off);
}

static void test_advance(void **state)
{
	(void)state;
	assert_int_equal(RUN(DW_CFA_nop), 0);
	assert_int_equal(n_rows, 1);
	check_row(0, SIZE, 8);
	assert_int_equal(RUN(DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16),
			 0);
	assert_int_equal(n_rows, 2);
	check_row(0, 4, 8);
	check_row(1, SIZE, 16);
	/* To its end, and past it: what follows is of no function. */
	assert_int_equal(
		RUN(DW_CFA_advance_loc | SIZE, DW_CFA_def_cfa_offset, 16), 0);
	assert_int_equal(n_rows, 1);
	check_row(0, SIZE, 8);
	assert_int_equal(
		RUN(DW_CFA_advance_loc | (SIZE + 1), DW_CFA_def_cfa_offset, 16),
		0);
	assert_int_equal(n_rows, 1);
	check_row(0, SIZE, 8);
	/* By nothing. */
	assert_int_equal(RUN(DW_CFA_advance_loc, DW_CFA_def_cfa_offset, 16), 0);
	assert_int_equal(n_rows, 1);
	check_row(0, SIZE, 16);
}

/* Not backwards, nor so far that it overflows. */
static void test_set_place(void **state)
{
	u8 back[] = { DW_CFA_advance_loc | 8,
		      DW_CFA_set_loc,
		      4,
		      0x10,
		      0,
		      0,
		      0,
		      0,
		      0,
		      0 };
	u8 far[9] = { DW_CFA_MIPS_advance_loc8 };

	(void)state;
	assert_int_equal(run_program(back, sizeof(back)), -EBADMSG);
	assert_int_equal(n_rows, 1);
	back[2] = 8;
	assert_int_equal(run_program(back, sizeof(back)), 0);
	memset(far + 1, 0xff, 8);
	assert_int_equal(run_program(far, sizeof(far)), -EBADMSG);
}

static void test_remember(void **state)
{
	u8 many[65];

	(void)state;
	memset(many, DW_CFA_remember_state, sizeof(many));
	assert_int_equal(run_program(many, 64), 0);
	assert_int_equal(run_program(many, 65), -EBADMSG);
	assert_int_equal(RUN(DW_CFA_restore_state), -EBADMSG);
	assert_int_equal(RUN(DW_CFA_remember_state, DW_CFA_def_cfa_offset, 16,
			     DW_CFA_advance_loc | 4, DW_CFA_restore_state),
			 0);
	check_row(0, 4, 16);
	check_row(1, SIZE, 8);
	assert_int_equal(RUN(DW_CFA_remember_state, DW_CFA_restore_state,
			     DW_CFA_restore_state),
			 -EBADMSG);
}

static void test_broken(void **state)
{
	(void)state;
	/* No such instruction, an operand that is not there, a block too long. */
	assert_int_equal(RUN(0x1c), -EBADMSG);
	assert_int_equal(RUN(DW_CFA_def_cfa_offset), -EBADMSG);
	assert_int_equal(RUN(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8),
			 -EBADMSG);
	assert_int_equal(RUN(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 8), 0);
	/* An expression has no offset to be changed. */
	assert_int_equal(RUN(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8,
			     DW_OP_deref, DW_CFA_def_cfa_offset, 16),
			 -EBADMSG);
	assert_int_equal(RUN(DW_CFA_def_cfa, 0x80, 2, 8), -EBADMSG);
}

static void test_cie(void **state)
{
	static const u8 nop[] = { DW_CFA_nop };
	static const u8 advance[] = { DW_CFA_advance_loc | 1 };

	(void)state;
	add_cie(16, nop, 1);
	assert_int_equal(run_fde(nop, 1), 0);
	/* The return address is another register's. */
	add_cie(17, nop, 1);
	assert_int_equal(run_fde(nop, 1), -EBADMSG);
	/* It has no addresses. */
	add_cie(16, advance, 1);
	assert_int_equal(run_fde(nop, 1), -EBADMSG);
}

/* ---- rules ------------------------------------------------------------------ */

static struct cfi_frame frame;

static void begin_frame(bool is_signal)
{
	cfi_frame_init(&frame, is_signal);
	frame.cfa = UNWIND_CFA;
	frame.cfa_reg = REG_STACK;
	frame.cfa_off = 16;
	frame.ra = (struct cfi_place){ CFI_AT_CFA, 0, -8 };
}

static struct unwind_rule rule_of(void)
{
	struct unwind_rule r;

	cfi_rule_classify(&frame, &r);
	return r;
}

static void test_call(void **state)
{
	struct unwind_rule r;

	(void)state;
	begin_frame(false);
	r = rule_of();
	assert_int_equal(r.kind, UNWIND_CFA);
	assert_int_equal(r.cfa_off, 16);
	assert_int_equal(r.ra, -1);
	assert_int_equal(r.flags, 0);
	/* The caller's stack pointer is the CFA, or it is not a rule for us. */
	frame.sp.off = 8;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_frame(false);
	frame.sp.where = CFI_SAME;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_frame(false);
	frame.ra.where = CFI_UNDEFINED;
	assert_int_equal(rule_of().kind, UNWIND_ROOT);
	begin_frame(false);
	frame.ra.off = -7;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_frame(false);
	frame.cfa_reg = REG_COUNT;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_frame(false);
	frame.cfa_off = INT32_MAX;
	assert_int_equal(rule_of().kind, UNWIND_CFA);
	frame.cfa_off++;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
}

/* What is too far away, or not at a whole word, is lost. */
static void test_slots(void **state)
{
	static const struct {
		s64 off;
		s16 slot;
	} at[] = { { -16, -2 },
		   { -15, UNWIND_SLOT_LOST },
		   { INT16_MAX * 8, INT16_MAX },
		   { INT16_MAX * 8 + 8, UNWIND_SLOT_LOST },
		   { INT16_MAX * 8 + 32, UNWIND_SLOT_LOST },
		   { (UNWIND_SLOT_SAME + 1) * 8, UNWIND_SLOT_SAME + 1 },
		   { UNWIND_SLOT_SAME * 8, UNWIND_SLOT_LOST } };

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		print_message("# CFA + %lld\n", at[i].off);
		begin_frame(false);
		frame.saved[0] = (struct cfi_place){ CFI_AT_CFA, 0, at[i].off };
		assert_int_equal(rule_of().slot[0], at[i].slot);
		assert_int_equal(rule_of().slot[1], UNWIND_SLOT_SAME);
	}
}

static s64 signal_off(u8 reg)
{
	s64 i = 0;

	while (signal_reg[i] != reg)
		i++;
	return i * 8;
}

static void begin_signal(s64 at)
{
	begin_frame(true);
	frame.ra =
		(struct cfi_place){ CFI_AT_REG, REG_STACK, at + REG_COUNT * 8 };
	frame.sp = (struct cfi_place){ CFI_AT_REG, REG_STACK,
				       at + signal_off(REG_STACK) };
	for (u32 i = 0; i < SAVED_REGS; i++)
		frame.saved[i] =
			(struct cfi_place){ CFI_AT_REG, REG_STACK,
					    at + signal_off(saved_reg[i]) };
}

/* All that is read must be where the file says that it is. */
static void test_signal(void **state)
{
	struct unwind_rule r;

	(void)state;
	begin_signal(40);
	r = rule_of();
	assert_int_equal(r.kind, UNWIND_SIGNAL);
	assert_int_equal(r.cfa_reg, REG_STACK);
	assert_int_equal(r.cfa_off, 40);
	frame.sp.off += 8;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_signal(40);
	frame.sp.reg = REG_FRAME;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_signal(40);
	frame.saved[SAVED_REGS - 1].off -= 8;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_signal(40);
	frame.saved[0].where = CFI_SAME;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_signal(40);
	frame.ra.reg = REG_COUNT;
	frame.sp.reg = REG_COUNT;
	for (u32 i = 0; i < SAVED_REGS; i++)
		frame.saved[i].reg = REG_COUNT;
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
	begin_signal(INT32_MAX);
	assert_int_equal(rule_of().kind, UNWIND_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_advance),
		cmocka_unit_test(test_set_place),
		cmocka_unit_test(test_remember),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_cie),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
