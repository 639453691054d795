/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Entries of .eh_frame and .debug_frame, which libdw takes apart. */
#ifndef JPBPF_USER_ELF_CIE_H
#define JPBPF_USER_ELF_CIE_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include <jpbpf/types.h>

/* The entry at an offset, and the offset of the next: see dwarf_next_cfi(). */
int cie_next(const Elf_Data *frames, bool eh, u64 offset, Dwarf_Off *next,
	     Dwarf_CFI_Entry *out);
/* How FDEs of this CIE write their start (DW_EH_PE_*); -EBADMSG when that is not
 * said. */
int cie_encoding(const Dwarf_CIE *cie);

#endif
