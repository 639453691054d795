/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The call frame information of a module, and the ranges that it covers. */
#ifndef JPBPF_USER_UNWIND_CFI_SOURCE_H
#define JPBPF_USER_UNWIND_CFI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

#include "user/elf/golang.h"
#include "user/elf/module.h"

struct cfi_source {
	Elf_Data frames; /* the section; d_buf is NULL if there is none */
	u64 frames_vaddr;
	bool debug;			     /* the section is .debug_frame;
					      * frames_vaddr is 0 */
	const struct module_function *range; /* sorted by start; fde is set */
	size_t ranges;
	struct module_function
		*own;	      /* owned ranges (of .debug_frame), else NULL */
	struct golang golang; /* Go's functions; empty: no Go */
};

/* 0, -ENOENT if there is none, or -E2BIG if there is more of it than any real file
 * has. Call cfi_source_close() only after 0. */
int cfi_source_open(struct cfi_source *s, const struct module *m);
void cfi_source_close(struct cfi_source *s);

/* Parses the entry at an offset in frames. 0 or -EBADMSG. */
int cfi_source_entry(const struct cfi_source *s, u64 offset,
		     Dwarf_CFI_Entry *out);

#endif
