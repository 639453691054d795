/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How many files this process can have open. */
#ifndef JPBPF_USER_SESSION_DESCRIPTORS_H
#define JPBPF_USER_SESSION_DESCRIPTORS_H

#include <jpbpf/types.h>

/* Files of targets are kept open: take as many descriptors as we may.  How many
 * such files there can be, at most so many; fewer after log_warn(). */
u32 descriptors_raise(u32 files);

#endif
