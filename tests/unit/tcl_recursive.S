/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An evaluator that recurses in C, with the offsets of Tcl 8.5: what
 * test_tcl_recursive.c finds, and what it must not take for one.
 */
#define CMD_FRAME 0x3b8 /* Interp.cmdFramePtr */
#define PC	  0x30	/* CmdFrame.data.tebc.pc */
#define PATH	  0x28	/* CmdFrame.data.eval.path */
#define NEXT	  0x20	/* CmdFrame.nextPtr */
#define PROC	  0x20	/* Command.objProc */
#define DATA	  0x28	/* Command.objClientData */

	.text

	.macro	function name
	.type	\name, @function
\name:
	.cfi_startproc
	.endm
	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.globl	TclObjInterpProc
	.protected TclObjInterpProc
	function TclObjInterpProc
	ret
	end	TclObjInterpProc

/* Calls the engine, and something else that has another place for cmdFramePtr. */
	.globl	TclObjInterpProcCore
	.protected TclObjInterpProcCore
	function TclObjInterpProcCore
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	pops
	call	engine
	add	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	end	TclObjInterpProcCore

/* It stores what cmdFramePtr is to be, but no pc: not the engine. */
	function pops
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	%rdi, %rbx
	call	other
	mov	CMD_FRAME(%rbx), %rax
	mov	NEXT(%rax), %rax
	mov	%rax, CMD_FRAME(%rbx)
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	end	pops

/* bcFramePtr is at 8(%rsp), which is CFA-40; at the end something else is. */
	.globl	engine
	.protected engine
	function engine
	push	%rbx
	.cfi_def_cfa_offset 16
	push	%r12
	.cfi_def_cfa_offset 24
	sub	$0x18, %rsp
	.cfi_def_cfa_offset 48
	mov	%rdi, %rbx
	mov	%rsi, %r12
	call	other
	mov	%rax, 8(%rsp)
	.globl	engine_set
engine_set:
	movl	$2, (%rax)
	.globl	engine_next
engine_next:
	movzbl	(%r12), %eax
	cmp	$3, %al
	ja	3f
	lea	table(%rip), %rcx
	movzbl	%al, %edx
	movslq	(%rcx,%rdx,4), %rdx
	add	%rcx, %rdx
	jmp	*%rdx
1:	/* Words on the stack: rsp is elsewhere meanwhile. */
	push	$0
	push	$0
	call	other
	add	$0x10, %rsp
	inc	%r12
	jmp	engine_next
2:	mov	8(%rsp), %rax
	mov	%r12, PC(%rax)
	mov	%rax, CMD_FRAME(%rbx)
	mov	%rbx, %rdi
	call	evaluate
	mov	CMD_FRAME(%rbx), %rax
	mov	NEXT(%rax), %rax
	mov	%rax, CMD_FRAME(%rbx)
	inc	%r12
	jmp	engine_next
3:	call	other
	mov	%rax, 8(%rsp)
	.globl	engine_reused
engine_reused:
	call	other
	add	$0x18, %rsp
	.cfi_def_cfa_offset 24
	pop	%r12
	.cfi_def_cfa_offset 16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	end	engine

/* r15: Command, rbx: interp, 8(%rsp) = CFA-40: objc, r13: objv. */
	function evaluate
	push	%r15
	.cfi_def_cfa_offset 16
	push	%r13
	.cfi_def_cfa_offset 24
	push	%rbx
	.cfi_def_cfa_offset 32
	sub	$0x10, %rsp
	.cfi_def_cfa_offset 48
	mov	%rdi, %rbx
	mov	%esi, 8(%rsp)
	mov	%rdx, %r13
	call	other
	mov	%rax, %r15
	mov	%r13, %rcx
	mov	DATA(%r15), %rdi
	mov	8(%rsp), %edx
	mov	%rbx, %rsi
	.globl	evaluate_call
evaluate_call:
	call	*PROC(%r15)
	.globl	evaluate_ret
evaluate_ret:
	call	other
	/* The data of another one than the function's. */
	mov	%rax, %r15
	mov	%r13, %rcx
	mov	8(%rsp), %rax
	mov	DATA(%rax), %rdi
	mov	%rbx, %rsi
	call	*PROC(%r15)
	/* A Command that nothing keeps. */
	mov	(%rsp), %rax
	mov	%rax, %rdx
	mov	DATA(%rdx), %rdi
	mov	%rdx, (%rsp)
	movq	$0, (%rsp)
	mov	%rbx, %rsi
	mov	%r13, %rcx
	call	*PROC(%rdx)
	add	$0x10, %rsp
	.cfi_def_cfa_offset 32
	pop	%rbx
	.cfi_def_cfa_offset 24
	pop	%r13
	.cfi_def_cfa_offset 16
	pop	%r15
	.cfi_def_cfa_offset 8
	ret
	end	evaluate

	.globl	Tcl_IsEnsemble
	.protected Tcl_IsEnsemble
	function Tcl_IsEnsemble
	lea	ensemble(%rip), %rax
	cmp	%rax, PROC(%rdi)
	sete	%al
	ret
	end	Tcl_IsEnsemble

	.globl	ensemble
	.protected ensemble
	function ensemble
	ret
	end	ensemble

/* As TclEvalEx: its CmdFrame is at 8(%rsp), CFA-40, and in rbx as long as its path is not
 * there, and later again. */
	.globl	eval
	.protected eval
	function eval
	push	%rbx
	.cfi_def_cfa_offset 16
	push	%r12
	.cfi_def_cfa_offset 24
	sub	$0x18, %rsp
	.cfi_def_cfa_offset 48
	mov	%rdi, %r12
	call	other
	mov	%rax, %rbx
	mov	%rax, 8(%rsp)
	call	other
	mov	%rbx, CMD_FRAME(%r12)
	call	other
	test	%rax, %rax
	je	9f
	mov	%rax, PATH(%rbx)
	.globl	eval_path
eval_path:
	xor	%ebx, %ebx
	jmp	8f
	.p2align 4
8:	call	other
	mov	8(%rsp), %rdx
	mov	%rdx, CMD_FRAME(%r12)
	call	other
	test	%eax, %eax
	jne	8b
	.globl	eval_both
eval_both:
9:	add	$0x18, %rsp
	.cfi_def_cfa_offset 24
	pop	%r12
	.cfi_def_cfa_offset 16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	end	eval

	function other
	ret
	end	other

	.section .rodata
	.balign	4
table:
	.long	1b - table, 2b - table, 1b - table, 3b - table

/* Of the stub tables, the slots that are looked up. */
	.section .data.rel.ro, "aw", @progbits
	.balign 8
	.globl	stubs
stubs:
	.zero	4336
	.quad	Tcl_IsEnsemble

	.balign 8
	.globl	internal_stubs
internal_stubs:
	.zero	520
	.quad	TclObjInterpProc
	.zero	1312
	.quad	TclObjInterpProcCore

	.section .note.GNU-stack, "", @progbits
