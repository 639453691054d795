/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* uthash, whose tables end the program with a message when there is no memory.  Its own
 * way is exit(-1) without a word. */
#ifndef JPBPF_USER_LIB_HASH_H
#define JPBPF_USER_LIB_HASH_H

#include "user/lib/mem.h"

#define uthash_fatal(msg) mem_exhausted()

#include <uthash.h>

#endif
