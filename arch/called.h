/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A function for measuring what probes cost: its first instruction, and one later, are of
 * those that the kernel emulates; its return is not. */
#ifndef JPBPF_ARCH_CALLED_H
#define JPBPF_ARCH_CALLED_H

void called(void);
extern const char called_later[], called_return[];

#endif
