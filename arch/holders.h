/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The places that hold one address, or the address plus a constant, at one instruction,
 * and how an instruction changes these places.
 */
#ifndef JPBPF_ARCH_HOLDERS_H
#define JPBPF_ARCH_HOLDERS_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct code;
struct flow;

#define MAX_HOLDERS 10

struct holder {
	s32 place;
	s32 add; /* the place holds the address plus add */
};

struct holders {
	bool reached; /* false: no way to the instruction was followed */
	bool later;   /* a way to it leads through a load of holders_start() */
	u8 n;
	struct holder h[MAX_HOLDERS];
};

/* Sets state[at], for each instruction, to the holders before it on which all ways from
 * the function's first instruction to it agree. begin() sets the holders before those
 * instructions where they are known from something else. */
void holders_follow(struct holders *state, const struct code *c,
		    const struct flow *f,
		    void (*begin)(void *ctx, struct holders *s, int at),
		    void *ctx);
/* Changes *s, the holders before the instruction at index at, to those after it. */
void holders_step(struct holders *s, const struct code *c, int at);
/* Sets *s to the holders of the address that the load at index at loads from, before the
 * load. *s gives the holders of another address there. */
void holders_start(struct holders *s, const struct code *c, int at);
/* The holder at a place. NULL: the place does not hold the address. s owns it. */
const struct holder *holders_get(const struct holders *s, s32 place);
/* The holder before the instruction at index at that becomes h. Its place is PLACE_NONE
 * if there is none. */
struct holder holders_before(struct holder h, const struct code *c, int at);

#endif
