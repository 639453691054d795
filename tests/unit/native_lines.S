/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function with a line table, for test_native.c.  The assembler makes the table
 * from .loc; the rest of the DWARF is one unit without a .debug_aranges, as clang
 * leaves it.
 */
	.file 1 "/no/such folder/made.c"
	.file 2 "other;\n.h"

	/* Lines belong to instructions, .fill has none. */
	.macro four
	.rept 4
	nop
	.endr
	.endm

	.text
	.p2align 12
.Ltext:
	.globl lined
	.type lined, @function
lined:
	.cfi_startproc
	.loc 1 12
	four			/* 0x00 */
	.loc 1 13
	four			/* 0x04 */
	.loc 2 70000
	four			/* 0x08 */
	four			/* 0x0c: the same */
	.cfi_endproc
	.size lined, . - lined
.Lend:
	.fill 16, 1, 0x90	/* 0x10: in no unit */

	.section .debug_line, "", @progbits
.Lline:

	.section .debug_abbrev, "", @progbits
.Labbrev:
	.uleb128 1
	.uleb128 0x11		/* DW_TAG_compile_unit */
	.byte 0
	.uleb128 0x10, 0x17	/* DW_AT_stmt_list, DW_FORM_sec_offset */
	.uleb128 0x11, 0x01	/* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x07	/* DW_AT_high_pc, DW_FORM_data8 */
	.uleb128 0, 0
	.uleb128 0

	.section .debug_info, "", @progbits
	.long .Lunit_end - .Lunit
.Lunit:
	.short 4
	.long .Labbrev
	.byte 8
	.uleb128 1
	.long .Lline
	.quad .Ltext
	.quad .Lend - .Ltext
.Lunit_end:

	/* Something that is worth packing. */
	.section .debug_str, "", @progbits
	.fill 4096, 1, 0

	.section .note.GNU-stack, "", @progbits
