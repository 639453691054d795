/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The places that hold one address, plus a constant, at one instruction, and how an
 * instruction changes them.
 */
#ifndef JPBPF_ARCH_HOLDERS_H
#define JPBPF_ARCH_HOLDERS_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct code;

#define MAX_HOLDERS 10

struct holder {
	s32 place;
	s32 add; /* it holds the address plus this */
};

struct holders {
	bool reached; /* else nothing is known, not even that nothing is */
	u8 n;
	struct holder h[MAX_HOLDERS];
};

/* Updates *s from before the instruction at index at to after it. */
void holders_step(struct holders *s, const struct code *c, int at);
/* Starts with the address that the load at index at loads from. */
void holders_start(struct holders *s, const struct code *c, int at);
/* Keeps what both agree on.  Returns whether *s has changed. */
bool holders_meet(struct holders *s, const struct holders *other);
/* The holder at a place; NULL: the place does not hold the address. */
const struct holder *holders_get(const struct holders *s, s32 place);
/* The place that holds, before the instruction, the value that h holds after it. */
struct holder holders_before(struct holder h, const struct code *c, int at);

#endif
