/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The call frame information of a module, and the ranges that it covers. */
#ifndef JPBPF_USER_UNWIND_CFI_SOURCE_H
#define JPBPF_USER_UNWIND_CFI_SOURCE_H

#include <stddef.h>

#include <elfutils/libdw.h>

#include "user/target/golang.h"
#include "user/target/module.h"

struct cfi_source {
	Elf *elf;
	Dwarf_CFI *cfi;
	Dwarf *dwarf;	  /* owns cfi when it is .debug_frame, else NULL */
	Elf_Data *frames; /* .eh_frame; NULL: none, or without a header */
	u64 frames_vaddr;
	const unsigned char *ident;
	const struct module_function *range; /* sorted by start */
	size_t ranges;
	struct module_function *own; /* the ranges, where they are ours */
	struct golang golang;	     /* what no range covers; empty: no Go */
};

/* 0, -ENOENT when there is none, -E2BIG. */
int cfi_source_open(struct cfi_source *s, const struct module *m);
void cfi_source_close(struct cfi_source *s);

#endif
