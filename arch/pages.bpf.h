/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The way through a page table: pages_find(), and pages_in() for what one table of the
 * last level says. */
#ifndef JPBPF_ARCH_PAGES_BPF_H
#define JPBPF_ARCH_PAGES_BPF_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/pages.bpf.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
