/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * To know what a packed section unpacks to, its packed bytes have to be read, so
 * these are counted first.  libelf gives no more memory than what is stated there.
 */
#include "user/elf/section.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define NAMES_MAX (16u << 20) /* bytes */

bool section_few(int fd)
{
	Elf64_Ehdr h;
	Elf64_Shdr first;

	/* What is no such file is not opened by anybody. */
	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG))
		return true;
	if (h.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	/* Extended numbering: the count stands in section 0. */
	if (h.e_shnum || !h.e_shoff ||
	    pread(fd, &first, sizeof(first), (off_t)h.e_shoff) != sizeof(first))
		return true;
	return first.sh_size <= SECTIONS_MAX;
}

bool section_take(Elf_Scn *scn, const GElf_Shdr *sh, u64 *room)
{
	u64 size = sh->sh_size;
	GElf_Chdr ch;

	if (sh->sh_type == SHT_NOBITS)
		return true;
	if (size > *room)
		return false;
	if (sh->sh_flags & SHF_COMPRESSED) {
		if (!gelf_getchdr(scn, &ch))
			return false;
		if (ch.ch_size > size)
			size = ch.ch_size;
	}
	if (size > *room)
		return false;
	*room -= size;
	return true;
}

int section_names(Elf *elf, size_t *index)
{
	u64 room = NAMES_MAX;
	Elf_Scn *scn;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, index))
		return -ENOEXEC;
	scn = elf_getscn(elf, *index);
	if (!scn || !gelf_getshdr(scn, &sh))
		return -ENOEXEC;
	return section_take(scn, &sh, &room) ? 0 : -EFBIG;
}
