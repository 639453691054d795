/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The address of main(), from a program's first instructions. */
#ifndef JPBPF_ARCH_START_H
#define JPBPF_ARCH_START_H

#include <jpbpf/types.h>

struct module;

/* vaddr of main(), which the code at the entry point passes on; 0: not found. */
u64 start_main(const struct module *m, u64 entry);

#endif
