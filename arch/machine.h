/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What ELF files of the architecture have: its number, relocations, folders. */
#ifndef JPBPF_ARCH_MACHINE_H
#define JPBPF_ARCH_MACHINE_H

#if defined(__x86_64__)
#include "arch/x86_64/machine.h"
#else
#error "there is no folder for this architecture in arch/"
#endif

#endif
