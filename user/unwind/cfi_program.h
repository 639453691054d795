/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The rows of a function, from its call frame instructions (DWARF 5, 6.4.2) in one
 * pass.
 *
 * Registers that the unwinder does not use are skipped. The expressions that
 * compilers, linkers and the C library write are known (cfi_rule.h).
 */
#ifndef JPBPF_USER_UNWIND_CFI_PROGRAM_H
#define JPBPF_USER_UNWIND_CFI_PROGRAM_H

#include <stdbool.h>

#include "user/unwind/cfi_rule.h"

struct frames;
struct module_function;

/* The CIE that was used last; neighbours mostly share it. */
struct cfi_program {
	const struct frames *frames;
	u64 cie; /* offset in the section; ~0: none yet */
	bool usable;
	int encoding; /* of the pointers in FDEs, DW_EH_PE_* */
	bool sized;   /* FDEs have a size of augmentation data, then the data */
	u64 code_align;
	s64 data_align;
	struct cfi_frame first; /* the row after the CIE's instructions */
};

/* f must outlive p. */
void cfi_program_init(struct cfi_program *p, const struct frames *f);
/*
 * Calls fn with each row and its end, in order, until fn returns non-zero, and
 * returns that value. 0 after the whole function. -EBADMSG if the program is broken
 * after the rows that fn got.
 */
int cfi_program_rows(struct cfi_program *p, const struct module_function *f,
		     int (*fn)(void *ctx, u64 end, const struct cfi_frame *row),
		     void *ctx);

#endif
