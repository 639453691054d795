/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Toy, the interpreter of the program tests/programs/toy.c: what both sides of its
 * walker share.  docs/add-an-interpreter.md explains each part.
 */
#ifndef JPBPF_TESTS_TOY_H
#define JPBPF_TESTS_TOY_H

#include <jpbpf/types.h>

/* As the program has it: an activation, on the C stack of who runs it. */
struct toy_record {
	u64 outer; /* address of the next one; 0: none */
	u64 name;  /* address of a text */
};

/* One process; key: pid. */
struct toy_process {
	u64 top; /* address of the variable toy_top */
};

/* Frame words: frame_walker(WALKER_TOY, extra, sub, 0). */
enum toy_sub {
	TOY_FUNCTION = 1, /* + text of its name */
	TOY_UNNAMED,	  /* a frame is here but it could not be named */
};

#endif
