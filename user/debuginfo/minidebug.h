/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* MiniDebugInfo: an ELF file with more symbols, packed with xz in .gnu_debugdata. */
#ifndef JPBPF_USER_DEBUGINFO_MINIDEBUG_H
#define JPBPF_USER_DEBUGINFO_MINIDEBUG_H

#include <stddef.h>

/* Unpack it as libdwfl would.  0, and *out, malloc'ed, has *len bytes; -EBADMSG:
 * it is broken; -EFBIG: so large, or packed so that unpacking takes so much memory,
 * that no compiler made it. */
int minidebug_unpack(const void *packed, size_t packed_len, void **out,
		     size_t *len);

#endif
