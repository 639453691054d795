/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Symbols of every kind that native.c tells apart, for test_native.c.  Each
 * block is 16 bytes long, so the offset in .text says which one it is.
 */
	.text
	.p2align 12

	/* 0x00: sized, then 8 bytes that nobody names */
	.globl sized
	.type sized, @function
sized:
	.cfi_startproc
	.fill 8, 1, 0x90
	.cfi_endproc
	.size sized, 8
	.fill 8, 1, 0xcc

	/* 0x10: no size, with FDE */
	.globl unsized
	.type unsized, @function
unsized:
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc

	/* 0x20: an FDE without any symbol */
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc

	/* 0x30: aliases; the plain global one is wanted */
	.globl alias
	.globl __alias
	.weak aliax
	.type alias, @function
	.type __alias, @function
	.type aliax, @function
	.type local_alias, @function
alias:
__alias:
aliax:
local_alias:
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc
	.size alias, 16
	.size __alias, 16
	.size aliax, 16
	.size local_alias, 16

	/* 0x40: a label inside a function */
	.globl outer
	.type outer, @function
outer:
	.cfi_startproc
	.fill 4, 1, 0x90
inner_label:
	.fill 12, 1, 0x90
	.cfi_endproc
	.size outer, 16

	/* 0x50: C++ */
	.globl _ZN3foo3barEi
	.type _ZN3foo3barEi, @function
_ZN3foo3barEi:
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc
	.size _ZN3foo3barEi, 16

	/* 0x60: test_native.c gives it a version */
	.globl versioned
	.type versioned, @function
versioned:
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc
	.size versioned, 16

	/* 0x70: local only: gone when stripped */
	.type hidden, @function
hidden:
	.cfi_startproc
	.fill 16, 1, 0x90
	.cfi_endproc
	.size hidden, 16

	/* 0x80: neither symbol nor FDE */
	.fill 16, 1, 0x90

	/* 0x90: a symbol without size or FDE, up to the section's end at 0xa0 */
	.globl bare
bare:
	.fill 16, 1, 0x90

	.data
	.globl data_symbol
	.type data_symbol, @object
	.size data_symbol, 8
data_symbol:
	.quad 0
