/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What gcc's crtbegin.o puts into a file's .text, without call frame information. */
#ifndef JPBPF_USER_UNWIND_CFI_CRT_H
#define JPBPF_USER_UNWIND_CFI_CRT_H

#include <stddef.h>

#include "user/unwind/cfi_gap.h"

/* Their rules, at most CFI_CRT_PARTS, in no order: number. */
size_t cfi_crt_parts(const struct module *m, struct cfi_gap *part);

#endif
