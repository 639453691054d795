/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* But for called_second, the stack pointer is at the return address. */
#include "arch/called.h"

__asm__(".text\n"
	".globl called, called_second, called_later, called_return\n"
	".type called, @function\n"
	"called:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"called_second:\n"
	"	pop %rbp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"called_later:\n"
	"	jmp 1f\n"
	"1:\n"
	"called_return:\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size called, . - called\n");
