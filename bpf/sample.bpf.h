/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * sample_take(): from an event to a record.  Every source ends in it.
 *
 * The steps: check that the process is wanted -> check what samples may cost -> walk
 * slot -> kernel frames -> user registers -> one walk -> ring.  Every sample that passes
 * the first two checks is counted as taken, and then either as kept or under the reason
 * for which it was lost.
 *
 * A process that was just born has no tables yet.  Its samples are deferred
 * (defer.bpf.c): user space gets registers and stack, and walks them later.
 *
 * All of this is inlined into the program of each source, because a chain of calls in
 * BPF may have eight functions and the walkers need all of them.
 */
#ifndef JPBPF_SAMPLE_BPF_H
#define JPBPF_SAMPLE_BPF_H

#include "bpf/begin.bpf.h"
#include "bpf/budget.bpf.h"
#include "bpf/cause.bpf.h"
#include "bpf/early.bpf.h"
#include "bpf/fresh.bpf.h"
#include "bpf/native/native.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/slot.bpf.h"

/* Puts the walk at its start, before the first user frame. */
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

/* How often the task has left a CPU. */
static __always_inline u64 switches_of(const struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

/* By the helper a sample would touch ten lines more of the kernel's code. */
static __always_inline void reset_comm(struct sample *s, const struct event *e)
{
	const struct task_struct *task =
		seldom(e->task) ? e->task : bpf_get_current_task_btf();

	if (DIRECT_READS)
		direct_words((u64 *)s->comm, COMM_LEN / 8, (u64)&task->comm);
	else
		bpf_probe_read_kernel_str(s->comm, sizeof(s->comm), task->comm);
	s->comm[COMM_LEN - 1] = 0;
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
	w->level = e->level;
	if (seldom(e->task))
		w->switches = switches_of(e->task);
	reset_comm(s, e);
}

static __always_inline void
reset(struct walk *w, u64 id, struct process_entry *p, const struct event *e)
{
	w->pid = id >> 32;
	w->process = *p;
	reset_head(w, id, e);
	w->fresh_n = 0;
	if (seldom(p->fresh))
		fresh_begin(w, p);
	w->sample.process = w->process.serial;
	w->words = 0;
	w->counted = 0;
	w->keyed = 0;
	w->block_base = 0;
	w->block_size = 512;
	w->want_saved = e->task || (p->walkers & WALKERS_WITH_REGISTERS);
	/* A sample without a user stack must not show registers of the last sample. */
	w->valid = 0;
	w->saved = 0;
	direct_begin(&w->direct, 0);
	reset_place(w);
}

/* An error stands inward of all frames.  In the sample it has the place of kernel frames,
 * so it stays where user frames are dropped. */
static __always_inline void push_cause(struct walk *w, const struct event *e)
{
	u64 class = e->cause->class, message = e->cause->message;

	walk_push(w, (u64)FRAME_CONDITION << 58 | 2ull << 54 |
			     (u64)(u8)(e->walker + 1) << 48);
	walk_push(w, class ? text_at(w, class) : 0);
	walk_push(w, message ? text_at(w, message) : 0);
	w->sample.kernel_words = w->words;
}

static __always_inline void kernel_frames(struct walk *w, const struct event *e)
{
	long n;

	w->sample.kernel_words = 0;
	if (seldom(e->cause))
		push_cause(w, e);
	if (mostly(config.user_only || !e->stack || is_user_mode(e)))
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

/* Whether the walk, or the later walk of a deferred sample, needs registers that were
 * not restored. */
static __always_inline bool lacks_registers(const struct walk *w)
{
	if (w->want_saved)
		return false;
	return w->status == CUT_LOST_REGISTER || w->status == CUT_NOT_READY ||
	       (w->status == CUT_NO_MAPPING && !w->process.strays);
}

/*
 * Begins the walk again, now restoring all saved registers.  This happens once a
 * sample, because want_saved is set then.  The registers that the kernel saved on entry
 * are still those of this sample.  Events on the way to here are not counted a second
 * time.
 */
static __always_inline void begin_anew(struct walk *w)
{
	/* The last word is the frame that could not be left.  If it was located, the
	 * walkers have counted for it too. */
	u32 counted = w->words - (w->located == LOCATED_NOT);

	saved_registers(w, bpf_get_current_task_btf());
	cursor_begin(cursor_of(w));
	reset_place(w);
	w->want_saved = 1;
	w->words = w->sample.kernel_words;
	w->counted = ~0u;
	walkers_begin(w);
	w->counted = counted;
}

#define STEP_FRAMES 4u

/*
 * One step of the walker that has the mode, or a few of the unwinder.  If the unwinder
 * gives the mode to a walker, that walker's first step follows at once, because a walker
 * mostly has one step per native frame.  Returns 1 to end the loop.
 */
static long step(u32 i, struct step_context *ctx)
{
	struct walk *w = ctx->w;

	if (seldom(budget_is_over(w, i)))
		return 1;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < STEP_FRAMES && w->mode == MODE_NATIVE; n++) {
		/* Otherwise the compiler keeps addresses of fields on the BPF stack,
		 * which has no room for them. */
		barrier_var(w);
		native_step(w);
	}
	if (w->mode == MODE_NATIVE)
		return 0;
	walkers_step(w);
	if (w->mode != MODE_DONE)
		return 0;
	if (mostly(!lacks_registers(w)))
		return 1;
	begin_anew(w);
	return 0;
}

static __always_inline void walkers_end(struct walk *w)
{
#define WALKER(id, name, title, traits)                                     \
	if ((traits)&WALKER_WAITS && w->process.walkers >> WALKER_##id & 1) \
		name##_end(w);
#include "walkers/walkers.def"
}

static __always_inline void walk_user(struct walk *w, struct process_entry *p,
				      const struct event *e)
{
	struct step_context loop = { .w = w };
	u32 status = begin_user(w, p, e);

	if (seldom(status))
		return walk_end(w, status);
	if (seldom(w->process.state != PROCESS_READY))
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

/* Writes the record to the ring.  Returns false if there was no room. */
static __always_inline bool emit(struct walk *w, u64 number)
{
	struct sample *s = &w->sample;
	u64 flags = BPF_RB_NO_WAKEUP;
	u32 words;

	if (seldom(!sample_is_whole(w->status)))
		w->word[w->words++ & (WALK_WORDS - 1)] =
			frame_value58(FRAME_STATUS, w->status);
	words = w->words & (WALK_WORDS - 1);
	s->words = words;
	/* The ring is far larger than a few records, so every eighth sample asks. */
	if (!(number & 7) &&
	    bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) >= config.wake_bytes)
		flags = BPF_RB_FORCE_WAKEUP;
	return !bpf_ringbuf_output(&samples, s, sizeof(*s) + words * 8, flags);
}

static __always_inline void account(struct walk *w, struct counters *s,
				    struct account *a, u64 ns)
{
	struct cost *c = &s->cost;

	c->samples++;
	c->ns += ns;
	c->native_frames += w->frames;
	c->walker_frames += w->walker_frames;
	c->histogram[cost_bucket(ns) & (COST_BUCKETS - 1)]++;
	/* Deferred samples are large: for each half MiB that nobody has read yet, one counts
	 * once more, so that the ring does not fill up before the budget is spent. */
	if (seldom(w->sample.type == RECORD_DEFERRED))
		ns += ns * bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) >> 19;
	/* A task may have been preempted. */
	a->spent += ns < BUDGET_WALK ? ns : BUDGET_WALK;
}

/* Sends a sample as it is.  Returns 0, or the status under which it is lost. */
static __always_inline u32 send(struct walk *w, struct counters *s)
{
	if (seldom(!emit(w, s->taken)))
		return walk_ring_lost();
	if (w->status < WALK_STATUS_COUNT)
		s->status[w->status]++;
	return 0;
}

/* Sends or defers one sample, or counts why it is lost. */
static __always_inline void hand_over(struct walk *w, struct counters *s)
{
	bool early = !direct_foreign && early_is(w);
	u32 lost = early ? early_defer(w) : 0;

	/* Not deferred, or no room to defer it: send the frames found so far. */
	if (!early || (lost && w->process.state == PROCESS_READY))
		lost = send(w, s);
	if (mostly(!lost))
		s->kept++;
	else if (lost < WALK_STATUS_COUNT)
		s->status[lost]++;
}

/*
 * Gives the sample its weight.  A clock does not tick while interrupts are off, so a
 * walk longer than its period has missed ticks of the thread that it interrupted.
 * Until here the sample's value is that of the event.
 */
static __always_inline void weigh(struct walk *w)
{
	u64 value = w->sample.value;

	if (config.max_cost && w->sample.source == SOURCE_CPU_CLOCK && value)
		w->sample.weight +=
			(bpf_ktime_get_ns() - w->sample.time) / value;
	w->sample.value =
		direct_foreign ? w->direct.absent : w->sample.weight * value;
}

/* Whether the task has stood still while it was walked. */
static __always_inline bool is_sound(struct walk *w, const struct event *e)
{
	return !e->task->on_cpu && switches_of(e->task) == w->switches &&
	       direct_is_same(&w->direct);
}

static __always_inline void take(struct walk *w, struct counters *s,
				 struct process_entry *p, const struct event *e)
{
	kernel_frames(w, e);
	if (seldom(config.kernel_only))
		walk_end(w,
			 is_user_mode(e) ? WALK_USER_MODE : WALK_KERNEL_THREAD);
	else
		walk_user(w, p, e);
	w->sample.status = w->status;
	weigh(w);
	if (mostly(!e->task) || is_sound(w, e))
		hand_over(w, s);
}

/* Counts an event for which other samples stand. */
static __always_inline void skip(void)
{
	u32 entry = bpf_get_smp_processor_id() + 1;
	struct counters *s = bpf_map_lookup_elem(&stats, &entry);

	if (s)
		__sync_fetch_and_add(&s->skipped, 1);
}

static __always_inline int sample_take(const struct event *e)
{
	u64 id = seldom(e->task)	  ? pids_task(e->task)
		 : seldom(pids_namespace) ? pids_current()
					  : bpf_get_current_pid_tgid();
	u32 pid = id >> 32, tid = id;
	u32 own = e->account + bpf_get_smp_processor_id();
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct account *a = bpf_map_lookup_elem(&accounts, &own);
	struct counters *s;
	struct walk *w;
	u32 weight = 1;
	u64 now;

	if (!p || !a || p->state == PROCESS_IGNORED)
		return 0;
	if (config.by_thread && !bpf_map_lookup_elem(&threads, &tid))
		return 0;
	now = bpf_ktime_get_ns();
	if (now >= sample_until)
		return 0;
	if (config.max_cost)
		weight = budget_take(a, tid, now);
	if (!weight) {
		skip();
		return 0;
	}
	w = slot_claim(e->level);
	if (!w)
		return 0;
	s = walk_stats(w);
	if (s) {
		s->taken++;
		reset(w, id, p, e);
		w->sample.time = now; /* the walkers read it too */
		w->sample.weight = weight;
		w->sample.count = 0;
		w->sample.value = e->value;
		take(w, s, p, e);
		account(w, s, a, bpf_ktime_get_ns() - w->sample.time);
	}
	slot_release(w);
	return 0;
}

#endif
