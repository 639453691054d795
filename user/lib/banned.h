/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions that this program does not use; a use is a compile error.  The Makefile
 * includes this file in every user-space file (-include).
 */
#ifndef JPBPF_USER_LIB_BANNED_H
#define JPBPF_USER_LIB_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gets
#pragma GCC poison system popen strncpy

#endif
