/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function within which another one is inlined, for test_altlink.c; the name of
 * that one and the folder of the source are in the file that dwz would have made.
 */
	.file 1 "/no/such folder/made.c"
	.text
	.p2align 12
text:
	.globl caller
	.type caller, @function
caller:
	.cfi_startproc
	.loc 1 1
	.rept 16
	nop
	.endr
	.cfi_endproc
	.size caller, . - caller
text_end:

	.section .debug_line, "", @progbits
lines:
	.section .debug_abbrev, "", @progbits
abbrev:
	.uleb128 1, 0x11		/* unit, with children: */
	.byte 1
	.uleb128 0x1b, 0x1f21		/* DW_AT_comp_dir, DW_FORM_GNU_strp_alt */
	.uleb128 0x10, 0x17		/* DW_AT_stmt_list, DW_FORM_sec_offset */
	.uleb128 0x11, 0x01		/* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x06		/* DW_AT_high_pc, DW_FORM_data4 */
	.uleb128 0, 0
	.uleb128 2, 0x2e		/* subprogram, with children: */
	.byte 1
	.uleb128 0x11, 0x01
	.uleb128 0x12, 0x06
	.uleb128 0, 0
	.uleb128 3, 0x1d		/* inlined_subroutine, without: */
	.byte 0
	.uleb128 0x03, 0x1f21		/* DW_AT_name, DW_FORM_GNU_strp_alt */
	.uleb128 0x11, 0x01
	.uleb128 0x12, 0x06
	.uleb128 0, 0
	.uleb128 0

	.macro range
	.quad text
	.long text_end - text
	.endm

	.section .debug_info, "", @progbits
	.long unit_end - unit
unit:
	.short 4
	.long abbrev
	.byte 8
	.uleb128 1
	.long 1				/* "/folder" */
	.long lines
	range
	.uleb128 2
	range
	.uleb128 3
	.long 9				/* "moved" */
	range
	.uleb128 0
	.uleb128 0
unit_end:
	.section .note.GNU-stack, "", @progbits
