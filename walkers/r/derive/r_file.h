/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of one ELF file that contains R. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FILE_H
#define JPBPF_WALKERS_R_DERIVE_R_FILE_H

#include <stdbool.h>

#include <jpbpf/types.h>

#include "user/elf/module.h"
#include "walkers/r/derive/r_functions.h"
#include "walkers/r/derive/r_layouts.h"
#include "walkers/r/r.h"

struct buf;

struct r_file {
	const struct r_layout_row *row;
	bool is_static; /* R is in the executable, there is no libR */
	u32 version;	/* R_VERSION; 0: not known */
	/* What the kernel side gets, but with the vaddr of each variable and function; and
	 * with the vaddr of the GOT slot through which a variable is reached, 0: none. */
	struct r_process at, slot;
	struct r_functions builtins;
	size_t builtin_entries; /* of R_FunTab */
	u64 jit;		/* vaddr of R_jit_enabled; 0: not known */
	u64 gc;			/* vaddr of R_gc_internal; 0: not known */
	u64 finalizers;		/* vaddr of RunFinalizers; 0: not known */
	u64 bss_start, bss_end; /* vaddr */
	/* Where R's code is in a program that has it linked in; all of the file if
	 * empty. */
	struct module_function own;
};

/* 1: this file is R, *file is set (r_file_free); 0: it is not; -ENOTSUP: it is
 * an R that cannot be walked, why says it; -errno. */
int r_file_probe(const struct module *m, struct r_file **file, struct buf *why);
void r_file_free(struct r_file *file);
/* Appends the version, or the versions that are possible. */
void r_file_version(const struct r_file *file, struct buf *out);
void r_file_describe(const struct r_file *file, struct buf *out);

#endif
