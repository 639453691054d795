/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A bound on what this process may allocate for a while.
 *
 * libdw believes what a file says: one byte sequence in .eh_frame makes it
 * allocate a gigabyte, a few more make it do so again and again.  It survives a
 * malloc() that fails, so between quota_begin() and quota_end() one does.
 */
#ifndef JPBPF_USER_UNWIND_QUOTA_H
#define JPBPF_USER_UNWIND_QUOTA_H

#include <stddef.h>

/* From now on at most so many bytes more, for all threads together.  Several
 * threads may each hold a quota; the latest to come sets the bound anew.  Do not
 * call xmalloc() and its family under a quota. */
void quota_begin(size_t bytes);
void quota_end(void);

#endif
