/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The headers, then the search table as .eh_frame_hdr has it (Linux Standard Base
 * 5.0, Core, 10.6.2), then the frames.  With the table libdw keeps only the entries
 * that it is asked for; it finds all three by the names of their sections.
 */
#include "user/unwind/cfi_image.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "arch/machine.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

enum { NONE, TABLE, FRAMES, NAMES, SECTIONS };

struct head {
	Elf64_Ehdr elf;
	Elf64_Shdr section[SECTIONS];
	char names[48];
};

/* Addresses are plain numbers: relative to nothing. */
struct table {
	u8 version, frames_encoding, count_encoding, row_encoding;
	u32 frames, count;
	struct {
		u32 start, entry;
	} row[];
};

static const struct head head = {
	.elf = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = ARCH_MACHINE,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct head, section),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	},
	.section[NAMES] = {
		.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct head, names),
		.sh_size = sizeof(head.names),
		.sh_addralign = 1,
	},
	.names = "\0.names\0.eh_frame_hdr\0.eh_frame\0.debug_frame",
};

static void add_section(struct head *h, int number, u32 name, u64 at, u64 size)
{
	h->section[number] = (Elf64_Shdr){
		.sh_name = name,
		.sh_type = SHT_PROGBITS,
		.sh_offset = at,
		.sh_size = size,
		.sh_addralign = 1,
	};
}

static void fill_table(struct table *t, u64 vaddr,
		       const struct module_function *f, size_t n)
{
	*t = (struct table){
		1, DW_EH_PE_udata4, DW_EH_PE_udata4, DW_EH_PE_udata4, vaddr, n
	};
	for (size_t i = 0; i < n; i++) {
		t->row[i].start = f[i].start;
		t->row[i].entry = f[i].fde;
	}
}

u8 *cfi_image_eh(const Elf_Data *frames, u64 vaddr,
		 const struct module_function *f, size_t n, size_t *size)
{
	struct table *t;
	u64 table = sizeof(*t) + n * sizeof(t->row[0]);
	u64 at = sizeof(struct head) + table;
	u8 *bytes = xmalloc(at + frames->d_size);
	struct head *h = (struct head *)bytes;

	*h = head;
	add_section(h, TABLE, 8, sizeof(*h), table);
	add_section(h, FRAMES, 22, at, frames->d_size);
	h->section[FRAMES].sh_addr = vaddr;
	fill_table((struct table *)(h + 1), vaddr, f, n);
	memcpy(bytes + at, frames->d_buf, frames->d_size);
	*size = at + frames->d_size;
	return bytes;
}

u8 *cfi_image_debug(const Elf_Data *frames, size_t *size)
{
	u8 *bytes = xmalloc(sizeof(struct head) + frames->d_size);
	struct head *h = (struct head *)bytes;

	*h = head;
	add_section(h, FRAMES, 32, sizeof(*h), frames->d_size);
	memcpy(h + 1, frames->d_buf, frames->d_size);
	*size = sizeof(*h) + frames->d_size;
	return bytes;
}
