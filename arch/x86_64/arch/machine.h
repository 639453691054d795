/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What ELF files of the architecture have: its number, relocations, folders (x86-64
 * psABI, 4.4). */
#ifndef JPBPF_ARCH_MACHINE_H
#define JPBPF_ARCH_MACHINE_H

#include <elf.h>

#define ARCH_MACHINE   EM_X86_64
#define ARCH_LOADER    "ld-linux-x86-64.so.2"
#define ARCH_LIBRARIES "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu"

enum {
	RELOC_WORD = R_X86_64_64,	/* a symbol's address */
	RELOC_DATA = R_X86_64_GLOB_DAT, /* the same, of the GOT */
	RELOC_RELATIVE =
		R_X86_64_RELATIVE, /* where the file is, and the addend */
	RELOC_RELATIVE64 = R_X86_64_RELATIVE64,
	RELOC_INDIRECT = R_X86_64_IRELATIVE, /* what a function returns */
};

#endif
