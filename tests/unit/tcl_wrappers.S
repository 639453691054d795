/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions that make commands, and those whose addresses they make, as the
 * compiler leaves them in Tcl 9: what test_tcl_wrappers.c finds.
 */
	.text

	.macro	function name
	.globl	\name
	.protected \name
	.type	\name, @function
\name:	.cfi_startproc
	endbr64
	.endm
	.macro	finish name
	.cfi_endproc
	.size	\name, . - \name
	.p2align 4
	.endm

/* info->proc(info->clientData, interp, objc, objv) */
	function wrapper
	test	%edx, %edx
	mov	8(%rdi), %r8
	mov	(%rdi), %rax
	mov	%r8, %rdi
	jmp	*%rax
	finish	wrapper

/* The same with two ways out, and nreProc. */
	function nre_wrapper
	cmp	$0x7fffffff, %rdx
	jg	1f
	mov	0x20(%rdi), %r8
	mov	8(%rdi), %rdi
	jmp	*%r8
1:	ret
	finish	nre_wrapper

/* The deleteProc of both: info->deleteProc(info->deleteData) */
	function deletes
	mov	0x10(%rdi), %rax
	mov	0x18(%rdi), %rdi
	jmp	*%rax
	finish	deletes

/* It reads what a wrapper does, and calls nothing that it has read. */
	function reads
	mov	8(%rdi), %rax
	add	(%rdi), %rax
	mov	(%rdi), %rdx
	ret
	finish	reads

/* It goes where its client data say after they have become something else. */
	function changes
	mov	(%rdi), %rdi
	mov	8(%rdi), %rax
	jmp	*%rax
	finish	changes

	function Tcl_CreateObjCommand
	lea	changes(%rip), %rdx
	lea	reads(%rip), %r8
	ret
	finish	Tcl_CreateObjCommand

	function Tcl_CreateObjCommand2
	lea	wrapper(%rip), %rdx
	lea	deletes(%rip), %r8
	ret
	finish	Tcl_CreateObjCommand2

	function Tcl_NRCreateCommand2
	lea	nre_wrapper(%rip), %rcx
	lea	wrapper(%rip), %rdx
	lea	deletes(%rip), %r9
	ret
	finish	Tcl_NRCreateCommand2

/* Of the stub table, the slots that are looked up. */
	.section .data.rel.ro, "aw", @progbits
	.balign 8
	.globl	stubs
stubs:
	.zero	784
	.quad	Tcl_CreateObjCommand
	.zero	4632
	.quad	Tcl_CreateObjCommand2
	.zero	8
	.quad	Tcl_NRCreateCommand2
