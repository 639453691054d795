// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// Ground truth for inlined functions; with leaves.c, which has no debug information.
//
//   inlined SECONDS
//
// Lines that a test refers to end in a comment with a name.
#include <cstdlib>
#include <ctime>

extern "C" unsigned long truth_leaf_01(unsigned long turns);
extern "C" unsigned long truth_leaf_02(unsigned long turns);
extern "C" unsigned long truth_leaf_03(unsigned long turns);

#define INLINE inline __attribute__((always_inline))
#ifdef __clang__
#define WHOLE __attribute__((noinline))
#else
#define WHOLE __attribute__((noipa))
#endif

namespace app {
template <typename T> struct box {
	T value;
	INLINE T inner(T n)
	{
		return truth_leaf_01(n) + value; // inner
	}
	INLINE T middle(T n)
	{
		T sum = 0;
		for (int i = 0; i < 2; i++) {
			T twice = inner(n / 2); // middle
			sum += twice;
		}
		return sum;
	}
};

static INLINE unsigned long shallow(unsigned long n)
{
	return truth_leaf_02(n) + 1; // shallow
}
}

WHOLE unsigned long deep(unsigned long n)
{
	app::box<unsigned long> b = { n };

	return b.middle(n) + 1; // deep
}

WHOLE unsigned long plain(unsigned long n)
{
	return truth_leaf_03(n) + 1; // plain
}

WHOLE unsigned long both(unsigned long n)
{
	unsigned long x = app::shallow(n); // both

	auto lambda = [&](unsigned long m) __attribute__((always_inline)) {
		return plain(m) + x; // lambda
	};
	return lambda(n) + 1; // calls lambda
}

int main(int argc, char *argv[])
{
	time_t end = time(NULL) + (argc > 1 ? strtol(argv[1], NULL, 10) : 1);

	while (time(NULL) < end) {
		deep(400000); // main deep
		both(400000); // main both
	}
	return 0;
}
