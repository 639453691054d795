/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A Tcl bound without symbols, as far as its stub tables and its version go: what
 * test_tcl_probe.c has refused.  tcl_bare.S includes this with another version.
 */
#ifndef LEVEL
#define LEVEL "8.4.20"
#define SHORT "8.4"
#endif
#define MAGIC 0xfca3bacf
#define SLOTS 600

	.section .rodata
	.byte	0
	.asciz	LEVEL
	.asciz	"8.6.1.2"
	.asciz	"/usr/share/tcltk/tcl" SHORT
	.asciz	"8.9.9"

	.section .data.rel.ro, "aw", @progbits
	.balign	32
/* Another package's table: too short, and the next one's magic shows it. */
	.quad	MAGIC, hooks
	.rept	100
	.quad	function
	.endr
inner:
	.quad	MAGIC, 0
	.quad	function
	.balign	32
	.quad	MAGIC, hooks
	.rept	12
	.quad	function
	.endr
	.quad	0, 0
	.rept	SLOTS - 14
	.quad	function
	.endr
hooks:
	.quad	inner, inner, inner

	.text
	.type	function, @function
function:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	function, . - function

	.section .note.GNU-stack, "", @progbits
