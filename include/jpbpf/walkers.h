/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The list of walkers, their traits and options, from walkers/walkers.def, for both
 * sides. */
#ifndef JPBPF_WALKERS_H
#define JPBPF_WALKERS_H

enum walker_id {
#define WALKER(id, name, title, traits) WALKER_##id,
#include "walkers/walkers.def"
	WALKER_COUNT
};

enum walker_trait {
	/* The walker's frames belong to addresses on the stack; the walker waits for
	 * the native frame that contains such an address.  At the end NAME_end() looks
	 * for what is left over. */
	WALKER_WAITS = 1 << 0,
	/* The walker reads registers that calls preserve at marked frames.  If no
	 * walker of a process has this trait, only the frame pointer is restored. */
	WALKER_NEEDS_REGISTERS = 1 << 1,
	/* The walker has a map of processes, for NAME_fork() and NAME_exit(). */
	WALKER_KEEPS_PROCESSES = 1 << 2,
	/* The walker knows where errors are raised (bpf/cause.bpf.h). */
	WALKER_RAISES = 1 << 3,
	/* The walker knows where calls begin and end (bpf/calls/call.bpf.h). */
	WALKER_CALLS = 1 << 4,
	/* Where a call begins, its frame is not on the stack yet. */
	WALKER_CALLS_EARLY = 1 << 5,
};

/* Bit per walker id: the walkers with a trait. */
#define WALKER(id, name, title, traits) \
	| ((traits)&WALKER_WAITS ? 1 << WALKER_##id : 0)
enum {
	WALKERS_THAT_WAIT = 0
#include "walkers/walkers.def"
};

#define WALKER(id, name, title, traits) \
	| ((traits)&WALKER_CALLS_EARLY ? 1 << WALKER_##id : 0)
enum {
	WALKERS_CALLED_EARLY = 0
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

/* What an option does to a view.  Every option also makes the kernel side write
 * more. */
enum walker_effect {
	WALKER_WRITES,	   /* frames with FRAME_PROMISE are shown */
	WALKER_SAYS_WHERE, /* what is read as WALKER_PLACE is shown */
	WALKER_LEAVES_OUT, /* frames read as WALKER_ASIDE are not shown */
};

#endif
