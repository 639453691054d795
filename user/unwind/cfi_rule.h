/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One row of call frame information as a shape that the kernel side knows. */
#ifndef JPBPF_USER_UNWIND_CFI_RULE_H
#define JPBPF_USER_UNWIND_CFI_RULE_H

#include <elfutils/libdw.h>

#include <jpbpf/unwind.h>

/* Fills all of *rule.  What cannot be expressed becomes UNWIND_UNSUPPORTED; a
 * callee-saved register that cannot, UNWIND_SLOT_LOST. */
void cfi_rule_classify(Dwarf_Frame *frame, struct unwind_rule *rule);

#endif
