/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The registers of the caller, as a sample just behind the call would see them. */
#include "host.h"

_Static_assert(offsetof(struct perf_regs, di) == 14 * 8, "order below");
_Static_assert(offsetof(struct perf_regs, ip) == 16 * 8, "order below");
_Static_assert(offsetof(struct perf_regs, sp) == 19 * 8, "order below");

__asm__(".text\n"
	".globl host_here\n"
	".hidden host_here\n"
	".type host_here, @function\n"
	"host_here:\n"
	"	.cfi_startproc\n"
	"	mov %r15, 0(%rdi)\n"
	"	mov %r14, 8(%rdi)\n"
	"	mov %r13, 16(%rdi)\n"
	"	mov %r12, 24(%rdi)\n"
	"	mov %rbp, 32(%rdi)\n"
	"	mov %rbx, 40(%rdi)\n"
	"	mov %r11, 48(%rdi)\n"
	"	mov %r10, 56(%rdi)\n"
	"	mov %r9, 64(%rdi)\n"
	"	mov %r8, 72(%rdi)\n"
	"	mov %rax, 80(%rdi)\n"
	"	mov %rcx, 88(%rdi)\n"
	"	mov %rdx, 96(%rdi)\n"
	"	mov %rsi, 104(%rdi)\n"
	"	mov %rdi, 112(%rdi)\n"
	"	movq $-1, 120(%rdi)\n"
	"	mov (%rsp), %rax\n"
	"	mov %rax, 128(%rdi)\n"
	"	movq $0x33, 136(%rdi)\n"
	"	movq $0x202, 144(%rdi)\n"
	"	lea 8(%rsp), %rax\n"
	"	mov %rax, 152(%rdi)\n"
	"	movq $0x2b, 160(%rdi)\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size host_here, . - host_here\n");
