/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What walkers/walkers.def says of the interpreters' walkers, for both sides. */
#ifndef JPBPF_WALKERS_H
#define JPBPF_WALKERS_H

enum walker_id {
#define WALKER(id, name, title, traits) WALKER_##id,
#include "walkers/walkers.def"
	WALKER_COUNT
};

enum walker_trait {
	WALKER_WAITS = 1 << 0, /* its frames belong to addresses on the stack */
	/* It asks at marked frames for registers that calls keep.  The stacks of
	 * those who do not are walked without restoring any but rbp. */
	WALKER_NEEDS_REGISTERS = 1 << 1,
};

/* Bit per walker id: those with a trait. */
#define WALKER(id, name, title, traits) \
	| ((traits)&WALKER_WAITS ? 1 << WALKER_##id : 0)
enum {
	WALKERS_THAT_WAIT = 0
#include "walkers/walkers.def"
};

#define WALKER(id, name, title, traits) \
	| ((traits)&WALKER_NEEDS_REGISTERS ? 1 << WALKER_##id : 0)
enum {
	WALKERS_WITH_REGISTERS = 0
#include "walkers/walkers.def"
};

/* Numbers of the options that walkers declare. */
enum walker_option_id {
#define WALKER_OPTION(id, name, effect, help) id##_OPTION,
#include "walkers/walkers.def"
	WALKER_OPTION_COUNT
};

/* Every option lets the kernel side write more; this is what it does to a view. */
enum walker_effect {
	WALKER_WRITES,	   /* nothing more */
	WALKER_SAYS_WHERE, /* what line() appends is shown */
	WALKER_LEAVES_OUT, /* frames that are aside() are not shown */
};

#endif
