/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tests on the bytes of code around a return address: whether a call stands before it,
 * the call's target, and whether the code is a linker's stub.
 */
#ifndef JPBPF_ARCH_CALLS_H
#define JPBPF_ARCH_CALLS_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/calls.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
