/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The registers of the architecture that is built for, by neutral names: DWARF's
 * numbers for the stack pointer (REG_STACK), the frame pointer (REG_FRAME), the result
 * and the arguments of a call, and which registers a call preserves (SAVED_REGS of
 * them, saved_reg[]).
 */
#ifndef JPBPF_ARCH_REGISTERS_H
#define JPBPF_ARCH_REGISTERS_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/registers.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
