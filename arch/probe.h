/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where in a function a uprobe costs little. */
#ifndef JPBPF_ARCH_PROBE_H
#define JPBPF_ARCH_PROBE_H

#include <jpbpf/types.h>

struct code;
struct module;

/* The index of an instruction near the beginning of a function, which every call executes,
 * where the registers of kept (bit per number) have their first values, and which the kernel
 * emulates: any other is executed in a page of its own by single step, at ten times the
 * price.  If there is none, the first at which a uprobe can be.  -1: none is.  *distance: of
 * the return address from the stack pointer there; NULL: only one that the kernel emulates
 * is wanted. */
int probe_enter(const struct code *c, u32 kept, int *distance);
/* The vaddr of such an instruction of the function at vaddr, where the arguments are still
 * in their registers.  0: there is none. */
u64 probe_place(const struct module *m, u64 vaddr);

#endif
