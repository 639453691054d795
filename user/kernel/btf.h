/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The kernel's own description of its types. */
#ifndef JPBPF_USER_KERNEL_BTF_H
#define JPBPF_USER_KERNEL_BTF_H

#include <stdbool.h>

/* Whether the kernel's BTF holds that name.  Also false when BTF cannot be read. */
bool btf_names(const char *name);
/* NULL: the kernel reports where something will be mapped (tracepoint
 * vm_unmapped_area).  Otherwise the reason why it does not. */
const char *btf_without_areas(void);

#endif
