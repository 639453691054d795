/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user's registers as the kernel has them: ARCH_SET_REGISTERS() copies them into a
 * walk, ARCH_MAPS_DATA() tells a system call for memory that is not executable,
 * ARCH_MODE() is what arch_is_user() and arch_is_32bit() judge by.
 */
#ifndef JPBPF_ARCH_REGISTERS_BPF_H
#define JPBPF_ARCH_REGISTERS_BPF_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/registers.bpf.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
