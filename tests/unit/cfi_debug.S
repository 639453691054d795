/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A file that has only .debug_frame, out of order and with an empty FDE. */
	.cfi_sections .debug_frame
	.text

	.section .text.late, "ax", @progbits
	.globl late
late:
	.cfi_startproc
	.skip 4, 0x90
	.cfi_def_cfa_offset 16
	.skip 4, 0x90
	.cfi_endproc
	.skip 8

	.text
	.globl early
early:
	.cfi_startproc
	.cfi_def_cfa rbp, 16
	.cfi_offset rbp, -16
	.skip 4, 0x90
	.cfi_endproc
	.skip 4
	.cfi_startproc
	.cfi_endproc

	.section .note.GNU-stack, "", @progbits
