/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The caller of code without unwind information, or on another stack. */
#ifndef JPBPF_CHAIN_BPF_H
#define JPBPF_CHAIN_BPF_H

#include "bpf/walk.bpf.h"

/* From the frame at w->pc, which has been written, to its caller, behind a status
 * word that says how.  0, or -1: nothing speaks for one; w is as it was. */
int chain_step(struct walk *w);

/* UNWIND_DEPTH, with reg rsp. 0, or a status. */
int chain_depth(struct walk *w, u64 *cfa, u32 owner, u32 depth);

/* UNWIND_THREAD; near is what near[0] and near[1] are. 0, or a status. */
int chain_thread(struct walk *w, u64 *cfa, s32 local, s32 owner, u32 near);

#endif
