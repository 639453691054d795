/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A sample of an interpreter as lines that a test can compare: the script's
 * frames by name, and of the native frames only those that the test has named.
 * Outermost first, one space between frames.
 */
#ifndef JPBPF_TESTS_HOST_SCRIPT_H
#define JPBPF_TESTS_HOST_SCRIPT_H

#include "host.h"

struct buf;

/* Native functions that are to show, by address; ends with a NULL name. */
struct script_native {
	const void *function;
	const char *name;
};

void script_line(const struct sample *s, const struct script_native *natives,
		 struct buf *out);

/* A sample in which every read works, and one taken with faults at the same
 * place.  Fails the test unless the second is what is left of the first: the
 * native frames in order up to where the walk was cut, and between them script
 * frames that are in the first as well, or have no name.  Returns whether
 * something is missing or unnamed. */
bool script_less(const struct sample *whole, const struct sample *faulty);
/* Is a sample of garbled memory well formed and within its limits? Fails the
 * test if not. */
void script_bounds(const struct sample *s);

/* Make each read of a sample with these registers fail in turn, then each read
 * from the nth on. */
void script_fail_each(const struct perf_regs *regs);
/* Samples with nonsense in some reads; so many rounds. */
void script_garble(const struct perf_regs *regs, u32 rounds);

#endif
