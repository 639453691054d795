/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The kernel's own description of its types. */
#ifndef JPBPF_USER_KERNEL_BTF_H
#define JPBPF_USER_KERNEL_BTF_H

#include <stdbool.h>

/* Has the kernel something by that name? Also false when it cannot be told. */
bool btf_names(const char *name);
/* Does the kernel tell where something will be mapped?  NULL: yes; else why not. */
const char *btf_without_areas(void);

#endif
