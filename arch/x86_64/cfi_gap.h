/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where gaps in the call frame information are known by their bytes. */
#ifndef JPBPF_ARCH_X86_64_CFI_GAP_H
#define JPBPF_ARCH_X86_64_CFI_GAP_H

#include "arch/cfi.h"

/* A part whose CFA is the stack pointer plus cfa_off, and that saves no register. */
struct cfi_gap cfi_gap_plain(u64 start, u64 end, s32 cfa_off);
/* Adds the parts of the functions that gcc puts into each file: up to 8. */
void cfi_crt_add(struct cfi_gaps *g);

#endif
