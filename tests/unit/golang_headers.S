/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A section that holds nothing but what begins as Go's table does (golang.S), 100,000
 * times, and does not say where the code is: no section is that of code, out of 3,000.
 */
	.section .go.buildinfo, "a", @progbits
	.quad 0

	.section .data.rel.ro, "aw", @progbits
	.balign 32
	.rept 100000
	.long 0xfffffff0
	.byte 0, 0, 1, 8
	.quad 0, 0, 0, 0, 0, 0, 0, 0
	.endr

	.altmacro
	.macro one number
	.section .s\number, "a", @progbits
	.byte 0
	.endm
	.set number, 0
	.rept 3000
	one %number
	.set number, number + 1
	.endr
	.section .note.GNU-stack, "", @progbits
