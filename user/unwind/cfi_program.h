/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The rows of a function: its call frame instructions (DWARF 5, 6.4.2), done in one pass.
 *
 * Registers in which nobody is interested are passed over.  Expressions are known where
 * compilers, linkers or the C library write them (cfi_rule.h).
 */
#ifndef JPBPF_USER_UNWIND_CFI_PROGRAM_H
#define JPBPF_USER_UNWIND_CFI_PROGRAM_H

#include <stdbool.h>

#include "user/unwind/cfi_rule.h"

struct cfi_source;
struct module_function;

/* The CIE that was met last: neighbours mostly share it. */
struct cfi_program {
	const struct cfi_source *source;
	u64 cie; /* offset in the section; ~0: none yet */
	bool usable;
	int encoding; /* of FDEs' pointers, DW_EH_PE_* */
	bool sized;   /* FDEs have augmentation data, after its size */
	u64 code_align;
	s64 data_align;
	struct cfi_frame first; /* what its instructions leave */
};

/* s outlives p. */
void cfi_program_init(struct cfi_program *p, const struct cfi_source *s);
/*
 * Calls fn with the end of each row, in order, until it returns non-zero, which is
 * then returned.  0 when the whole function was done; -EBADMSG: the program is broken
 * behind what fn has got.
 */
int cfi_program_rows(struct cfi_program *p, const struct module_function *f,
		     int (*fn)(void *ctx, u64 end, const struct cfi_frame *row),
		     void *ctx);

#endif
