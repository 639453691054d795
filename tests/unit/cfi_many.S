/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* 66,000 rows, every one with a rule of its own. */
	.text
	.set off, 8
	.rept 1100
	.cfi_startproc
	.rept 60
	.cfi_def_cfa_offset off
	.set off, off + 8
	.skip 1, 0x90
	.endr
	.cfi_endproc
	.endr

	.section .note.GNU-stack, "", @progbits
