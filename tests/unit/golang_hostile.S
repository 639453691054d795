/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A table as Go's (golang.S) that is made to waste time and memory: the first function
 * begins at address 0 and is looked for one byte before; one has a row for each of its
 * 70,000 bytes; and 60,000 have names that all end where the table does, 4 MiB away.
 */
	.section .go.buildinfo, "a", @progbits
	.quad 0

	.section .gopclntab, "aw", @progbits
	.balign 32
table:	.long 0xfffffff0
	.byte 0, 0, 1, 8
	.quad (descriptions - functions) / 8
	.quad 0
	/* A relocation that says 0. */
	.quad __ehdr_start
	.quad names - table, 0, 0, rows - table, functions - table
	.subsection 1
	.balign 4
functions:
	.subsection 2
descriptions:
	.long text, 0
	.subsection 3
rows:	.byte 0
	.subsection 4
names:	.byte 0

	.macro go start, name, row
	.subsection 1
	.long \start, 1f - functions
	.subsection 2
1:	.long \start, \name - names, 0, 0
	.long \row - rows, 0, 0, 0, 0
	.byte 0, 0, 0, 0
	.endm

	go 0, sigreturn, short
	go 16, plain, short
	go 32, plain, many
	.set text, 32 + 70000
	.rept 60000
	go text, endless, short
	.set text, text + 1
	.endr

	.subsection 3
short:	.uleb128 2, 0x100000
many:	.uleb128 2, 1
	.rept 34999
	.uleb128 16, 1, 15, 1
	.endr
	.uleb128 16, 1

	.subsection 4
sigreturn:
	.asciz "runtime.sigreturn"
plain:	.asciz "main.plain"
endless:
	.fill 4 << 20, 1, 'A'
	.byte 0

	.section .note.GNU-stack, "", @progbits
