/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What libelf would read into memory for a section.  A sparse file can state any size,
 * and a packed section unpacks to whatever it says: ask before libelf reads it.
 */
#ifndef JPBPF_USER_ELF_SECTION_H
#define JPBPF_USER_ELF_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include <gelf.h>

#include <jpbpf/types.h>

/* For each section that a file states, libelf takes some 200 bytes when it opens it. */
#define SECTIONS_MAX (1u << 17)

/* Whether the file's header states no more than SECTIONS_MAX. */
bool section_few(int fd);
/* Take what the section needs, packed or unpacked, off *room, in bytes.  false: it
 * needs more, and no more than *room has been read of it. */
bool section_take(Elf_Scn *scn, const GElf_Shdr *sh, u64 *room);
/* The index of the table of section names, for elf_strptr().  0; -errno: there is
 * none, or it is too large to be one. */
int section_names(Elf *elf, size_t *index);

#endif
