/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folded stacks: one line a stack, outermost frame first,
 *
 *   frame;frame;frame COUNT
 *
 * as flamegraph.pl, speedscope and others read them.
 */
#ifndef JPBPF_USER_OUTPUT_FOLDED_H
#define JPBPF_USER_OUTPUT_FOLDED_H

#include <stdio.h>

struct profile;

/* Write all stacks, sorted by the texts of their frames.  0 or -errno. */
int folded_write(struct profile *p, FILE *out);

#endif
