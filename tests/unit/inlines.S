/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions that were put into others, for test_inlines.c: DWARF made by hand, one unit
 * that is sound, and one in which each namespace says that its child is its sibling: two
 * ways lead to each, four to the next.  Code is
 * named by its distance from the first byte, which is all that matters of it.
 */
	.file 1 "/no/such folder/made.c"
	.text
text:
	.loc 1 1
	.fill 0x100, 1, 0x90
text_end:

	.set CHILDREN, 1
	.set NAME, 0x03
	.set LOW, 0x11
	.set HIGH, 0x12
	.set SIBLING, 0x01
	.set STRING, 0x08
	.set REF4, 0x13
	.set ADDR, 0x01
	.set DATA4, 0x06

	.section .debug_line, "", @progbits
lines:
	.section .debug_abbrev, "", @progbits
abbrev:
	.macro abbrev number, tag, children, attributes:vararg
	.uleb128 \number, \tag
	.byte \children
	.uleb128 \attributes
	.uleb128 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x10, 0x17, LOW, ADDR, HIGH, DATA4	/* unit */
	abbrev 2, 0x39, 1, NAME, STRING				/* namespace */
	abbrev 3, 0x2e, 1, NAME, STRING, LOW, ADDR, HIGH, DATA4	/* subprogram */
	abbrev 4, 0x2e, 0, NAME, STRING				/* of no code */
	abbrev 5, 0x2e, 0, NAME, STRING, 0x6e, STRING		/* linkage_name */
	abbrev 6, 0x1d, 1, 0x31, REF4, LOW, ADDR, HIGH, DATA4, \
		0x58, 0x0b, 0x59, 0x05				/* inlined */
	abbrev 7, 0x1d, 1, LOW, ADDR, HIGH, DATA4		/* of nothing */
	abbrev 8, 0x0b, 1, LOW, ADDR, HIGH, DATA4		/* block */
	abbrev 9, 0x39, 1, NAME, STRING, SIBLING, REF4		/* namespace */
	.uleb128 0

	/* What has children is closed by `end`. */
	.macro unit number
unit\number:
	.long end\number - begin\number
begin\number:
	.short 4
	.long abbrev
	.byte 8
	.uleb128 1
	.long lines
	.quad text
	.long text_end - text
	.endm
	.macro range from, to
	.quad text + \from
	.long \to - \from
	.endm
	.macro namespace name
	.uleb128 2
	.asciz "\name"
	.endm
	.macro function name, from, to
	.uleb128 3
	.asciz "\name"
	range \from, \to
	.endm
	.macro origin label, name
\label:	.uleb128 4
	.asciz "\name"
	.endm
	.macro inlined label, from, to, file, line, unit=unit1
	.uleb128 6
	.long \label - \unit
	range \from, \to
	.byte \file
	.short \line
	.endm
	.macro end
	.uleb128 0
	.endm

	.section .debug_info, "", @progbits
	unit 1
	namespace app
	origin shallow, shallow
	namespace ""
	origin inner, inner
	end
	end
	origin plain, plain
linked:	.uleb128 5
	.asciz "get"
	.asciz "_ZN3app3boxIiE3getEv"
	origin nameless, ""
	namespace app
	function whole, 0, 0x40
	inlined shallow, 4, 0x10, 1, 12
	.uleb128 8
	range 8, 0x10
	inlined inner, 8, 0x0c, 1, 13
	end
	end
	end
	/* A function of its own, in another. */
	inlined plain, 0x10, 0x20, 1, 14
	function local, 0x14, 0x20
	inlined linked, 0x18, 0x1c, 1, 15
	end
	end
	end
	inlined nameless, 0x20, 0x24, 9, 16	/* there is no such file */
	end
	inlined plain, 0x24, 0x28, 1, 0		/* nor such a line */
	end
	.uleb128 7
	range 0x28, 0x2c
	end
	end
	end
	/* More of them than are shown. */
	function deep, 0x40, 0x50
	.set line, 1
	.rept 80
	inlined plain, 0x40, 0x50, 1, line
	.set line, line + 1
	.endr
	.rept 80
	end
	.endr
	end
	end
end1:
	unit 2
	inlined far, 0x60, 0x70, 1, 17, unit2
	end
	.rept 32
	.uleb128 9
	.asciz "again"
	.long 77f - unit2
77:
	.endr
	.rept 32
	end
	.endr
	origin far, far
	end
end2:
	.section .note.GNU-stack, "", @progbits
