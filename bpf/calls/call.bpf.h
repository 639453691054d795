/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a walker says at a place where calls begin or end (NAME_calls.bpf.c).
 * calls.bpf.c asks, and keeps account.
 */
#ifndef JPBPF_CALLS_CALL_BPF_H
#define JPBPF_CALLS_CALL_BPF_H

#include "bpf/walk.bpf.h"

#include <jpbpf/call.h>

enum call_what {
	CALL_NOTHING,
	CALL_ENTERED, /* function and at are set */
	CALL_LEFT,    /* at is set */
	CALL_JUMPED,  /* at is set, or bound: see call_event */
	CALL_RESUMED, /* at: a coroutine, which goes on in this thread */
	CALL_SUSPENDED, /* at: a coroutine of this thread, which waits from now on */
	CALL_FREED, /* function: it exists no more */
	CALL_MADE,  /* a function that third names will exist */
};

struct call_event {
	/* The place's register, the function's second, third and fourth argument, and the
	 * stack pointer. */
	u64 first, second, third, fourth, sp;
	u64 flags; /* the processor's, of conditions */
	struct call_key function;
	struct call_at at;
	u64 at_word; /* CALL_ENTERED: where the address of at is; 0: it is set */
	/* CALL_JUMPED: at is the first of a chain, and next the offset of the address of the
	 * next one outward.  The walker's calls inward of the first that is open are left.
	 * Native calls below bound are left. */
	u64 bound;
	u16 next;
	u16 watched; /* a watchpoint tells */
	u32 index;   /* of the place */
};

/* NAME_calls.bpf.c.  NAME_calls(): enum call_what happens at the place; pid and walker are
 * set.  NAME_left(): enum call_left of an open call that is left there.  NAME_called() writes
 * the frame of the function that is entered, as in a sample: 0, or -1 if nothing is known of
 * it.  NAME_detail() writes what is known of a call that begins, its arguments, or ends, its
 * value; before it a FRAME_KEY with a coroutine's address. */
#define WALKER(id, name, title, traits)                                     \
	int name##_calls(struct call_event *e, const struct call_place *p); \
	int name##_left(const struct call_event *e,                         \
			const struct call_place *p);                        \
	int name##_called(struct walk *w, const struct call_event *e,       \
			  const struct call_place *p);                      \
	int name##_detail(struct walk *w, const struct call_event *e,       \
			  const struct call_place *p, u32 begins);
#include "walkers/walkers.def"

/* calls.bpf.c: the current thread ends, or begins another program: its calls are not left. */
int calls_ended(u32 pid);
/* The function that the current thread has entered: its id. */
int calls_entered(void);

static __always_inline u64 call_word(u64 address)
{
	u64 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}

static __always_inline u32 call_half(u64 address)
{
	u32 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}

#endif
