/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A library that registers routines with R, as a package's does: what
 * test_r_routines.c reads.
 */
	.text

	.macro	routine name
	.type	\name, @function
\name:
	.cfi_startproc
	ret
	.cfi_endproc
	.endm

	.globl	exported
	routine	exported
	routine	r_one
	routine	r_two
	routine	r_three
	routine	r_four
	routine	r_bad

/* The call is a jump, and the table of C routines comes by way of rax. */
	.globl	R_init_r_routines
	.type	R_init_r_routines, @function
R_init_r_routines:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	%rdi, %rbx
	call	other@PLT
	lea	externals(%rip), %r8
	xor	%ecx, %ecx
	lea	calls(%rip), %rdx
	lea	cs(%rip), %rax
	mov	%rax, %rsi
	mov	%rbx, %rdi
	pop	%rbx
	.cfi_def_cfa_offset 8
	jmp	R_registerRoutines@PLT
	.cfi_endproc

	.section .rodata
one:	.asciz	"one"
uno:	.asciz	"uno"
two:	.asciz	"two"
three:	.asciz	"three"
four:	.asciz	"four"
shown:	.asciz	"shown"
space:	.asciz	"a b"

	.section .data.rel.ro, "aw"
	.balign	8
cs:	/* 32 bytes an entry */
	.quad	two, r_two, 3, 0
	.quad	one, r_one, 0, 0
	.quad	uno, r_one, 0, 0
	.quad	one, r_one, 0, 0
	.quad	0, 0, 0, 0
calls:	/* 24 bytes; a function that has a symbol is passed over */
	.quad	shown, exported, 1
	.quad	three, r_three, 1
	.quad	0, 0, 0
externals:	/* ends with a name that is none */
	.quad	four, r_four, 1
	.quad	space, r_bad, 1
	.quad	two, r_bad, 1
	.quad	0, 0, 0

	.section .note.GNU-stack, "", @progbits
