/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The tracker's own: one program in one process, from its first sign of life until
 * its last sample has been walked.
 */
#ifndef JPBPF_USER_PROCESSES_PROCESS_H
#define JPBPF_USER_PROCESSES_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <uthash.h>

#include "user/processes/deferred.h"
#include "user/processes/replaced.h"
#include "user/processes/mapping_table.h"
#include "user/processes/tracker.h"

struct map_history;

#define PROCESS_UNDECIDED 150000000ull /* ns to wait for an interpreter */

#define DEFERRED_LIMIT (64u << 20) /* bytes of samples that wait */

enum walker_state {
	WALKER_ABSENT,
	WALKER_WAITING,	 /* interpreter not initialised yet */
	WALKER_UNPROVEN, /* the same, or another one; not used until proven */
	WALKER_PROVEN,
	WALKER_REFUSED,
};

/* One program in one process. */
struct process {
	pid_t pid;
	u32 serial;
	struct mapping_table *table; /* NULL until published */
	enum walker_state walker[WALKER_COUNT];
	u8 tries[WALKER_COUNT]; /* failed proofs */
	bool listed;		/* wanted whatever is in it */
	bool counted;		/* it is in tracker_sum.seen */
	bool dirty;		/* look at its mappings again */
	bool partial;	 /* there was no room for all files that it maps */
	u64 due;	 /* ns: when to look at it next; 0: no need */
	u64 not_before;	 /* ns: whatever happens, not sooner */
	u64 delay;	 /* ns: the last wait, doubled each time */
	u64 since;	 /* ns: when it was first undecided */
	u64 examined;	 /* ns: when its mappings were last read, */
	u64 seen;	 /* ... and when that was done */
	u64 table_since; /* ns: what it publishes was there then */
	u64 published;	 /* ns: when that was given to the kernel side */
	/* Of the publication with that serial this is gone: the kernel side does not walk
	 * by it. */
	struct area gone;
	u32 gone_of;
	u32 replaced_of; /* of the one with that serial, something was replaced */
	u64 overtaken; /* ns: since when another program runs, of which no notice
			* has come; 0: none does */
	struct map_history *history;
	struct deferred_list deferred;
	size_t tables; /* made when the deferred was last tried */
	u64 samples;   /* that were walked */
	char *text;    /* what runs there; NULL: not known yet */
	bool ended;    /* all that it did has been told */
	bool vanished; /* it was not there when it was looked at */
	bool doubtful; /* something it mapped may not have been told */
	bool refused;  /* there was no room for it, and that was counted */
	bool ignored;  /* it is none of ours, but its next program may be ... */
	bool stays;    /* ... if this is so */
	struct process *next; /* in the list of those that leave */
	UT_hash_handle hh;
};

struct tracker {
	struct process_env env;
	enum track_mode mode;
	bool children; /* these are tracker_config's */
	bool (*is_chosen)(void *ctx, pid_t pid);
	void *chosen_ctx;
	struct deferred_sink sink;
	struct replaced
		replaced; /* publications of which something was replaced */
	struct process *processes;     /* by pid */
	struct process *leaving;       /* gone, with samples to be walked */
	struct mapping_table *dropped; /* env's */
	size_t bytes;		       /* of samples that wait, about */
	bool last;		       /* what is not there now will never be */
	void (*name)(void *ctx);       /* tracker_config's */
	u64 retired;	       /* ns: when files were last closed, ... */
	u64 histories_settled; /* ... and what was told of mappings dropped */
	struct tracker_sum sum;
};

struct process *process_find(struct tracker *t, pid_t pid);
/* Found, or made. */
struct process *process_get(struct tracker *t, pid_t pid);
/* It is in no list any more. */
void process_free(struct tracker *t, struct process *p);
void process_count_seen(struct tracker *t, struct process *p);
/* Takes the sample's command name, if the program's arguments are not known. */
void process_name(struct process *p, const struct sample *s);
/* The program's samples are complete: it takes its place among those with most. */
void process_rank(struct tracker *t, struct process *p);
void process_count_kind(struct tracker_sum *sum, const struct process *target);
/* Look at it again: each time after twice as long, or, where frames are missed until
 * then, when an eighth more has passed; at least every 4 seconds, or every 256 where
 * nothing is missed. */
void process_schedule(struct process *p, u64 now);
/* May it have more to show soon, without a notice that says so? */
bool process_is_waiting(const struct process *p);
/* Has it begun another program, and the notice of that is still to come? What is mapped
 * now is that one's, and this one's samples are not.  The notice may have been lost:
 * after a while the answer is no. */
bool process_is_overtaken(struct process *p, const struct process_entry *entry,
			  u64 now);
/* Is it known without a look that no interpreter is there yet? Then it is left alone
 * until the last look, before it is let go, which finds what was not told. */
bool process_is_stranger(const struct tracker *t, struct process *p, u64 now);
/* The process is none of ours: its samples were not lost, they were never
 * wanted. */
void process_let_go(struct tracker *t, struct process *p);
/* The process is not wanted, but a program that it executes, or that a child does, may be.
 * Where the kernel side tells only of what is in its table, an ignored entry stays. */
void process_ignore(struct tracker *t, struct process *p);
/* Child shares everything with its parent; its entry is there already. */
void process_inherit(struct process *child, const struct process *parent);
/* What it publishes, for process_published(); NULL: nothing. */
struct mapping_table *process_hold(struct process *p);
/* Samples by what it publishes are not known from that time on, until it publishes anew. */
void process_replaced(struct tracker *t, struct process *p, u64 time);
/* It was looked at, and held this before: what is not published any more was there, */
void process_published(struct tracker *t, struct process *p,
		       struct mapping_table *held);
/* Give out the samples that can be walked by what is known now.  It is to be looked at
 * again when others wait for that. */
void process_walk(struct tracker *t, struct process *p);
/* The program has ended: it is out of the registry, its samples are not. */
void process_leave(struct tracker *t, struct process *p);
/* Is it wanted, when it was never examined? Counts it, or discards its samples. */
void process_decide(struct tracker *t, struct process *p);
/* The same two for all that have left; all that was told of what they mapped has
 * been read. */
void process_work_leaving(struct tracker *t);

#endif
