/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions nobody here needs; using one is a compile error.  Forced into every
 * user-space file by the Makefile (-include).
 */
#ifndef JPBPF_USER_LIB_BANNED_H
#define JPBPF_USER_LIB_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gets
#pragma GCC poison system popen strncpy

#endif
