/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which places hold an address, plus a constant, at one instruction; and what an
 * instruction makes of that.
 */
#ifndef JPBPF_ARCH_X86_64_HOLDERS_H
#define JPBPF_ARCH_X86_64_HOLDERS_H

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

/* What holds it after the instruction at index at, of what did before. */
void holders_step(struct holders *s, const struct code *c, int at);
/* From the load at index at on, the address that it loads from is meant. */
void holders_start(struct holders *s, const struct code *c, int at);
/* Leaves what both agree on.  True: *s has changed. */
bool holders_meet(struct holders *s, const struct holders *other);
/* NULL: the place does not hold it. */
const struct holder *holders_get(const struct holders *s, s32 place);
/* The place before the instruction of what h is after it. */
struct holder holders_before(struct holder h, const struct code *c, int at);

#endif
