/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the bytes of code around a return address say: whether a call stands before it,
 * where that leads, and whether there is a stub of the linkers.
 */
#ifndef JPBPF_ARCH_CALLS_H
#define JPBPF_ARCH_CALLS_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/calls.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
