/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What R's Rprof() writes and its summaryRprof() reads: a line of settings, then
 * one line a sample, innermost frame first,
 *
 *   sample.interval=10101
 *   "spin" "work" "R"
 *
 * or, when the profile has source lines, with the place that a function is at
 * in front of it, files by number, each named before it is first used:
 *
 *   line profiling: sample.interval=10101
 *   #File 1: /home/me/fit.R
 *   1#3 "spin" 1#8 "work" "R"
 *
 * A function of an R package stands without "package::", as it is mostly called.
 *
 * Readers part a line at its blanks and take what opens with a quote for a
 * name; so a blank in a name becomes a no-break space (U+00A0), which looks like
 * one.  Quotes stand as R leaves them, the rest is escaped, see escape.h.
 */
#ifndef JPBPF_USER_OUTPUT_RPROF_H
#define JPBPF_USER_OUTPUT_RPROF_H

#include <stdio.h>

struct profile;

/* Writes all stacks, by the texts of their frames, each as many times as it was seen.
 * 0 or -errno. */
int rprof_write(struct profile *p, FILE *out);

#endif
