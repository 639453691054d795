/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The limit of files that this process can have open. */
#ifndef JPBPF_USER_SESSION_DESCRIPTORS_H
#define JPBPF_USER_SESSION_DESCRIPTORS_H

#include <jpbpf/types.h>

/* The limit (RLIMIT_NOFILE) at which so many files of profiled processes can be
 * open. */
u32 descriptors_wanted(u32 files);
/* Raise the limit as far as needed and permitted, because files of profiled processes
 * are kept open.  Returns how many such files can be open, at most files. */
u32 descriptors_raise(u32 files);
/* Restore the earlier limit; also for a child before it runs a program. */
void descriptors_restore(void);

#endif
