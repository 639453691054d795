/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions with the symbols of C++ and Rust, without their compilers.
 *
 *   mangled SECONDS
 *
 * Called in a row, outermost first: C++, a C++ template, Rust's legacy and its
 * v0 mangling, and a name that only looks mangled.
 */
#include <stdio.h>
#include <stdlib.h>

#include "truth_leaf.h"

TRUTH_EXPORT void cxx(void) __asm__("_ZN3app5Model4stepEid");
TRUTH_EXPORT void
cxx_template(void) __asm__("_ZN3app4sortISt6vectorIiSaIiEEEEvRT_");
TRUTH_EXPORT void
rust(void) __asm__("_ZN5crate5inner4work17h0123456789abcdefE");
TRUTH_EXPORT void rust_v0(void) __asm__("_RNvNtCs1234_7mycrate3foo3bar");
TRUTH_EXPORT void odd(void) __asm__("_ZNotMangled");

static unsigned long turns;

TRUTH_EXPORT void odd(void)
{
	truth_leaf_01(turns);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void rust_v0(void)
{
	odd();
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void rust(void)
{
	rust_v0();
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void cxx_template(void)
{
	rust();
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void cxx(void)
{
	cxx_template();
	TRUTH_KEEP_FRAME();
}

int main(int argc, char *argv[])
{
	struct timespec now;
	time_t end;

	if (argc != 2) {
		fprintf(stderr, "usage: mangled SECONDS\n");
		return 2;
	}
	turns = 20 * truth_measure();
	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec + strtol(argv[1], NULL, 10);
	while (now.tv_sec < end) {
		cxx();
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	return 0;
}
