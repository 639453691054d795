/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Integer types of fixed width that mean the same on both sides.
 *
 * The headers in this folder are compiled into the BPF programs, into the user-space
 * program and into the tests.  Nothing may be included or declared in this folder that
 * one of the three cannot compile.
 */
#ifndef JPBPF_TYPES_H
#define JPBPF_TYPES_H

#ifdef __bpf__
#include "vmlinux.h"
#else
#include <stdbool.h>

#include <linux/types.h>
#endif

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#endif
