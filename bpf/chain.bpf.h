/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The caller of code without unwind information. */
#ifndef JPBPF_CHAIN_BPF_H
#define JPBPF_CHAIN_BPF_H

#include "bpf/walk.bpf.h"

/* From the frame at w->pc, which has been written, to its caller, behind a status
 * word that says how.  0, or -1: nothing speaks for one; w is as it was. */
int chain_step(struct walk *w);

#endif
