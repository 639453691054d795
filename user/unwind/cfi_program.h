/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The rows of a function whose call frame information is plain: registers and
 * offsets, without expressions.  libdw interprets a function's program anew for each
 * row; here all rows come out of one pass.
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
	struct cfi_plain first; /* what its instructions leave */
};

/* s outlives p. */
void cfi_program_init(struct cfi_program *p, const struct cfi_source *s);
/*
 * Calls fn with the end of each row, in order, until it returns non-zero, which is
 * then returned.  0 when the whole function was done; -ENOTSUP when it has something
 * that is not plain: what fn has got by then is right.
 */
int cfi_program_rows(struct cfi_program *p, const struct module_function *f,
		     int (*fn)(void *ctx, u64 end, const struct cfi_plain *row),
		     void *ctx);

#endif
