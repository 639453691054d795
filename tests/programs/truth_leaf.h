/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Four hundred functions that do nothing but use up CPU time.
 *
 * Each call path of a ground-truth program burns in a leaf of its own, so the
 * leaf's name in a profile says which path the sample was taken on, and thus
 * what its whole stack must be.  The loop calls nothing: in every sample inside
 * it the leaf is the innermost frame.  The work is counted in turns and not in
 * clock time, so that a path gets its CPU time on a busy machine too.
 *
 * Leaf 00 serves for measuring only and belongs to no path.
 */
#ifndef JPBPF_TESTS_TRUTH_LEAF_H
#define JPBPF_TESTS_TRUTH_LEAF_H

#include <sys/prctl.h>
#include <time.h>

/* noipa: the call stays a call, whatever the compiler knows about the callee.
 */
#define TRUTH_EXPORT __attribute__((noipa, visibility("default")))

/* Put after a call: it cannot become a jump, the caller keeps its frame. */
#define TRUTH_KEEP_FRAME() __asm__ volatile("" : : : "memory")

#define TRUTH_LEAVES 400

#define TRUTH_TEN(X, tens) \
	X(tens, 0)         \
	X(tens, 1)         \
	X(tens, 2)         \
	X(tens, 3)         \
	X(tens, 4)         \
	X(tens, 5)         \
	X(tens, 6)         \
	X(tens, 7)         \
	X(tens, 8)         \
	X(tens, 9)

#define TRUTH_HUNDRED(X, hundreds) \
	TRUTH_TEN(X, hundreds##0)  \
	TRUTH_TEN(X, hundreds##1)  \
	TRUTH_TEN(X, hundreds##2)  \
	TRUTH_TEN(X, hundreds##3)  \
	TRUTH_TEN(X, hundreds##4)  \
	TRUTH_TEN(X, hundreds##5)  \
	TRUTH_TEN(X, hundreds##6)  \
	TRUTH_TEN(X, hundreds##7)  \
	TRUTH_TEN(X, hundreds##8)  \
	TRUTH_TEN(X, hundreds##9)

/* truth_leaf_00 to truth_leaf_99, truth_leaf_100 to truth_leaf_399. */
#define TRUTH_ALL(X)        \
	TRUTH_HUNDRED(X, )  \
	TRUTH_HUNDRED(X, 1) \
	TRUTH_HUNDRED(X, 2) \
	TRUTH_HUNDRED(X, 3)

#define TRUTH_LEAF(tens, ones)                                                 \
	unsigned long truth_leaf_##tens##ones(unsigned long turns);            \
	TRUTH_EXPORT unsigned long truth_leaf_##tens##ones(                    \
		unsigned long turns)                                           \
	{                                                                      \
		unsigned long x = tens * 10 + ones;                            \
                                                                               \
		while (turns--) {                                              \
			x = x * 6364136223846793005ul + 1442695040888963407ul; \
			__asm__ volatile("" : "+r"(x));                        \
		}                                                              \
		return x;                                                      \
	}

TRUTH_ALL(TRUTH_LEAF)

#define TRUTH_ENTRY(tens, ones) truth_leaf_##tens##ones,

static unsigned long (*const truth_leaf[TRUTH_LEAVES])(unsigned long) = {
	TRUTH_ALL(TRUTH_ENTRY)
};

/* Turns of a leaf's loop in one millisecond of CPU time: the best of five
 * tries, so that a disturbed one does not count. */
static unsigned long truth_measure(void)
{
	const unsigned long turns = 400000;
	unsigned long best = 0;

	/* While the kernel collapses pages into a huge one they cannot be read
	 * from an interrupt: such a sample has a frame that says so, which is
	 * right, but not what these programs are for. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (int i = 0; i < 5; i++) {
		struct timespec from, to;
		long ns;

		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
		truth_leaf[0](turns);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
		ns = (to.tv_sec - from.tv_sec) * 1000000000l + to.tv_nsec -
		     from.tv_nsec;
		if (ns > 0 && turns * 1000000ul / (unsigned long)ns > best)
			best = turns * 1000000ul / (unsigned long)ns;
	}
	return best ? best : 1000000;
}

#endif
