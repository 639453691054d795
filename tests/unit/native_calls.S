/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions whose calls begin and end in many ways; test_native_calls.c has the places. */
	.text

	.macro	function name
	.globl	\name
	.protected \name
	.type	\name, @function
\name:
	.cfi_startproc
	.endm
	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm
	.macro	at name
	.globl	\name
	.protected \name
\name:
	.endm

	function plain
at plain_enter
	push	%rbx
	.cfi_def_cfa_offset 16
	call	*%rdi
	pop	%rbx
	.cfi_def_cfa_offset 8
at plain_leave
	ret
	end	plain

	function several
	endbr64
	mov	%rdi, %rax
	sub	$24, %rsp
	.cfi_def_cfa_offset 32
	test	%rdi, %rdi
at several_enter
	je	1f
	add	$24, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
at several_first
	ret
1:	.cfi_restore_state
	add	$24, %rsp
	.cfi_def_cfa_offset 8
	cmp	$9, %rsi
	je	2f
at several_second
	rep ret
2:	ud2
	end	several

	function nothing
at nothing_enter
	xor	%eax, %eax
at nothing_leave
	ret
	end	nothing

/* The nop that the kernel writes, and one that is longer than it writes. */
	function patched
	endbr64
	.byte	0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
at patched_enter
	.byte	0x0f, 0x1f, 0x44, 0, 0
	xor	%eax, %eax
at patched_leave
	ret
	end	patched

/* The stack's depth is not known at the push. */
	function aligned
at aligned_enter
	lea	8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and	$-32, %rsp
	push	-8(%r10)
	push	%rbp
	mov	%rsp, %rbp
	push	%r10
	.cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06
	call	*%rdi
	pop	%r10
	.cfi_def_cfa %r10, 0
	pop	%rbp
	lea	-8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
at aligned_tail
	jmp	plain
	end	aligned

	function tails
at tails_enter
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	%rdi, %rbx
	pop	%rbx
	.cfi_def_cfa_offset 8
	test	%rdi, %rdi
at tails_when_equal
	je	plain
	cmp	$1, %rdi
at tails_when_above
	ja	several
	cmp	$2, %rdi
	je	1f
	cmp	$3, %rdi
	je	2f
	cmp	$4, %rdi
	je	3f
at tails_stub
	jmp	stub
1:
at tails_register
	jmp	*%rsi
2:	mov	(%rsi), %rax
at tails_memory
	jmp	*24(%rax)
3:	lea	pointers(%rip), %rax
at tails_array
	jmp	*(%rax,%rdi,8)
	end	tails

/* It is the first instruction that the kernel emulates, too. */
	function wrapper
	mov	%rdi, %rsi
at wrapper_jump
	jmp	plain
	end	wrapper

/* In a section without call frame information of its own, as of a linker's stubs. */
	.p2align 4
	.cfi_startproc
	nop
stub:
	jmp	*pointers(%rip)
	.cfi_endproc

/* Jumps over a prefix go into an instruction. */
	function locked
at locked_enter
	je	1f + 1
1:	lock addl %eax, (%rdi)
at locked_leave
	ret
	end	locked

/* No uprobe can be at the first instruction. */
	function counter
	lock incl (%rdi)
at counter_enter
	xor	%eax, %eax
at counter_leave
	ret
	end	counter

/* No frame at all: what the rare part returns from and jumps to is the function's. */
	function rare
	test	%rdi, %rdi
at rare_enter
	jne	rare.cold
at rare_middle
	xor	%eax, %eax
at rare_leave
	ret
	end	rare
	.section .text.unlikely, "ax", @progbits
	.type	rare.cold, @function
rare.cold:
	.cfi_startproc
	mov	(%rdi), %rax
	test	%rax, %rax
	jne	rare_middle
at rare_cold_leave
	ret
	.cfi_endproc
	.size	rare.cold, . - rare.cold
	.text

/* The same without a symbol. */
	function stripped
	test	%rdi, %rdi
at stripped_enter
	jne	.Lcold
	xor	%eax, %eax
at stripped_leave
	ret
	end	stripped
	.section .text.unlikely, "ax", @progbits
	.cfi_startproc
.Lcold:
	mov	(%rdi), %rax
at stripped_cold_leave
	ret
	.cfi_endproc
	.text

/* With a frame, and a rare part that is entered in two places; symbol is like any other. */
	function framed
at framed_enter
	push	%rbx
	.cfi_def_cfa_offset 16
	test	%rdi, %rdi
	jne	framed_part
	cmp	$1, %rsi
	je	framed_inside
at framed_back
	pop	%rbx
	.cfi_def_cfa_offset 8
at framed_tail
	jmp	plain
	end	framed
	.section .text.unlikely, "ax", @progbits
	.globl	framed_part
	.protected framed_part
framed_part:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	call	*%rdi
framed_inside:
	test	%rax, %rax
	je	framed_back
	pop	%rbx
	.cfi_def_cfa_offset 8
at framed_part_leave
	ret
	.cfi_endproc
	.size	framed_part, . - framed_part
	.text

	function switches
	cmp	$2, %edi
at switches_enter
	ja	1f
	lea	distances(%rip), %rdx
	mov	%edi, %edi
	movslq	(%rdx,%rdi,4), %rax
	add	%rdx, %rax
	jmp	*%rax
1:	xor	%eax, %eax
at switches_first
	ret
2:	mov	$1, %eax
at switches_second
	ret
3:	mov	$2, %eax
at switches_tail
	jmp	plain
	end	switches

/* A switch by addresses, without a bound. */
	function jumps
at jumps_enter
	lea	addresses(%rip), %rdx
	mov	(%rdx,%rdi,8), %rax
	jmp	*%rax
at jumps_1
	xor	%eax, %eax
at jumps_first
	ret
at jumps_2
	mov	$1, %eax
at jumps_second
	ret
	end	jumps

	function loops
	add	(%rdi), %rax
	add	$8, %rdi
	cmp	%rsi, %rdi
	jb	loops
	ret
	end	loops

	function again
	endbr64
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	%rdi, %rbx
	pop	%rbx
	.cfi_def_cfa_offset 8
	jmp	again
	end	again

	function other_stack
	push	%rbx
	.cfi_def_cfa_offset 16
	mov	8(%rdi), %rsp
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	end	other_stack

	function exchange
	xchg	%rsp, %rdi
	ret
	end	exchange

	function broken
	push	%rbx
	.cfi_def_cfa_offset 16
	.byte	0x06
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	end	broken

	.section .rodata
	.balign	4
distances:
	.long	1b - distances, 2b - distances, 3b - distances

	.section .data.rel.ro, "aw", @progbits
	.balign	8
pointers:
	.quad	plain, several
addresses:
	.quad	jumps_1, jumps_2

	.section .note.GNU-stack, "", @progbits
