/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From an event to a record: what every source of samples ends in.
 *
 * Is this process wanted -> walk slot -> kernel frames -> user registers -> one walk
 * -> ring buffer.  Every sample that passes the first question is counted as taken,
 * and then either as kept or under the reason for which it was lost.
 *
 * A process that was just born has no tables yet: of its samples the registers and
 * the stack are handed over (defer.bpf.c), and user space walks them later.
 *
 * It is inlined into the program of each source: a chain of calls in BPF may have
 * eight functions, and the walkers need all of them.
 */
#ifndef JPBPF_SAMPLE_BPF_H
#define JPBPF_SAMPLE_BPF_H

#include "bpf/begin.bpf.h"
#include "bpf/early.bpf.h"
#include "bpf/native.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/slot.bpf.h"

/* No frame of the user's is written yet. */
static __always_inline void reset_place(struct walk *w)
{
	w->mode = MODE_NATIVE;
	w->status = WALK_ROOT;
	w->frames = 0;
	w->walker_frames = 0;
	w->located = LOCATED_NOT;
	walk_wake_begin(w);
	w->block_len = 0;
	w->falls = 0;
}

/* Some of what the entry publishes may be gone, or, when it is not known what, all.  What
 * is cached has another serial then than the sample. */
static __always_inline void begin_gone(struct walk *w)
{
	u32 of = w->process.serial;
	struct gone *g;

	w->gone.start = 0;
	w->gone.end = 0;
	if (w->process.gone_of != of)
		return;
	g = bpf_map_lookup_elem(&gone, &of);
	if (!g) {
		w->process.state = PROCESS_PENDING;
		return;
	}
	w->gone.start = g->start;
	w->gone.end = g->end;
	w->process.serial = g->serial;
	if (g->of != of)
		w->process.state = PROCESS_PENDING;
}

static __always_inline void reset_head(struct walk *w, u64 id,
				       const struct event *e)
{
	struct sample *s = &w->sample;

	s->type = RECORD_SAMPLE;
	s->pid = id >> 32;
	s->tid = id;
	s->cpu = bpf_get_smp_processor_id();
	s->source = e->source;
	s->value = e->value;
	s->process = w->process.serial;
	bpf_get_current_comm(s->comm, sizeof(s->comm));
}

static __always_inline void reset(struct walk *w, u64 id,
				  const struct process_entry *p,
				  const struct event *e)
{
	w->pid = id >> 32;
	w->process = *p;
	reset_head(w, id, e);
	begin_gone(w);
	w->words = 0;
	w->counted = 0;
	w->keyed = 0;
	w->block_base = 0;
	w->block_size = 512;
	w->want_saved = !p->walkers || (p->walkers & WALKERS_WITH_REGISTERS);
	/* A sample without a user stack has none of the last one's. */
	w->valid = 0;
	w->saved = 0;
	direct_begin(&w->direct, 0);
	reset_place(w);
}

static __always_inline void kernel_frames(struct walk *w, const struct event *e)
{
	long n;

	w->sample.kernel_words = 0;
	if (config.user_only || !e->stack || is_user_mode(e))
		return;
	n = bpf_get_stack(e->stack, w->word, WALK_KERNEL * 8, 0);
	if (n > 0)
		w->words = (u32)n / 8;
	w->sample.kernel_words = w->words;
}

static __always_inline void walkers_begin(struct walk *w)
{
#define WALKER(id, name, title, traits)            \
	if (w->process.walkers >> WALKER_##id & 1) \
		name##_begin(w);
#include "walkers/walkers.def"
}

/* Has the walk come to where it needs registers that it has not restored, or whoever
 * goes on with it would? */
static __always_inline bool lacks_registers(const struct walk *w)
{
	if (w->want_saved)
		return false;
	return w->status == CUT_LOST_REGISTER || w->status == CUT_NOT_READY ||
	       (w->status == CUT_NO_MAPPING && w->process.kept < KEEP_UNMAPPED);
}

/*
 * Begin anew and restore them: once, because now they are wanted.  What the kernel
 * saved when it was entered are still the registers of this sample.  What is counted on
 * the way to here was counted the first time.
 */
static __always_inline void begin_anew(struct walk *w)
{
	/* The last word is the frame that could not be left.  If it was located, it
	 * has been shown to the walkers too. */
	u32 counted = w->words - (w->located == LOCATED_NOT);

	saved_registers(w);
	begin_registers(w);
	reset_place(w);
	w->want_saved = 1;
	w->words = w->sample.kernel_words;
	w->counted = ~0u;
	walkers_begin(w);
	w->counted = counted;
}

/*
 * One step of whoever holds the mode, and of the walker that the unwinder gives it to:
 * it is a native frame that a walker mostly has one step at.  1 ends the loop.
 */
static long step(u32 i, struct step_context *ctx)
{
	struct walk *w = ctx->w;

	if (w->mode == MODE_NATIVE)
		native_step(w);
	switch (w->mode) {
	case MODE_NATIVE:
		return 0;
#define WALKER(id, name, title, traits) \
	case MODE_WALKER + WALKER_##id: \
		name##_step(w);         \
		break;
#include "walkers/walkers.def"
	}
	if (w->mode != MODE_DONE)
		return 0;
	if (!lacks_registers(w))
		return 1;
	begin_anew(w);
	return 0;
}

static __always_inline void walkers_end(struct walk *w)
{
#define WALKER(id, name, title, traits)            \
	if (w->process.walkers >> WALKER_##id & 1) \
		name##_end(w);
#include "walkers/walkers.def"
}

static __always_inline void walk_user(struct walk *w, struct process_entry *p,
				      const struct event *e)
{
	struct step_context loop = { .w = w };

	if (!begin_user(w, p, e))
		return;
	if (w->process.state != PROCESS_READY)
		return walk_end(w, LOST_NOT_READY);
	if (w->process.walkers)
		walkers_begin(w);
	bpf_loop(WALK_MAX_STEPS, step, &loop, 0);
	if (w->mode != MODE_DONE)
		walk_end(w, CUT_DEPTH);
	w->counted = 0;
	if (w->process.walkers)
		walkers_end(w);
}

/* Stacks that are whole, and those of threads that have none.  One of user mode, when no
 * user frames are wanted, would be empty: it says so. */
static __always_inline bool is_whole(u32 status)
{
	return status == WALK_ROOT || status == WALK_KERNEL_THREAD ||
	       status == WALK_EXEC;
}

/* Hand the record over. false: it could not be written. */
static __always_inline bool emit(struct walk *w, u64 number)
{
	struct sample *s = &w->sample;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words;

	if (!is_whole(w->status))
		w->word[w->words++ & (WALK_WORDS - 1)] =
			frame_value58(FRAME_STATUS, w->status);
	words = w->words & (WALK_WORDS - 1);
	s->words = words;
	/* The ring is far larger than a few records: asking now and then will do. */
	if (!(number & 7) &&
	    bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) >= config.wake_bytes)
		flags = BPF_RB_FORCE_WAKEUP;
	return !bpf_ringbuf_output(&samples, s, sizeof(*s) + words * 8, flags);
}

static __always_inline void account(struct walk *w, struct counters *s, u64 ns)
{
	struct cost *c = &s->cost;

	c->samples++;
	c->ns += ns;
	c->native_frames += w->frames;
	c->walker_frames += w->walker_frames;
	c->histogram[cost_bucket(ns) & (COST_BUCKETS - 1)]++;
}

/* Send a sample as it is.  0, or the status under which it is lost. */
static __always_inline u32 send(struct walk *w, struct counters *s)
{
	if (!emit(w, s->taken))
		return walk_ring_lost();
	if (w->status < WALK_STATUS_COUNT)
		s->status[w->status]++;
	return 0;
}

/* One sample to user space, or to the counter that says why not. */
static __always_inline void hand_over(struct walk *w, struct counters *s,
				      struct process_entry *p)
{
	bool early = early_is(w, p);
	u32 lost = early ? early_defer(w) : 0;

	/* Without room for its stack, what was found of it. */
	if (!early || (lost && w->process.state == PROCESS_READY))
		lost = send(w, s);
	if (!lost)
		s->kept++;
	else if (lost < WALK_STATUS_COUNT)
		s->status[lost]++;
}

static __always_inline void take(struct walk *w, struct counters *s,
				 struct process_entry *p, const struct event *e)
{
	u64 start = bpf_ktime_get_ns();

	/* Walkers ask for it. */
	w->sample.time = start;
	kernel_frames(w, e);
	if (config.kernel_only)
		walk_end(w,
			 is_user_mode(e) ? WALK_USER_MODE : WALK_KERNEL_THREAD);
	else
		walk_user(w, p, e);
	w->sample.status = w->status;
	hand_over(w, s, p);
	account(w, s, bpf_ktime_get_ns() - start);
}

static __always_inline int sample_take(const struct event *e)
{
	u64 id = pids_namespace ? pids_current() : bpf_get_current_pid_tgid();
	u32 pid = id >> 32, tid = id;
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct counters *s;
	struct walk *w;

	if (!p || p->state == PROCESS_IGNORED)
		return 0;
	if (config.by_thread && !bpf_map_lookup_elem(&threads, &tid))
		return 0;
	w = slot_claim(e->level);
	if (!w)
		return 0;
	s = walk_stats(w);
	if (s) {
		s->taken++;
		reset(w, id, p, e);
		take(w, s, p, e);
	}
	slot_release(w);
	return 0;
}

#endif
