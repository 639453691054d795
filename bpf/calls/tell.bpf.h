/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Records for user space: a function that is new, and where each call is wanted, its begin
 * and its end. */
#ifndef JPBPF_CALLS_TELL_BPF_H
#define JPBPF_CALLS_TELL_BPF_H

#include "bpf/calls/calls.bpf.h"

/* A slot for the frames of a record; NULL: none is free. */
static __always_inline struct walk *tell_begin(u32 pid)
{
	struct process_entry *entry = bpf_map_lookup_elem(&processes, &pid);
	struct walk *w = entry ? slot_claim(LEVEL_TASK) : NULL;

	if (!w)
		return NULL;
	w->pid = pid;
	w->process = *entry;
	w->words = 0;
	w->counted = 0;
	w->block_base = 0;
	w->block_len = 0;
	w->block_size = 512;
	w->mode = MODE_NATIVE;
	w->text_unsent = 0;
	w->sample.type = RECORD_CALL;
	w->sample.kernel_words = 0;
	w->sample.pid = pid;
	direct_begin(&w->direct, 0);
	return w;
}

static __always_inline int tell_end(struct walk *w, int err)
{
	u32 words = w->words & (WALK_WORDS - 1);

	if (!err && !w->text_unsent) {
		w->sample.words = words;
		err = bpf_ringbuf_output(
			&samples, &w->sample, sizeof(w->sample) + words * 8,
			w->sample.kernel_words ? BPF_RB_FORCE_WAKEUP : 0);
	}
	slot_release(w);
	return err;
}

/* The words of the function's key, and the frame that names it. */
static __always_inline int put_function(struct walk *w, struct call_event *e,
					struct call_place *p)
{
	walk_push(w, e->function.word[0]);
	walk_push(w, e->function.word[1]);
	w->sample.kernel_words = 2;
	bpf_get_current_comm(w->sample.comm, sizeof(w->sample.comm));
	switch (p->walker) {
#define WALKER(walker_id, name, title, traits) \
	case WALKER_##walker_id:               \
		return (traits)&WALKER_CALLS ? name##_called(w, e, p) : -1;
#include "walkers/walkers.def"
	default:
		return -1;
	}
}

/* What is known of the call: its arguments, or its value. */
static __always_inline void put_detail(struct walk *w, struct call_event *e,
				       struct call_place *p, bool enters)
{
	switch (p->walker) {
#define WALKER(walker_id, name, title, traits)          \
	case WALKER_##walker_id:                        \
		if ((traits)&WALKER_CALLS)              \
			name##_detail(w, e, p, enters); \
		break;
#include "walkers/walkers.def"
	case CALL_NATIVE:
		if (enters && config.call_args) {
			walk_push(w, e->first);
			walk_push(w, e->second);
			walk_push(w, e->third);
			walk_push(w, e->fourth);
		}
	}
}

/* Tells of a function that is new.  0, or -1. */
static __always_inline int ask(struct call_event *e, u32 id)
{
	struct call_place *p = bpf_map_lookup_elem(&call_places, &e->index);
	struct walk *w = p ? tell_begin(e->function.pid) : NULL;

	if (!w)
		return -1;
	w->sample.source = p->walker;
	w->sample.value = id;
	w->sample.time = bpf_ktime_get_ns();
	w->sample.tid = thread_id();
	return tell_end(w, put_function(w, e, p));
}

static __always_inline void put_call(struct walk *w, const struct call_open *o,
				     u32 how, u64 time)
{
	w->sample.time = time;
	w->sample.tid = o->tid;
	w->sample.source = o->walker;
	w->sample.value = o->id;
	w->sample.status = how;
	w->sample.weight = o->start;
	w->sample.process = o->depth;
}

/* Tells that the call o begins (how: CALL_BEGINS) or ends (enum call_left). */
static __noinline int tell(struct call_event *e, struct call_open *o, u32 how,
			   u64 time)
{
	struct call_place *p;
	struct walk *w;

	if (!e || !o)
		return 0;
	p = bpf_map_lookup_elem(&call_places, &e->index);
	w = p ? tell_begin(e->at.pid) : NULL;
	if (w) {
		put_call(w, o, how, time);
		put_detail(w, e, p, how == CALL_BEGINS);
	}
	if (!w || tell_end(w, 0))
		COUNT(records);
	return 0;
}

/* The same of a call that a jump ends. */
static __noinline int tell_jump(struct call_open *o, u64 time)
{
	struct walk *w = o ? tell_begin(o->pid) : NULL;

	if (w)
		put_call(w, o, CALL_JUMP, time);
	if (!w || tell_end(w, 0))
		COUNT(records);
	return 0;
}

#endif
