/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The evaluator's loop in the forms that compilers give it, with the offsets of
 * Tcl 8.6: what test_tcl_trampoline.c finds, and what it must not take for one.
 */
#define EXEC_ENV 0x1c8
#define TOP	 0x20
#define NEXT	 0x28

	.text

/* Inlined, with the root in a slot of rsp, and C too; loop in two pieces. */
	.globl	in_slots
	.type	in_slots, @function
in_slots:
	.cfi_startproc
	push	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset 12, -16
	sub	$0x20, %rsp
	.cfi_def_cfa_offset 48
	mov	%rdi, %r12
	mov	EXEC_ENV(%rdi), %rax
	mov	TOP(%rax), %rax
	mov	%rax, 8(%rsp)
	call	other
	.globl	in_slots_again
in_slots_again:
	mov	EXEC_ENV(%r12), %rax
	mov	TOP(%rax), %rdx
	mov	%rdx, 0x10(%rsp)
	cmp	8(%rsp), %rdx
	je	1f
	mov	NEXT(%rdx), %rcx
	mov	%rcx, TOP(%rax)
	.globl	in_slots_popped
in_slots_popped:
	lea	8(%rdx), %rdi
	mov	%r12, %rsi
	mov	(%rdx), %rcx
	xor	%edx, %edx
	call	*%rcx
	.globl	in_slots_ret
in_slots_ret:
	test	%eax, %eax
	jne	2f
	jmp	in_slots_again
	.globl	in_slots_gap
in_slots_gap:
1:	add	$0x20, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	pop	%r12
	.cfi_def_cfa_offset 8
	ret
	.globl	in_slots_piece
in_slots_piece:
	.cfi_restore_state
2:	mov	0x10(%rsp), %rdi
	call	other
	jmp	in_slots_again
	.globl	in_slots_end
in_slots_end:
	.cfi_endproc
	.size	in_slots, . - in_slots

/* Its arguments are moved where the loop wants them, but the root's place is written
 * again before the loop. */
	.globl	root_written
	.type	root_written, @function
root_written:
	.cfi_startproc
	push	%r12
	.cfi_def_cfa_offset 16
	push	%rbx
	.cfi_def_cfa_offset 24
	push	%r13
	.cfi_def_cfa_offset 32
	mov	%rdi, %r12
	mov	%rdx, %r13
	mov	(%rdx), %r13
	.globl	root_written_again
root_written_again:
	mov	EXEC_ENV(%r12), %rax
	mov	TOP(%rax), %rbx
	cmp	%r13, %rbx
	je	2f
	mov	NEXT(%rbx), %rcx
	mov	%rcx, TOP(%rax)
	lea	8(%rbx), %rdi
	mov	%r12, %rsi
	call	*(%rbx)
	jmp	root_written_again
	.globl	root_written_end
root_written_end:
2:	pop	%r13
	pop	%rbx
	pop	%r12
	ret
	.cfi_endproc
	.size	root_written, . - root_written

/* It pops and calls, but its root changes on the way: nothing can be said. */
	.globl	moving_root
	.type	moving_root, @function
moving_root:
	.cfi_startproc
	push	%r12
	.cfi_def_cfa_offset 16
	push	%rbx
	.cfi_def_cfa_offset 24
	push	%r13
	.cfi_def_cfa_offset 32
	mov	%rdi, %r12
	mov	%rdx, %r13
1:	mov	EXEC_ENV(%r12), %rax
	mov	TOP(%rax), %rbx
	cmp	%r13, %rbx
	je	2f
	mov	NEXT(%rbx), %rcx
	mov	%rcx, TOP(%rax)
	lea	8(%rbx), %rdi
	mov	%r12, %rsi
	.globl	moving_root_call
moving_root_call:
	call	*(%rbx)
	mov	%rax, %r13
	jmp	1b
2:	pop	%r13
	pop	%rbx
	pop	%r12
	ret
	.cfi_endproc
	.size	moving_root, . - moving_root

/* A hash table's walk over entries that are called: not the evaluator. */
	.globl	other_loop
	.type	other_loop, @function
other_loop:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	EXEC_ENV(%rdi), %rbx
1:	lea	8(%rbx), %rdi
	mov	%rbx, %rsi
	call	*(%rbx)
	mov	NEXT(%rbx), %rbx
	test	%rbx, %rbx
	jne	1b
	pop	%rbx
	ret
	.cfi_endproc
	.size	other_loop, . - other_loop

	.globl	other
	.type	other, @function
other:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	other, . - other

	.section .note.GNU-stack, "", @progbits
