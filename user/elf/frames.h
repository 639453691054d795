/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The call frame information of a file, .eh_frame or .debug_frame, and the functions
 * that it delimits. libdw parses the entries. */
#ifndef JPBPF_USER_ELF_FRAMES_H
#define JPBPF_USER_ELF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

#include <jpbpf/types.h>

struct module;
struct module_function;

struct frames {
	Elf_Data data; /* the section */
	u64 vaddr;     /* of the section; 0 for .debug_frame */
	bool debug;    /* the section is .debug_frame */
	struct module_function
		*function; /* sorted by start, which are unique */
	size_t n;
};

/* Reads .eh_frame or .debug_frame. *f needs no initialisation and holds nothing after
 * an error. 0; -ENOENT if the file has no function there; -E2BIG if the section is
 * larger than in any real file. */
int frames_read(struct frames *f, const struct module *m, bool debug);
void frames_release(struct frames *f);

/* Parses the entry at an offset and sets *next to the offset of the next entry.
 * Returns what dwarf_next_cfi() returns. */
int frames_entry(const struct frames *f, u64 offset, Dwarf_Off *next,
		 Dwarf_CFI_Entry *out);
/* The encoding (DW_EH_PE_*) of the start addresses in the FDEs of this CIE;
 * -EBADMSG if the augmentation is malformed or unknown. */
int frames_encoding(const Dwarf_CIE *cie);

#endif
