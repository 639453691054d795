/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How many files this process can have open. */
#ifndef JPBPF_USER_SESSION_DESCRIPTORS_H
#define JPBPF_USER_SESSION_DESCRIPTORS_H

#include <jpbpf/types.h>

/* The limit (RLIMIT_NOFILE) with which so many files of targets can be open. */
u32 descriptors_wanted(u32 files);
/* Files of targets are kept open: take as many descriptors as we may.  How many
 * such files there can be, at most so many. */
u32 descriptors_raise(u32 files);
/* The limit as it was before: for a child, before it runs a program. */
void descriptors_restore(void);

#endif
