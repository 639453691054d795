/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A look at what a process has mapped, from its begin to the publication: what is found
 * may have been replaced by then.
 */
#ifndef JPBPF_USER_KERNEL_LOOK_H
#define JPBPF_USER_KERNEL_LOOK_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/sample.h>

/* Does the kernel tell where something will be mapped?  NULL: yes; else why not. */
const char *look_impossible(void);
/* From now on the kernel side notes where this process is about to map something.
 * l: shared with it (engine_look()). */
void look_begin(struct look *l, pid_t pid);
/* Was something else about to be mapped somewhere in [start, end), for all that the
 * entry with that serial knows? 0: there is none yet. */
bool look_hits(const struct look *l, u32 serial, u64 start, u64 end);
void look_end(struct look *l);

#endif
