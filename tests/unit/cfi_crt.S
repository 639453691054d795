/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * For test_cfi_crt: functions that only begin as gcc's do.  That in .fini_array writes
 * a register that it did not save, and that in .init_array jumps to one that moves the
 * stack pointer.
 */
	.section .init_array, "aw"
	.quad	begin
	.section .fini_array, "aw"
	.quad	end

	.text
	.balign	16
away:	lea	away(%rip), %rdi
	lea	away(%rip), %rsi
	sub	$8, %rsp
	add	$8, %rsp
	ret

	.balign	16
end:	endbr64
	cmpb	$0, flag(%rip)
	jne	1f
	push	%rbx
	mov	%rsp, %rbp
	call	away
	movb	$1, flag(%rip)
	pop	%rbx
1:	ret

	.balign	16
begin:	.byte	0xe9
	.long	elsewhere - . - 4
elsewhere:
	push	%rbx
	pop	%rbx
	ret

	.bss
flag:	.byte	0

	.section .note.GNU-stack, "", @progbits
