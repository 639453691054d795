/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decodes CIE augmentation strings letter by letter (Linux Standard Base 5.0, Core,
 * 10.6.1.1.1).
 */
#include "user/elf/cie.h"

#include <dwarf.h>
#include <errno.h>
#include <stddef.h>

#include "user/elf/pointer.h"

/* dwarf_next_cfi() reads only the class and the byte order of the ident. */
int cie_next(const Elf_Data *frames, bool eh, u64 offset, Dwarf_Off *next,
	     Dwarf_CFI_Entry *out)
{
	static const unsigned char ident[EI_NIDENT] = { ELFMAG0,    ELFMAG1,
							ELFMAG2,    ELFMAG3,
							ELFCLASS64, ELFDATA2LSB,
							EV_CURRENT };

	return dwarf_next_cfi(ident, (Elf_Data *)frames, eh, offset, next, out);
}

int cie_encoding(const Dwarf_CIE *cie)
{
	const char *a = cie->augmentation;
	struct pointer_cursor c = { .at = cie->augmentation_data };
	u8 byte = 0;
	u64 skipped;

	if (!a || *a != 'z')
		return DW_EH_PE_absptr;
	if (!c.at)
		return -EBADMSG;
	c.end = c.at + cie->augmentation_data_size;
	while (*++a) {
		switch (*a) {
		case 'R':
			return pointer_take_bytes(&c, &byte, 1) ? -EBADMSG
								: byte;
		case 'L':
			if (pointer_take_bytes(&c, &byte, 1))
				return -EBADMSG;
			break;
		case 'P':
			if (pointer_take_bytes(&c, &byte, 1) ||
			    byte == DW_EH_PE_aligned ||
			    pointer_take_value(&c, byte, &skipped))
				return -EBADMSG;
			break;
		case 'S':
		case 'B':
			break;
		default:
			return -EBADMSG;
		}
	}
	return DW_EH_PE_absptr;
}
