/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * makecontext() as glibc has it, and what its `lea` can point to; test_cfi_context.c
 * makes it point elsewhere.
 */
	.text
	.macro begin label
	.globl \label
	.type \label, @function
\label:
\label\()_0:
	.cfi_startproc
	.endm
	.macro end label
	.cfi_endproc
	.size \label, . - \label
	.p2align 4
	.endm

	begin makecontext
	.globl first_lea, second_lea
	lea 8(%rsp), %rax
first_lea:
	lea other_0(%rip), %rdx
second_lea:
	lea start_context_0(%rip), %r10
	ret
	end makecontext

	begin start_context
	.cfi_undefined rip
	mov %rbx, %rsp
	.globl inside
inside:	mov %rbx, %rsp
	ret
	end start_context

	begin with_endbr
	endbr64
	mov %rbx, %rsp
	ret
	end with_endbr

	begin other
	mov %rsp, %rbx
	mov %rbx, %rsp
	ret
	end other

	.globl no_function
no_function:
	mov %rbx, %rsp
	.fill 16, 1, 0x90
	.section .note.GNU-stack, "", @progbits
