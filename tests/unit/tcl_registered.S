/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Calls of Tcl_RegisterConfig() through Tcl's stub table, as the compiler leaves them in an
 * extension: what test_tcl_registered.c finds.  0xfd8: the function's place in the table.
 */
	.text

	.macro	function name
	.globl	\name
	.type	\name, @function
\name:	.cfi_startproc
	.endm
	.macro	finish name
	.cfi_endproc
	.size	\name, . - \name
	.p2align 4
	.endm

/* The last thing that a function does. */
	function jumps
	mov	stubs(%rip), %rax
	lea	encoding(%rip), %rcx
	lea	one_config(%rip), %rdx
	lea	one(%rip), %rsi
	mov	0xfd8(%rax), %rax
	jmp	*%rax
	finish	jumps

/* Called straight from the table. */
	function calls
	push	%rbx
	.cfi_adjust_cfa_offset 8
	mov	%rdi, %rbx
	mov	stubs(%rip), %rax
	lea	encoding(%rip), %rcx
	lea	two_config(%rip), %rdx
	lea	two(%rip), %rsi
	call	*0xfd8(%rax)
	xor	%eax, %eax
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	finish	calls

/* The array is not known, and another function of the table. */
	function unknown
	mov	stubs(%rip), %rax
	mov	0xfd8(%rax), %rax
	jmp	*%rax
	finish	unknown
	function another
	mov	stubs(%rip), %rax
	lea	one_config(%rip), %rdx
	mov	0xfd0(%rax), %rax
	jmp	*%rax
	finish	another

	.section .rodata
one:	.string	"one"
two:	.string	"two"
key:	.string	"threaded"
value:	.string	"1"
more:	.string	"libdir,runtime"
folder:	.string	"/usr/lib/one"
encoding: .string "utf-8"

	.section .data.rel.ro, "aw"
	.p2align 3
one_config:
	.quad	key, value, more, folder, 0, 0
two_config:
	.quad	key, value, 0, 0

	.bss
	.p2align 3
stubs:	.skip	8

	.section .note.GNU-stack, "", @progbits
