/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where in a function a uprobe costs little. */
#ifndef JPBPF_ARCH_PROBE_H
#define JPBPF_ARCH_PROBE_H

#include <jpbpf/types.h>

struct module;

/* The vaddr of an instruction near the beginning of the function at vaddr, which every call
 * executes, where the arguments are still in their registers, and which the kernel emulates:
 * any other is executed in a page of its own by single step, at ten times the price.  0: there
 * is none. */
u64 probe_place(const struct module *m, u64 vaddr);

#endif
