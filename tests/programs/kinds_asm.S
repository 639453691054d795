/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions that no compiler would write; each calls its first argument with its
 * second.  kinds_personal calls its first, and has a personality routine.
 */
	.text
	.macro function name
	.globl \name
	.type \name, @function
	.p2align 4
\name:
	.endm

	function kinds_cfi
	.cfi_startproc
	endbr64
	push %r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	sub $4096, %rsp
	.cfi_adjust_cfa_offset 4096
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	xor %ebp, %ebp
	mov %rdi, %rax
	mov %rsi, %rdi
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *%rax
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	add $4096, %rsp
	.cfi_adjust_cfa_offset -4096
	pop %r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r15
	ret
	.cfi_endproc
	.size kinds_cfi, . - kinds_cfi

	function kinds_cfa_in_rbx
	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	mov %rsp, %rbx
	.cfi_def_cfa_register %rbx
	sub $200, %rsp
	and $-64, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	mov %rbx, %rsp
	.cfi_def_cfa_register %rsp
	pop %rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size kinds_cfa_in_rbx, . - kinds_cfa_in_rbx

	function kinds_on_stack
	.cfi_startproc
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	mov %rsi, %rsp
	call *%rdi
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size kinds_on_stack, . - kinds_on_stack

	function kinds_personal
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.kinds_personality
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *%rdi
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size kinds_personal, . - kinds_personal

	function kinds_no_cfi
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	leave
	ret
	.size kinds_no_cfi, . - kinds_no_cfi

	function kinds_no_frame
	sub $8, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	add $8, %rsp
	ret
	.size kinds_no_frame, . - kinds_no_frame

	function kinds_no_frame_saves
	push %rbx
	push %r12
	sub $40, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	add $40, %rsp
	pop %r12
	pop %rbx
	ret
	.size kinds_no_frame_saves, . - kinds_no_frame_saves

	.section .data.rel.local.DW.ref.kinds_personality,"awG",@progbits,DW.ref.kinds_personality,comdat
	.hidden DW.ref.kinds_personality
	.weak DW.ref.kinds_personality
	.p2align 3
	.type DW.ref.kinds_personality, @object
	.size DW.ref.kinds_personality, 8
DW.ref.kinds_personality:
	.quad kinds_personality
	.section .note.GNU-stack,"",@progbits
