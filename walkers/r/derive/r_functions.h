/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* C functions by the names that R has for them. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FUNCTIONS_H
#define JPBPF_WALKERS_R_DERIVE_R_FUNCTIONS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct r_function {
	u64 start;  /* vaddr */
	u64 end;    /* as .eh_frame has it; 0: not known */
	u32 order;  /* of its names */
	char *name; /* NULL: none; several are joined by "|" */
};

/* Sort by start and make those of one start one.  Returns the number left. */
size_t r_functions_join(struct r_function *f, size_t n);
void r_functions_free(struct r_function *f, size_t n);

#endif
