/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions that exist for their call frame information; nobody runs them.
 * Rows begin 4 bytes apart (STEP), functions at multiples of 16, and each is
 * followed by a gap of at least one byte.  test_cfi.c says what each row means.
 */
	.text

	.macro case name
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro done
	.cfi_endproc
	.skip 1
	.endm

#define STEP .skip 4, 0x90

/* DW_CFA_expression: register \reg is saved at breg\base + \off, which fits
 * two bytes of SLEB128 (-8192 to 8191). */
	.macro saved_at reg, base, off
	.cfi_escape 0x10, \reg, 3, 0x70 + \base
	.cfi_escape ((\off) & 0x7f) | 0x80, ((\off) >> 7) & 0x7f
	.endm

	case case_push
	STEP
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	STEP
	.cfi_def_cfa_offset 24
	.cfi_offset rbp, -24
	STEP
	.cfi_def_cfa_offset 64
	.cfi_offset r12, -32
	.cfi_offset r13, -40
	.cfi_offset r14, -48
	.cfi_offset r15, -56
	STEP
	.cfi_def_cfa_offset 8
	.cfi_restore rbx
	.cfi_restore rbp
	.cfi_restore r12
	.cfi_restore r13
	.cfi_restore r14
	.cfi_restore r15
	STEP
	done

	case case_rbp
	STEP
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	STEP
	.cfi_def_cfa_register rbp
	STEP
	.cfi_offset rbx, -24
	STEP
	.cfi_def_cfa rsp, 8
	STEP
	done

/* What gcc writes for a function that realigns its stack. */
	case case_realign
	STEP
	.cfi_def_cfa r10, 0
	STEP
	saved_at 6, 6, 0
	STEP
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	STEP
	saved_at 15, 6, -16
	saved_at 3, 6, -24
	STEP
	done

	case case_realign_return
	.cfi_escape 0x0f, 5, 0x76, 0x78, 0x06, 0x23, 0x10
	saved_at 16, 6, 8
	saved_at 6, 6, 0
	STEP
	done

/* The linkers' expression; then the same with another mask. */
	case case_plt
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a
	.cfi_escape 0x33, 0x24, 0x22
	STEP
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3e, 0x1a, 0x3b, 0x2a
	.cfi_escape 0x33, 0x24, 0x22
	STEP
	done

/* As __restore_rt in glibc 2.36; \rip is where it says that rip is. */
	.macro all_from_ucontext rip
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 0x06
	saved_at 8, 7, 40
	saved_at 9, 7, 48
	saved_at 10, 7, 56
	saved_at 11, 7, 64
	saved_at 12, 7, 72
	saved_at 13, 7, 80
	saved_at 14, 7, 88
	saved_at 15, 7, 96
	saved_at 5, 7, 104
	saved_at 4, 7, 112
	saved_at 6, 7, 120
	saved_at 3, 7, 128
	saved_at 1, 7, 136
	saved_at 0, 7, 144
	saved_at 2, 7, 152
	saved_at 7, 7, 160
	saved_at 16, 7, \rip
	.endm

	case case_signal
	all_from_ucontext 168
	STEP
	saved_at 13, 7, 400
	STEP
	done

	case case_signal_end
	all_from_ucontext 168
	STEP
	done
	.skip 4

	case case_signal_other_order
	all_from_ucontext 176
	STEP
	done

	case case_signal_plain
	.cfi_signal_frame
	STEP
	done

	case case_root
	.cfi_undefined rip
	STEP
	done

	case case_same
	.cfi_offset r12, -16
	STEP
	.cfi_same_value r12
	STEP
	.cfi_undefined r13
	STEP
	done

/* Saves only on the slow path, which stands in the middle. */
	case case_shrink
	STEP
	.cfi_remember_state
	.cfi_def_cfa_offset 32
	.cfi_offset rbx, -24
	.cfi_offset rbp, -16
	STEP
	.cfi_restore_state
	STEP
	.cfi_def_cfa_offset 32
	.cfi_offset rbx, -24
	.cfi_offset rbp, -16
	STEP
	done

/* -32766 words is the last slot; then one too far, and one between words. */
	case case_far
	.cfi_def_cfa_offset 400000
	.cfi_offset r12, -262128
	.cfi_offset r13, -262136
	.cfi_offset r14, -320000
	STEP
	.cfi_def_cfa rsp, 8
	saved_at 3, 7, 3
	STEP
	done

/* Slots from both bases: the one that rbp has wins. */
	case case_mixed
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	saved_at 6, 6, 0
	.cfi_offset rbx, -16
	STEP
	.cfi_offset rbp, -24
	saved_at 3, 6, -24
	STEP
	done

/* An expression that counts from the CFA's own register. */
	case case_rebase
	.cfi_def_cfa rbp, 16
	saved_at 3, 6, -8
	STEP
	done

	case case_unsupported
	.cfi_escape 0x0f, 4, 0x77, 8, 0x79, 0
	STEP
	.cfi_def_cfa rsp, 0
	.cfi_register rip, rdi
	STEP
	.cfi_restore rip
	.cfi_register rsp, r8
	STEP
	.cfi_offset rsp, 16
	STEP
	.cfi_restore rsp
	.cfi_same_value rip
	STEP
	done

/* The end of longjmp(): rdi is the jmp_buf. */
	case case_jump
	.cfi_def_cfa rdi, 0
	.cfi_register rsp, r8
	.cfi_register rbp, r9
	.cfi_register rip, rdx
	.cfi_offset rbx, 0
	.cfi_offset r12, 16
	.cfi_offset r13, 24
	.cfi_offset r14, 32
	.cfi_offset r15, 40
	STEP
	.cfi_def_cfa rdi, 8
	.cfi_undefined rbx
	.cfi_same_value r15
	STEP
	.cfi_same_value rbp
	STEP
	done

/* Restores a state that was never remembered: no rows from there on. */
	case case_rejected
	STEP
	.cfi_escape 0x0b
	STEP
	done

/* A register whose number is far too high: it is nobody's. */
	case case_huge
	STEP
	.cfi_escape 0x07, 0xff, 0xff, 0xff, 0x1f
	.cfi_remember_state
	.cfi_remember_state
	.cfi_remember_state
	STEP
	done

/* Remembers more often than any compiler. */
	case case_deep
	STEP
	.rept 65
	.cfi_remember_state
	.endr
	STEP
	done

/* Two with the same rule and a gap of 64 bytes. */
	case case_before_gap
	STEP
	.cfi_endproc
	.skip 64

	.globl case_after_gap
case_after_gap:
	.cfi_startproc
	STEP
	done

/* As crti.o and crtn.o have it, with no call frame information. */
	.section .init, "ax", @progbits
	.globl case_init
case_init:
	sub $8, %rsp
	.byte 0x48, 0x8b, 0x05, 0x10, 0x20, 0, 0 /* mov 0x2010(%rip), %rax */
	test %rax, %rax
	je 1f
	call *%rax
1:	add $8, %rsp
	ret

	.section .fini, "ax", @progbits
	.globl case_fini
case_fini:
	endbr64
	sub $8, %rsp
	add $8, %rsp
	ret

	.section .note.GNU-stack, "", @progbits
