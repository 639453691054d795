/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A function for measuring what probes cost: its first instruction, and called_later, are of
 * those that the kernel emulates; its second, called_second, and its return are not. */
#ifndef JPBPF_ARCH_CALLED_H
#define JPBPF_ARCH_CALLED_H

void called(void);
extern const char called_second[], called_later[], called_return[];

/* Bytes of the return address from the stack pointer at called_second. */
#define CALLED_SECOND 8

#endif
