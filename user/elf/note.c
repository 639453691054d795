/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/elf/note.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "user/elf/module.h"

#define MAX_NOTES    65536UL /* bytes of one segment */
#define MAX_SEGMENTS 128

struct wanted {
	const char *owner;
	u32 type;
	void *out;
	size_t size;
};

static int find_in(Elf *elf, const GElf_Phdr *ph, const struct wanted *note,
		   u64 *vaddr)
{
	Elf_Data *notes = elf_getdata_rawchunk(
		elf, (s64)ph->p_offset, ph->p_filesz,
		ph->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name, desc, len = strlen(note->owner) + 1;
	GElf_Nhdr n;

	while (notes && (at = gelf_getnote(notes, at, &n, &name, &desc))) {
		const u8 *bytes = notes->d_buf;

		if (n.n_type != note->type || n.n_namesz != len ||
		    memcmp(bytes + name, note->owner, len) != 0 ||
		    n.n_descsz != note->size)
			continue;
		memcpy(note->out, bytes + desc, note->size);
		*vaddr = ph->p_vaddr + desc;
		return 0;
	}
	return -ENOENT;
}

int note_find(const struct module *m, const char *owner, u32 type, void *out,
	      size_t size, u64 *vaddr)
{
	const struct wanted note = { owner, type, out, size };
	Elf *elf = module_handle(m);
	GElf_Phdr ph;
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n))
		return -ENOENT;
	for (size_t i = 0; i < n && i < MAX_SEGMENTS; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_NOTE &&
		    ph.p_filesz <= MAX_NOTES &&
		    !find_in(elf, &ph, &note, vaddr))
			return 0;
	return -ENOENT;
}
