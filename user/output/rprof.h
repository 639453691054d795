/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The format that R's Rprof() writes and its summaryRprof() reads: a line of settings,
 * then one line a sample, innermost frame first,
 *
 *   sample.interval=10101
 *   "spin" "work" "R"
 *
 * If the profile has source lines, the place where the function is running precedes its
 * name.  Files are numbered, and each number is defined before its first use:
 *
 *   line profiling: sample.interval=10101
 *   #File 1: /home/me/fit.R
 *   1#3 "spin" 1#8 "work" "R"
 *
 * A function of an R package is written without "package::", as R users mostly call it.
 *
 * Readers split a line at its blanks and take a word that begins with a quote for a
 * name.  A blank in a name therefore becomes a no-break space (U+00A0), which looks the
 * same; one that a name has is escaped.  Quotes are written as they are, as R does.
 */
#ifndef JPBPF_USER_OUTPUT_RPROF_H
#define JPBPF_USER_OUTPUT_RPROF_H

#include <stdio.h>

struct profile;

/* Write all stacks, sorted by the texts of their frames, each as often as it was
 * sampled.  0 or -errno. */
int rprof_write(struct profile *p, FILE *out);

#endif
