/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folded stacks: one line a stack, outermost frame first,
 *
 *   frame;frame;frame COUNT
 *
 * as flamegraph.pl, speedscope and others read it.  What would break a line or
 * a terminal is written as \xNN (lower-case hex, one for each byte): `;`, control
 * characters (C0, DEL, and C1 in their UTF-8 form) and bytes that are not valid
 * UTF-8.  All else, the backslash too, stands as it is.
 */
#ifndef JPBPF_USER_OUTPUT_FOLDED_H
#define JPBPF_USER_OUTPUT_FOLDED_H

#include <stdio.h>

struct buf;
struct profile;

/* Bytes that one frame takes at most; a longer one ends in "...". */
#define FOLDED_NAME_MAX 1024

/* Append the name of one frame to out as described above. */
void folded_escape(const char *text, struct buf *out);
/* Writes the stacks in the profile's order (see profile_sort). 0 or -errno. */
int folded_write(const struct profile *p, FILE *out);

#endif
