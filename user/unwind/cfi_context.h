/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the stacks end that makecontext() begins. */
#ifndef JPBPF_USER_UNWIND_CFI_CONTEXT_H
#define JPBPF_USER_UNWIND_CFI_CONTEXT_H

#include <jpbpf/types.h>

struct module;

/* Address of the code to which a function started by makecontext() returns, if m is
 * a C library that says something wrong of it; else 0. */
u64 cfi_context_end(const struct module *m);

#endif
