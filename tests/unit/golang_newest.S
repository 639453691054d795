/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A table as Go's (golang.S) that does not say where the code is, which does not begin
 * with Go's functions; and the beginning of the runtime's struct moduledata.
 */
	.section .go.buildinfo, "a", @progbits
	.quad 0

	.section .gopclntab, "aw", @progbits
	.balign 32
table:	.long 0xfffffff1
	.byte 0, 0, 1, 8
	.quad 2, 0, 0
	.quad names - table, 0, 0, rows - table, functions - table
names:	.byte 0
n_one:	.asciz "main.one"
n_two:	.asciz "main.two"
rows:	.byte 0
short:	.uleb128 2, 16
	.byte 0
	.balign 4
functions:
	.long one - code, d_one - functions
	.long two - code, d_two - functions
	.long end - code
d_one:	.long one - code, n_one - names, 0, 0, short - rows, 0, 0, 0, 0, 0
	.byte 0, 0, 0, 0
d_two:	.long two - code, n_two - names, 0, 0, short - rows, 0, 0, 0, 0, 0
	.byte 0, 0, 0, 0

	.section .noptrdata, "aw", @progbits
	.balign 32
	/* This one only points at the table. */
	.quad table, table
moduledata:
	.quad table
	.quad names, 0, 0
	.rept 2
	.quad 0, 0, 0
	.endr
	.quad rows, 0, 0
	.quad functions, 0, 0
	.quad functions, 3, 3
	.quad 0
	.quad code + 16, end, code, end
	.skip 256

	.text
	.globl crt
crt:	.skip 48, 0x90
code:	.skip 16, 0xcc
one:	.skip 16, 0x90
two:	.skip 16, 0x90
end:	.skip 16, 0xcc
	.globl one, two
	.section .note.GNU-stack, "", @progbits
