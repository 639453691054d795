/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Notes of ELF files, which stay when a file is stripped. */
#ifndef JPBPF_USER_ELF_NOTE_H
#define JPBPF_USER_ELF_NOTE_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

/* Fill in the content of the first note of this owner, type and size, and its vaddr.  0, or -ENOENT. */
int note_find(const struct module *m, const char *owner, u32 type, void *out,
	      size_t size, u64 *vaddr);

#endif
