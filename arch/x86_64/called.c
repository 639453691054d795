/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* At both places the stack pointer is at the return address. */
#include "arch/called.h"

__asm__(".text\n"
	".globl called, called_later\n"
	".type called, @function\n"
	"called:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pop %rbp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"called_later:\n"
	"	jmp 1f\n"
	"1:	ret\n"
	"	.cfi_endproc\n"
	".size called, . - called\n");
