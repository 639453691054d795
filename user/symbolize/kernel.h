/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names of kernel addresses, from a file in the form of /proc/kallsyms. */
#ifndef JPBPF_USER_SYMBOLIZE_KERNEL_H
#define JPBPF_USER_SYMBOLIZE_KERNEL_H

#include <jpbpf/types.h>

struct kernel; /* opaque */

/* kallsyms: path of the file, which the first kernel_name() reads. */
struct kernel *kernel_new(const char *kallsyms);
void kernel_free(struct kernel *k);
/* The symbol that contains address, "" if there is none or no memory for the symbols
 * (heap.h); valid as long as k.  Warns once if there is no memory, or if the host
 * hides its symbols. */
const char *kernel_name(struct kernel *k, u64 address);

#endif
