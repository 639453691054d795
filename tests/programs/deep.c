/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Deep native stacks, without an interpreter.
 *
 *   deep SECONDS [TABLE [DEPTH]]
 *
 * Burns in truth_leaf_01 under 190 calls and in truth_leaf_02 under 4,090, in
 * turn; with DEPTH, in truth_leaf_01 under that many and in no other, for some
 * seconds at a time.  The recursion is between two functions with frames of different
 * size, so that one unwind rule cannot do for all; build it without frame pointers and
 * with -rdynamic, for the names to survive strip.  TABLE gets the expected
 * stacks, in the form that truth_tcl.tcl describes; the C library's start-up
 * code and main stand outermost, as the pattern `**`.
 */
#include <stdio.h>
#include <stdlib.h>

#include "truth_leaf.h"

void deep_small(int depth, int leaf);
void deep_large(int depth, int leaf);

static unsigned long turns;

static int depths[] = { 190, 4090 };
static int paths = 2;

TRUTH_EXPORT void deep_small(int depth, int leaf)
{
	if (depth > 1)
		deep_large(depth - 1, leaf);
	else
		truth_leaf[leaf](turns);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void deep_large(int depth, int leaf)
{
	char room[100];

	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth > 1)
		deep_small(depth - 1, leaf);
	else
		truth_leaf[leaf](turns);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static int write_table(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	for (int i = 0; i < paths; i++) {
		fprintf(out, "truth_leaf_0%d\t**", i + 1);
		for (int d = 0; d < depths[i]; d++)
			fprintf(out, ";deep_%s", d % 2 ? "large" : "small");
		fprintf(out, ";truth_leaf_0%d\t%d native frames\n", i + 1,
			depths[i]);
	}
	return fclose(out);
}

int main(int argc, char *argv[])
{
	struct timespec now;
	time_t end;

	if (argc < 2 || argc > 4) {
		fprintf(stderr, "usage: deep SECONDS [TABLE [DEPTH]]\n");
		return 2;
	}
	if (argc == 4) {
		depths[0] = strtol(argv[3], NULL, 10);
		paths = 1;
	}
	if (argc >= 3 && write_table(argv[2])) {
		perror(argv[2]);
		return 1;
	}
	turns = (paths > 1 ? 20 : 4000) * truth_measure();
	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec + strtol(argv[1], NULL, 10);
	while (now.tv_sec < end) {
		for (int i = 0; i < paths; i++)
			deep_small(depths[i], i + 1);
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	return 0;
}
