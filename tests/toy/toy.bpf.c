/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Toy in the kernel.  Each activation is a record on the C stack, which leads to the
 * next one outward, from the variable toy_top on; so a record belongs to the native
 * frame that its address lies in.
 */
#include "bpf/walk.bpf.h"
#include "tests/toy/toy.h"

struct toy_walk {
	u64 record; /* address of the next one; WAKE_NEVER: none */
	u64 placed;
};

/* Written by user space when it has proven the process. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct toy_process);
} toy_processes SEC(".maps");

WALK_STATE(WALKER_TOY, toy)

/* This record is the next. */
static __always_inline void want(struct walk *w, struct toy_walk *t, u64 record)
{
	t->record = record ? record : WAKE_NEVER;
	walk_wait(w, WALKER_TOY, t->record);
}

static __always_inline void give_up(struct walk *w, struct toy_walk *t, u32 why)
{
	walk_count(w, why);
	want(w, t, 0);
}

static __always_inline void write_frame(struct walk *w, u64 name)
{
	u64 text = text_at(w, name);

	w->walker_frames++;
	if (text) {
		walk_frame(w, WALKER_TOY, TOY_FUNCTION, 0, text);
	} else {
		walk_count(w, TOY_NAME);
		walk_frame(w, WALKER_TOY, TOY_UNNAMED, 0);
	}
}

int toy_begin(struct walk *w)
{
	struct toy_walk *t = toy_current(w);
	struct toy_process *p;
	u64 first = 0;
	u32 pid;

	if (!t)
		return 0;
	pid = w->pid;
	t->record = WAKE_NEVER;
	t->placed = 0;
	p = bpf_map_lookup_elem(&toy_processes, &pid);
	if (!p)
		walk_count(w, TOY_NOT_READY);
	else if (walk_words(w, &first, 1, p->top))
		give_up(w, t, TOY_READ);
	else
		want(w, t, first);
	return 0;
}

int toy_step(struct walk *w)
{
	struct toy_walk *t = toy_current(w);
	struct toy_record r;

	if (!t)
		return 0;
	if (t->record >= w->cfa) {
		walk_next(w);
		return 0;
	}
	if (walk_words(w, (u64 *)&r, sizeof(r) / 8, t->record)) {
		give_up(w, t, TOY_READ);
	} else {
		if (w->keyed)
			walk_push(w, frame_value58(FRAME_KEY, t->record));
		write_frame(w, r.name);
		t->placed++;
		if (r.outer && r.outer <= t->record)
			give_up(w, t, TOY_ORDER);
		else
			want(w, t, r.outer);
	}
	walk_next(w);
	return 0;
}

int toy_end(struct walk *w)
{
	struct toy_walk *t = toy_current(w);

	if (t && w->status == WALK_ROOT && t->record != WAKE_NEVER)
		walk_count(w, t->placed ? TOY_UNPLACED : TOY_ELSEWHERE);
	return 0;
}

int toy_fork(u32 parent, u32 child)
{
	struct toy_process *p = bpf_map_lookup_elem(&toy_processes, &parent);
	u32 key = child;

	if (p && bpf_map_update_elem(&toy_processes, &key, p, BPF_ANY))
		return -1;
	return 0;
}

int toy_exit(u32 pid)
{
	u32 key = pid;

	bpf_map_delete_elem(&toy_processes, &key);
	return 0;
}
