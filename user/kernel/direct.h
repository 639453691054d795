/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Whether and how the kernel side reads memory directly (bpf/direct.bpf.h). */
#ifndef JPBPF_USER_KERNEL_DIRECT_H
#define JPBPF_USER_KERNEL_DIRECT_H

#include <stdbool.h>

/* Has the kernel what it takes? Asked before loading.  NULL: yes; else why not. */
const char *direct_impossible(void);
/* Let the loaded program direct_find, a descriptor, find the kernel's direct map.
 * It is right with or without; said with log_debug(). */
void direct_search(int program);

#endif
