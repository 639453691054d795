/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The state of a walk over shadow stacks, and what its files share. */
#ifndef JPBPF_WALKERS_SHADOW_KERNEL_SHADOW_BPF_H
#define JPBPF_WALKERS_SHADOW_KERNEL_SHADOW_BPF_H

#include "bpf/walk.bpf.h"
#include "walkers/shadow/shadow.h"

#define SHADOW_FRAMES 65536u /* of a stack, at most */
#define SHADOW_NAMES  64u    /* per walk slot */

/* struct jpi_process, include/jpbpf-interp.h */
struct shadow_layout {
	u64 magic;
	u16 major, minor;
	u32 size;
	s64 thread;
	u16 thread_stack, thread_count;
	u16 stack_depth, stack_room, stack_outer, stack_low, stack_high;
	u16 stack_rebased, stack_rebase_key, stack_name, stack_from;
	u16 stack_frames;
	u16 frame_size, frame_method, frame_key, frame_at;
	u16 method_flags, method_name, method_scope, method_file;
	u16 method_line, method_lines, method_code;
	u16 stack_from_low; /* 0 in an older library */
};
#define SHADOW_LAYOUT_WORDS (sizeof(struct shadow_layout) / 8)
_Static_assert(SHADOW_LAYOUT_WORDS == 9, "as in jpbpf-interp.h");

/* One stack at a time of one copy of the library. */
struct shadow_chain {
	struct shadow_layout l;
	u64 stack, outer;
	u64 n; /* frames that are left */
	u64 key,
		last_key; /* of the innermost of these, and of the one before */
	u64 rebased, rebase_key;
	u64 method;    /* of the frame at hand; 0: it is to be passed over */
	u64 low, high; /* of the C stack of its own; 0: it has none */
};

/* The texts of a method in this sample; nothing changes in it. */
struct shadow_name {
	u64 method, sample;
	u64 name, scope;
};

struct shadow_walk {
	struct shadow_chain chain[SHADOW_COPIES];
	u64 sp, thread;
	u32 copies, at; /* at: the chain that is next */
	u32 dropped;
	u32 stacks; /* seen so far */
	u64 number; /* of the sample */
	struct shadow_name name[SHADOW_NAMES];
};

/* Written by user space. */
MAP(shadow_processes, HASH, BPF_F_NO_PREALLOC, 1, u32, struct shadow_process);

/* What the counter of a thread was in its last sample. */
MAP(shadow_counts, LRU_HASH, 0, 4096, u64, u64);

WALK_STATE(WALKER_SHADOW, shadow)

/* The chain at hand. */
static __always_inline struct shadow_chain *
shadow_chain_of(struct shadow_walk *t)
{
	u32 i = t->at;

	barrier_var(i);
	return &t->chain[i & (SHADOW_COPIES - 1)];
}

static __always_inline void shadow_give_up(struct walk *w,
					   struct shadow_chain *c, u32 why)
{
	walk_missing(w, why);
	c->key = WAKE_NEVER;
	c->n = 0;
	c->outer = 0;
}

static __always_inline u64 shadow_frame_of(const struct shadow_chain *c)
{
	return c->stack + c->l.stack_frames + (c->n - 1) * c->l.frame_size;
}

/* shadow_stack.bpf.c: take up the stack that the thread is on, or another one.  0, or -1 after
 * it has been given up. */
int shadow_find_stack(struct walk *w, u64 stack);
int shadow_take_stack(struct walk *w, u64 stack);
/* shadow_stack.bpf.c: look at the innermost frame that is left. */
int shadow_look(struct walk *w);
/* shadow_frame.bpf.c: write the frame at hand, or that a coroutine begins. */
int shadow_put_frame(struct walk *w);
int shadow_put_coroutine(struct walk *w);

#endif
