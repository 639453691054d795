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
	Elf_Data frames; /* the section; d_buf is NULL: none */
	u64 frames_vaddr;
	bool debug;			     /* it is .debug_frame, at 0 */
	const struct module_function *range; /* sorted by start; fde is known */
	size_t ranges;
	struct module_function *own; /* the ranges, where they are ours */
	struct golang golang;	     /* what no range covers; empty: no Go */
};

/* 0, -ENOENT when there is none, -E2BIG: more of it than any real file has. */
int cfi_source_open(struct cfi_source *s, const struct module *m);
void cfi_source_close(struct cfi_source *s);

/* The entry at an offset in frames, taken apart.  0 / -EBADMSG. */
int cfi_source_entry(const struct cfi_source *s, u64 offset,
		     Dwarf_CFI_Entry *out);

#endif
