/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A small ELF file that is put together byte by byte, so that every field can
 * be made wrong.  build_image() is the set-up of each test that uses it.
 */
#ifndef JPBPF_TESTS_UNIT_ELF_IMAGE_H
#define JPBPF_TESTS_UNIT_ELF_IMAGE_H

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/elf/module.h"

/*
 * The file: read-only [0, 0x800) at vaddr 0; code at 0x800, 0x700 bytes at vaddr
 * 0x1800, in the same page of the file; data at 0x1000, 0x200 bytes and then
 * .bss up to 0x400, at vaddr 0x3000; section headers at 0x1400.
 */
enum {
	SIZE = 0x1800,
	PHDRS = 0x40,
	NOTE = 0x1c0,
	DYNSYM = 0x200,
	DYNSTR = 0x2c0,
	VERSYM = 0x340,
	RELA = 0x400,
	JMPREL = 0x480,
	RELR = 0x4c0,
	EH_HDR = 0x500,
	EH_FRAME = 0x540,
	CODE = 0x1800,
	DATA = 0x3000,
	DATA_OFFSET = 0x1000,
	SECTIONS = 0x1400,
	SECTION_NAMES = 0x1700,
};

enum { SYMBOLS = 7 };

/* The number of the first section of relocations. */
#define RELA_SECTION 7

/* A section without a name, of a table in the first segment. */
#define TABLE(type, at, size, link)                             \
	{                                                       \
		0, type, SHF_ALLOC, at, at, size, link, 0, 8, 0 \
	}

static u8 image[SIZE];

static const char dynstr[] = "\0twice\0alpha\0missing\0absolute\0local\0tls";

static void put(size_t offset, const void *bytes, size_t len)
{
	assert_true(offset + len <= sizeof(image));
	memcpy(image + offset, bytes, len);
}

static void put32(size_t offset, u32 value)
{
	put(offset, &value, sizeof(value));
}

static void put64(size_t offset, u64 value)
{
	put(offset, &value, sizeof(value));
}

static void build_headers(void)
{
	static const Elf64_Ehdr ehdr = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = PHDRS,
		.e_shoff = SECTIONS,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 5,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 10,
		.e_shstrndx = 1,
	};
	static const Elf64_Phdr phdr[] = {
		{ PT_LOAD, PF_R, 0, 0, 0, 0x800, 0x800, 4096 },
		{ PT_LOAD, PF_R | PF_X, 0x800, CODE, CODE, 0x700, 0x700, 4096 },
		{ PT_LOAD, PF_R | PF_W, DATA_OFFSET, DATA, DATA, 0x200, 0x400,
		  4096 },
		{ PT_GNU_EH_FRAME, PF_R, EH_HDR, EH_HDR, EH_HDR, 0x24, 0x24,
		  4 },
		{ PT_NOTE, PF_R, NOTE, NOTE, NOTE, 0x30, 0x30, 4 },
	};
	static const char names[] = "\0.shstrtab\0.eh_frame\0.data";
	static const Elf64_Shdr section[] = {
		{ 0 },
		{ .sh_name = 1,
		  .sh_type = SHT_STRTAB,
		  .sh_offset = SECTION_NAMES,
		  .sh_size = sizeof(names) },
		{ .sh_name = 11,
		  .sh_type = SHT_PROGBITS,
		  .sh_flags = SHF_ALLOC,
		  .sh_addr = EH_FRAME,
		  .sh_offset = EH_FRAME,
		  .sh_size = 0xa8 },
		{ .sh_name = 21,
		  .sh_type = SHT_PROGBITS,
		  .sh_flags = SHF_ALLOC | SHF_WRITE,
		  .sh_addr = DATA,
		  .sh_offset = DATA_OFFSET,
		  .sh_size = 0x100 },
		TABLE(SHT_DYNSYM, DYNSYM, SYMBOLS * sizeof(Elf64_Sym), 5),
		TABLE(SHT_STRTAB, DYNSTR, sizeof(dynstr), 0),
		TABLE(SHT_GNU_versym, VERSYM, SYMBOLS * 2, 4),
		TABLE(SHT_RELA, RELA, 3 * sizeof(Elf64_Rela), 4),
		TABLE(SHT_RELA, JMPREL, sizeof(Elf64_Rela), 4),
		TABLE(SHT_RELR, RELR, 16, 0),
	};

	put(0, &ehdr, sizeof(ehdr));
	put(PHDRS, phdr, sizeof(phdr));
	put(SECTIONS, section, sizeof(section));
	put(SECTION_NAMES, names, sizeof(names));
}

/* A note of another kind first, with a name that needs padding. */
static void build_note(void)
{
	put32(NOTE, 2);
	put32(NOTE + 4, 1);
	put32(NOTE + 8, 3);
	put(NOTE + 12, "X", 2);
	put32(NOTE + 20, 4);
	put32(NOTE + 24, 8);
	put32(NOTE + 28, NT_GNU_BUILD_ID);
	put(NOTE + 32, "GNU", 4);
	put(NOTE + 36, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
}

static void build_symbols(void)
{
	static const Elf64_Sym sym[SYMBOLS] = {
		{ 0 },
		{ 13, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF, 0, 0 },
		{ 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 2, 0x1810, 4 },
		{ 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 2, 0x1820, 8 },
		{ 7, ELF64_ST_INFO(STB_WEAK, STT_OBJECT), 0, 3, 0x3008, 16 },
		{ 21, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, SHN_ABS, 5, 0 },
		{ 36, ELF64_ST_INFO(STB_GLOBAL, STT_TLS), 0, 3, 0x10, 8 },
	};
	static const u16 versym[SYMBOLS] = { 0, 1, 0x8002, 3, 1, 1, 1 };

	put(DYNSYM, sym, sizeof(sym));
	put(DYNSTR, dynstr, sizeof(dynstr));
	put(VERSYM, versym, sizeof(versym));
}

static void build_relocs(void)
{
	static const Elf64_Rela rela[] = {
		{ 0x3008, ELF64_R_INFO(0, R_X86_64_RELATIVE), 0x1820 },
		{ 0x3000, ELF64_R_INFO(0, R_X86_64_RELATIVE), 0x1810 },
		{ 0x3010, ELF64_R_INFO(4, R_X86_64_64), 3 },
	};
	static const Elf64_Rela plt = { 0x3018,
					ELF64_R_INFO(1, R_X86_64_JUMP_SLOT),
					0 };

	put(RELA, rela, sizeof(rela));
	put(JMPREL, &plt, sizeof(plt));
	/* 0x3020, and of the words behind it the first and the third. */
	put64(RELR, 0x3020);
	put64(RELR + 8, (0x5 << 1) | 1);
	put64(DATA_OFFSET + 0x20, 0x1111);
	put64(DATA_OFFSET + 0x28, 0x2222);
	put64(DATA_OFFSET + 0x30, 0x9999);
	put64(DATA_OFFSET + 0x38, 0x3333);
	put(DATA_OFFSET + 0x40, "text", 5);
}

/*
 * Two CIEs, "zR" with pcrel sdata4 and "zPLR" with absolute 8-byte pointers; one
 * function by the first, a terminator, then one by the second and one that the
 * linker threw away.
 */
static void build_frames(void)
{
	static const u8 first[] = { 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b };
	static const u8 second[] = { 1, 'z',  'P', 'L', 'R', 0, 1,    0x78, 16,
				     7, 0x9b, 0,   0,	0,   0, 0x1b, 0x00 };
	size_t at = EH_FRAME;

	put32(at, 0x10);
	put(at + 8, first, sizeof(first));
	put32(at + 0x14, 0x14);
	put32(at + 0x18, 0x18);
	put32(at + 0x1c, 0x1810 - (EH_FRAME + 0x1c));
	put32(at + 0x20, 0x10);
	/* 0x2c: the terminator */
	put32(at + 0x2c, 0);
	put32(at + 0x30, 0x1c);
	put(at + 0x38, second, sizeof(second));
	put32(at + 0x50, 0x1c);
	put32(at + 0x54, 0x24);
	put64(at + 0x58, 0x1820);
	put64(at + 0x60, 0x30);
	put32(at + 0x70, 0x1c);
	put32(at + 0x74, 0x44);
	put64(at + 0x78, 0);
	put64(at + 0x80, 0x10);
	/* The header: pcrel sdata4, udata4, datarel sdata4. */
	put(EH_HDR, "\x01\x1b\x03\x3b", 4);
	put32(EH_HDR + 4, EH_FRAME - (EH_HDR + 4));
	put32(EH_HDR + 8, 2);
	put32(EH_HDR + 12, 0x1810 - EH_HDR);
	put32(EH_HDR + 16, EH_FRAME + 0x14 - EH_HDR);
	put32(EH_HDR + 20, 0x1820 - EH_HDR);
	put32(EH_HDR + 24, EH_FRAME + 0x50 - EH_HDR);
}

static int build_image(void **state)
{
	(void)state;
	memset(image, 0, sizeof(image));
	build_headers();
	build_note();
	build_symbols();
	build_relocs();
	build_frames();
	return 0;
}

static inline Elf64_Ehdr *ehdr(void)
{
	return (Elf64_Ehdr *)image;
}

static inline Elf64_Phdr *phdr(int i)
{
	return (Elf64_Phdr *)(image + PHDRS) + i;
}

static inline struct module open_image(void)
{
	struct module m;

	assert_int_equal(module_open_image(&m, image, SIZE, "dir/name.so"), 0);
	return m;
}

#endif
