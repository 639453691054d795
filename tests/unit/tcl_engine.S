/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Bytecode engines in small, for test_tcl_track.c: how TEBCresume begins, keeps
 * its pc and reads through it, and what must not be taken for that.
 */
	.macro	begin name
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	push	%r12
	.cfi_def_cfa_offset 24
	sub	$24, %rsp
	.cfi_def_cfa_offset 48
	.endm
	.macro	finish name
	add	$24, %rsp
	pop	%r12
	pop	%rbx
	ret
	.cfi_endproc
	.size	\name, . - \name
	.endm
	.macro	mark name
	.globl	\name
\name:
	.endm

	.text

/* In rbx from one bytecode to the next, in a slot while rbx is needed. */
	begin	engine
	mov	8(%rdi), %rbx
	mov	(%rdi), %r12
	mov	%rbx, 8(%rsp)
	test	%rbx, %rbx
	je	2f
	mark	engine_finish
	call	other
	jmp	1f
2:	mov	0x68(%r12), %rbx
	mark	engine_next
1:	movzbl	(%rbx), %eax
	mark	engine_opcode
	cmp	$2, %al
	ja	9f
	lea	cases(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	add	%rcx, %rax
	jmp	*%rax
	mark	engine_spill
.Lcase0:
	mov	%rbx, 8(%rsp)
	call	other
	.rept	12
	mov	8(%rsp), %rdx
	movzbl	1(%rdx), %ecx
	.endr
	mov	%r12, %rbx
	mark	engine_spilled
	call	other
	mov	8(%rsp), %rbx
	add	$2, %rbx
	jmp	1b
	mark	engine_step
.Lcase1:
	lea	5(%rbx), %rbx
	xor	%eax, %eax
	xor	%edx, %edx
	mark	engine_stepped
	call	other
	jmp	1b
	mark	engine_lost
.Lcase2:
	mov	(%r12), %rbx
	mark	engine_unknown
	call	other
	.rept	24
	test	%eax, %eax
	.endr
	mov	(%r12), %rbx
	jmp	1b
9:	finish	engine

/* data[1] is asked whether it is 0, but nothing is read through it. */
	begin	flag
	mov	8(%rdi), %rbx
	mov	(%rdi), %r12
	test	%rbx, %rbx
	je	2f
	.rept	12
	movzbl	1(%r12), %ecx
	.endr
2:	finish	flag

/* Read through, but not data[1]. */
	begin	elsewhere
	mov	16(%rdi), %rbx
	test	%rbx, %rbx
	je	2f
	.rept	12
	movzbl	1(%rbx), %ecx
	.endr
2:	finish	elsewhere

/* In a slot of rbp, as without optimisation; so is the opcode. */
	.globl	unoptimised
	.type	unoptimised, @function
unoptimised:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	mov	%rsp, %rbp
	.cfi_def_cfa_register 6
	sub	$0x40, %rsp
	mov	%rdi, -0x38(%rbp)
	mov	-0x38(%rbp), %rax
	mov	8(%rax), %rax
	mov	%rax, -0x10(%rbp)
1:	mov	-0x10(%rbp), %rax
	movzbl	(%rax), %eax
	mark	unoptimised_read
	mov	%al, -0x11(%rbp)
	movzbl	-0x11(%rbp), %eax
	cmp	$2, %eax
	ja	9f
	lea	unoptimised_cases(%rip), %rdx
	movslq	(%rdx,%rax,4), %rax
	add	%rdx, %rax
	jmp	*%rax
.Lcase3:
	call	other
	addq	$1, -0x10(%rbp)
	mark	unoptimised_step
	call	other
	jmp	1b
9:	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
	.size	unoptimised, . - unoptimised

/* An indirect jump that is none of a table. */
	begin	computed
	mov	8(%rdi), %rbx
	movzbl	(%rbx), %eax
	jmp	*(%r12,%rax,8)
	finish	computed

	.type	other, @function
other:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	other, . - other

	.section .rodata
	.align	4
cases:
	.long	.Lcase0 - cases
	.long	.Lcase1 - cases
	.long	.Lcase2 - cases
unoptimised_cases:
	.rept	3
	.long	.Lcase3 - unoptimised_cases
	.endr
