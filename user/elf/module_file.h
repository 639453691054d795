/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the parts of module (module.c, module_dynamic.c, module_reloc.c,
 * module_function.c) share and nobody else sees: the checked program headers,
 * and the tables that are built on first use.
 */
#ifndef JPBPF_USER_ELF_MODULE_FILE_H
#define JPBPF_USER_ELF_MODULE_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/elf/module.h"

/* No table of a file is read that claims to be longer than this (bytes). */
#define MODULE_TABLE_MAX (64UL << 20)

/* What PT_DYNAMIC says; addresses are vaddrs, 0: absent. */
struct module_dynamic {
	u64 symtab, strtab, strsz, versym;
	u64 hash, gnu_hash;
	u64 rela, relasz;
	u64 jmprel, pltrelsz, pltrel;
	u64 relr, relrsz;
};

/* .dynsym in memory.  text is NUL-terminated after its text_len bytes. */
struct module_symbols {
	Elf64_Sym *sym;
	u32 n;
	char *text;
	size_t text_len;
	u16 *version; /* n of them, or NULL */
	u32 *by_name; /* defined ones only, sorted */
	u32 n_by_name;
};

struct module_relative_entry {
	u64 vaddr, target;
};

#define MODULE_WINDOW 8192

struct module_file {
	Elf64_Ehdr ehdr;
	Elf64_Phdr *load; /* well-formed PT_LOADs */
	size_t n_load;
	u64 dynamic_vaddr, dynamic_size; /* PT_DYNAMIC; 0: none */
	u64 eh_hdr_vaddr;		 /* PT_GNU_EH_FRAME; 0: none */

	bool dynamic_done;
	struct module_dynamic dynamic;
	bool symbols_done;
	struct module_symbols symbols;
	bool relatives_done;
	struct module_relative_entry *relative;
	size_t n_relative;
	bool functions_done;
	struct module_function *function;
	size_t n_function;
	int functions_err;
	u64 frames_vaddr, frames_size; /* .eh_frame, where they come from */

	u64 spent; /* see module_spend() */

	struct Elf *elf; /* module_handle(); NULL: closed */

	/* The bytes last read, so that many small reads cost few calls. */
	u64 window_offset;
	size_t window_len;
	u8 *window; /* MODULE_WINDOW bytes; NULL: none read yet */
};

static inline struct module_file *module_file(const struct module *m)
{
	return m->cache;
}

/* Bytes at a file offset. 0, -EFAULT when the file does not hold them all. */
int module_file_read(const struct module *m, u64 offset, void *out, size_t len);
/* Bytes at vaddr that the file itself holds; a malloc'ed copy, or NULL when
 * they are not all there or more than MODULE_TABLE_MAX. */
void *module_file_copy(const struct module *m, u64 vaddr, u64 len);
/* Number of bytes from vaddr on that the file holds in one PT_LOAD. */
u64 module_file_bytes(const struct module *m, u64 vaddr);
/* Does an executable PT_LOAD hold [start, end)? */
bool module_file_executable(const struct module *m, u64 start, u64 end);

const struct module_dynamic *module_dynamic(const struct module *m);
const struct module_symbols *module_symbols(const struct module *m);
/* Name of symbol number index; "" when it cannot be read. */
const char *module_symbol_name(const struct module *m, u32 index);

#endif
