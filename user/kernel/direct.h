/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Whether the kernel side can read memory directly (bpf/direct.bpf.h). */
#ifndef JPBPF_USER_KERNEL_DIRECT_H
#define JPBPF_USER_KERNEL_DIRECT_H

#include <stdbool.h>

/* NULL: direct reads are possible here.  Otherwise the reason why not.  Called before
 * loading. */
const char *direct_impossible(void);
/* Let the loaded program direct_find (a descriptor) find the kernel's direct map. Reads
 * are right whether it is found or not.  log_debug() tells which. */
void direct_search(int program);

#endif
