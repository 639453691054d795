/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Internals that the parts of module (module*.c) and golang.c share:
 * the checked program headers, and the tables that are built on first use.
 */
#ifndef JPBPF_USER_ELF_MODULE_FILE_H
#define JPBPF_USER_ELF_MODULE_FILE_H

#include <elf.h>
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/elf/frames.h"
#include "user/elf/module.h"

/* Longer tables (bytes) are not read. */
#define MODULE_TABLE_MAX (64UL << 20)

/* A copy of .dynsym. A NUL follows the text_len bytes of text. */
struct module_symbols {
	Elf64_Sym *sym;
	u32 n;
	char *text;
	size_t text_len;
	u16 *version; /* n versions, or NULL */
};

struct module_relative_entry {
	u64 vaddr, target;
	bool has_symbol;
};

#define MODULE_WINDOW 8192

struct module_file {
	Elf64_Phdr *load; /* the well-formed PT_LOADs */
	size_t n_load;
	u64 eh_hdr_vaddr; /* PT_GNU_EH_FRAME; 0: none */

	bool symbols_done;
	struct module_symbols symbols;
	bool relatives_done;
	struct module_relative_entry *relative;
	size_t n_relative, relative_capacity;
	bool frames_done;
	int frames_err;
	struct frames frames;

	u64 spent; /* bytes of code decoded so far, see module_spend() */

	struct Elf *elf; /* the handle of module_handle(); NULL: closed */

	/* The bytes read last, so that many small reads cost few system calls. */
	u64 window_offset;
	size_t window_len;
	u8 *window; /* MODULE_WINDOW bytes; NULL: nothing read yet */
};

static inline struct module_file *module_file(const struct module *m)
{
	return m->cache;
}

/* Reads len bytes at a file offset. 0 or -EFAULT if the file does not hold them
 * all. */
int module_file_read(const struct module *m, u64 offset, void *out, size_t len);
/* A copy of len bytes at vaddr with a NUL after them; the caller frees the copy. NULL
 * with errno: ENOENT if the file does not hold all the bytes, or if len is 0 or more
 * than MODULE_TABLE_MAX; ENOMEM if there is no room in memory. */
void *module_file_copy(const struct module *m, u64 vaddr, u64 len);
/* The same of an allocated section. */
void *module_section_load(const struct module *m, const char *name, u64 *vaddr,
			  u64 *size);
/* The number of bytes from vaddr on that the file holds in one PT_LOAD. */
u64 module_file_bytes(const struct module *m, u64 vaddr);
/* Whether one executable PT_LOAD holds [start, end). */
bool module_file_executable(const struct module *m, u64 start, u64 end);

/* Finds the first allocated section of a type, and the one that it links to. */
bool module_file_section(const struct module *m, u32 type, GElf_Shdr *h,
			 GElf_Shdr *linked);
/* Fills the symbol's members of a relocation. */
void module_reloc_symbol(const struct module *m, u32 index,
			 struct module_reloc *r);

#endif
