/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Go's table, made by hand (user/elf/golang.c says what is in it), of functions with
 * the instructions that real ones have (Go 1.19; go_pushes: 1.21).  test_golang.c says
 * what each row means.
 */
	.section .go.buildinfo, "a", @progbits
	.quad 0

	/* The parts of the table are subsections: names, rows, functions, what
	 * describes them. */
	.section .gopclntab, "aw", @progbits
	.globl table
	.balign 32
table:	.long 0xfffffff0
	.byte 0, 0, 1, 8
	.quad (descriptions - functions) / 8
	.quad 0
	.quad text_start
	.quad names - table, 0, 0, rows - table, functions - table
	.subsection 1
names:	.byte 0
	.subsection 2
rows:	.byte 0
	.subsection 3
	.balign 4
functions:
	.subsection 4
descriptions:
	.long text_end - text_start, 0

	/* A function: its label, flags (see golang.h) and Go's name. */
	.macro go label, flags, text
	.globl \label
\label:
\label\()_0:
	.pushsection .gopclntab, 1
.Ln_\label:
	.asciz "\text"
	.popsection
	.pushsection .gopclntab, 2
.Lr_\label:
	.popsection
	.pushsection .gopclntab, 3
	.long \label\()_0 - text_start, .Ld_\label - functions
	.popsection
	.pushsection .gopclntab, 4
.Ld_\label:
	.long \label\()_0 - text_start, .Ln_\label - names, 0, 0
	.long .Lr_\label - rows, 0, 0, 0, 0
	.byte 0, \flags, 0, 0
	.popsection
	.endm

	/* The end of row number \to; \change is from the depth before, -1 at first,
	 * twice its amount, less one when it is down. */
	.macro row label, from, to, change
	.globl \label\()_\to
\label\()_\to:
	.pushsection .gopclntab, 2
	.uleb128 \change
	.uleb128 \label\()_\to - \label\()_\from
	.popsection
	.endm

	.macro at label
	.globl \label
\label:
	.endm

	.text
text_start:
	go go_plain, 0, main.plain
	cmp 0x10(%r14), %rsp
	jbe 1f
	sub $0x18, %rsp
	row go_plain, 0, 1, 2
	mov %rbp, 0x10(%rsp)
	at go_plain_saved
	lea 0x10(%rsp), %rbp
	call go_plain_0
	mov 0x10(%rsp), %rbp
	add $0x18, %rsp
	row go_plain, 1, 2, 48
	ret
1:	jmp go_plain_0
	row go_plain, 2, 3, 47

	go go_pushes, 0, main.pushes
	push %rbp
	row go_pushes, 0, 1, 2
	mov %rsp, %rbp
	sub $0x10, %rsp
	row go_pushes, 1, 2, 16
	call go_plain_0
	add $0x10, %rsp
	row go_pushes, 2, 3, 32
	pop %rbp
	row go_pushes, 3, 4, 31
	ret
	row go_pushes, 4, 5, 15

	/* rbp is not saved where a frame is made: nothing is known of it. */
	go go_odd, 0, main.odd
	sub $0x18, %rsp
	row go_odd, 0, 1, 2
	nop
	add $0x18, %rsp
	row go_odd, 1, 2, 48
	ret
	row go_odd, 2, 3, 47

	go go_assembly, 4, main.assembly
	ret
	row go_assembly, 0, 1, 2

	go goexit, 5, runtime.goexit
	nop
	call go_plain_0
	nop
	row goexit, 0, 1, 2

	/* Not a root by its name alone, nor by its flag. */
	go go_not_top, 0, runtime.mstart
	ret
	row go_not_top, 0, 1, 2
	go go_top, 1, runtime.sigtramp
	ret
	row go_top, 0, 1, 2

	go async_preempt, 4, runtime.asyncPreempt
	push %rbp
	row async_preempt, 0, 1, 2
	mov %rsp, %rbp
	pop %rbp
	row async_preempt, 1, 2, 16
	ret
	row async_preempt, 2, 3, 15

	go crosscall2, 4, crosscall2
	sub $0x30, %rsp
	row crosscall2, 0, 1, 2
	mov %rbp, 0x28(%rsp)
	lea 0x28(%rsp), %rbp
	mov %rbx, (%rsp)
	mov %r12, 0x8(%rsp)
	mov %r13, 0x10(%rsp)
	mov %r14, 0x18(%rsp)
	mov %r15, 0x20(%rsp)
	at crosscall2_saved
	sub $0x18, %rsp
	row crosscall2, 1, 2, 96
	call go_plain_0
	add $0x18, %rsp
	row crosscall2, 2, 3, 48
	add $0x30, %rsp
	row crosscall2, 3, 4, 47
	ret
	row crosscall2, 4, 5, 95

	/* So far away no slot can say it. */
	go go_huge, 4, crosscall2
	sub $0x1000000, %rsp
	row go_huge, 0, 1, 2
	mov %rbp, 0xfffff8(%rsp)
	lea 0xfffff8(%rsp), %rbp
	mov %rbx, (%rsp)
	mov %r12, 0x8(%rsp)
	mov %r13, 0x10(%rsp)
	mov %r14, 0x18(%rsp)
	mov %r15, 0x20(%rsp)
	at go_huge_saved
	add $0x1000000, %rsp
	row go_huge, 1, 2, 0x2000000
	ret
	row go_huge, 2, 3, 0x1ffffff

	go cgocallback, 6, runtime.cgocallback
	sub $0x20, %rsp
	row cgocallback, 0, 1, 2
	mov %rbp, 0x18(%rsp)
	lea 0x18(%rsp), %rbp
	at cgocallback_pointed
	mov %rdi, %rsp
	call *%rax
	mov 0x38(%rsi), %rsp
	mov 0x18(%rsp), %rbp
	at cgocallback_back
	add $0x20, %rsp
	row cgocallback, 1, 2, 64
	ret
	row cgocallback, 2, 3, 63

	go asmcgocall, 6, runtime.asmcgocall
	mov %rsp, %rdx
	test %rdi, %rdi
	je 1f
	call go_plain_0
	mov 0x38(%rsi), %rsp
	at asmcgocall_switched
	sub $0x40, %rsp
	and $-16, %rsp
	mov %rdi, 0x30(%rsp)
	mov 0x8(%rdi), %rdi
	sub %rdx, %rdi
	mov %rdi, 0x28(%rsp)
	at asmcgocall_stored
	call *%rax
	mov 0x30(%rsp), %rdi
	mov 0x8(%rdi), %rsi
	sub 0x28(%rsp), %rsi
	mov %rsi, %rsp
	at asmcgocall_taken
	ret
1:
	at asmcgocall_thread
	sub $0x40, %rsp
	and $-16, %rsp
	mov %rdx, 0x28(%rsp)
	at asmcgocall_kept
	call *%rax
	mov 0x28(%rsp), %rsi
	mov %rsi, %rsp
	at asmcgocall_back
	ret
	row asmcgocall, 0, 1, 2

	go systemstack, 6, runtime.systemstack
	mov 0x38(%rdx), %rbx
	mov %rbx, %rsp
	at systemstack_switched
	mov (%rdi), %rdi
	call *%rdi
	mov %fs:-8, %rax
	mov 0x30(%rax), %rbx
	mov 0xc0(%rbx), %rax
	mov %rax, %fs:-8
	mov 0x38(%rax), %rsp
	at systemstack_back
	ret
	row systemstack, 0, 1, 2

	/* The same where the last of it is not what it is known to be. */
	go go_unknown_switch, 6, runtime.systemstack
	mov %rbx, %rsp
	call *%rdi
	mov 0x38(%rax), %rsp
	ret
	row go_unknown_switch, 0, 1, 2
	go morestack, 6, runtime.morestack
	mov 0x38(%rbx), %rsp
	call go_plain_0
	row morestack, 0, 1, 2

	go go_before, 0, main.before
	ret
	int3
	int3
	row go_before, 0, 1, 2
	go sigreturn, 4, runtime.sigreturn
	mov $15, %rax
	syscall
	int3
	row sigreturn, 0, 1, 2

	/* A table that ends too early. */
	go go_short, 0, main.short
	nop
	row go_short, 0, 1, 2
	.pushsection .gopclntab, 2
	.byte 0, 0
	.popsection
	nop
	.globl text_end
text_end:
	.section .note.GNU-stack, "", @progbits
