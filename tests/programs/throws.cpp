/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Throws exceptions of three types, 100 of each, when standard input ends.
 */
#include <stdexcept>
#include <unistd.h>

namespace own {
template <typename T> struct Failure {
	T value;
};
}

__attribute__((noinline)) static void thrower(int i)
{
	if (i % 3 == 0)
		throw std::runtime_error("it failed");
	if (i % 3 == 1)
		throw own::Failure<int>{i};
	throw i;
}

static void round(int n)
{
	for (int i = 0; i < n; i++) {
		try {
			thrower(i);
		} catch (...) {
		}
	}
}

int main()
{
	char byte;

	round(3); /* the types' names are in memory from here on */
	while (read(0, &byte, 1) > 0)
		;
	round(300);
	pause();
}
