/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The strings that altlink.S lacks, for test_altlink.c. */
	.section .debug_str, "", @progbits
	.asciz ""
	.asciz "/folder"		/* 1 */
	.asciz "moved"			/* 9 */
	.section .debug_info, "", @progbits
	.long 0
	.section .note.GNU-stack, "", @progbits
