/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* CIEs and FDEs of .eh_frame and .debug_frame, parsed by libdw. */
#ifndef JPBPF_USER_ELF_CIE_H
#define JPBPF_USER_ELF_CIE_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include <jpbpf/types.h>

/* Parses the entry at an offset and sets *next to the offset of the next entry.
 * Returns what dwarf_next_cfi() returns. */
int cie_next(const Elf_Data *frames, bool eh, u64 offset, Dwarf_Off *next,
	     Dwarf_CFI_Entry *out);
/* The encoding (DW_EH_PE_*) of the start addresses in the FDEs of this CIE;
 * -EBADMSG if the augmentation is malformed or unknown. */
int cie_encoding(const Dwarf_CIE *cie);

#endif
