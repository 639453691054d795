/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The tracker's own: one program in one process, from its first sign of life until
 * its last sample has been walked.
 */
#ifndef JPBPF_USER_PROCESSES_NODE_H
#define JPBPF_USER_PROCESSES_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <uthash.h>

#include "user/processes/backlog.h"
#include "user/processes/stale.h"
#include "user/processes/target.h"
#include "user/processes/tracker.h"

struct space;

#define NODE_UNDECIDED 150000000ull /* ns to wait for an interpreter */

#define BACKLOG_LIMIT \
	(16u << 20) /* bytes of samples that wait, but for pages */

/* One program in one process. */
struct node {
	struct target t;
	u64 since;     /* ns: when it was first undecided */
	u64 examined;  /* ns: when its mappings were last read, */
	u64 seen;      /* ... and when that was done */
	u64 run_since; /* ns: what it publishes was there then */
	/* What is gone of the publication with that serial; of its samples from then
	 * on this is the serial. */
	struct area gone;
	u32 gone_of, gone_serial;
	u64 overtaken; /* ns: since when another program runs, of which no notice
			* has come; 0: none does */
	struct space *space;
	struct backlog backlog;
	size_t tables; /* made when the backlog was last tried */
	u64 samples;   /* that were walked */
	char *text;    /* what runs there; NULL: not known yet */
	bool ended;    /* all that it did has been told */
	bool vanished; /* it was not there when it was looked at */
	bool doubtful; /* something it mapped may not have been told */
	bool refused;  /* there was no room for it, and that was counted */
	bool ignored;  /* it is none of ours, but its next program may be ... */
	bool stays;    /* ... if this is so */
	struct node *next; /* in the list of those that leave */
	UT_hash_handle hh;
};

struct tracker {
	struct target_env env;
	enum track_mode mode;
	bool children; /* these three are tracker_config's */
	const struct options *options;
	struct backlog_sink sink;
	struct pages *pages;
	struct stale stale;   /* publications of which something was replaced */
	struct node *nodes;   /* by pid */
	struct node *leaving; /* gone, with samples to be walked */
	struct target_run *dropped; /* env's */
	size_t bytes;		    /* of samples that wait, about */
	bool last;		    /* what is not there now will never be */
	void (*name)(void *ctx);    /* tracker_config's */
	u64 retired;		    /* ns: when files were last closed, ... */
	u64 spaces_settled; /* ... and what was told of mappings dropped */
	struct tracker_sum sum;
};

struct node *node_find(struct tracker *t, pid_t pid);
/* Found, or made. */
struct node *node_get(struct tracker *t, pid_t pid);
/* It is in no list any more. */
void node_free(struct tracker *t, struct node *n);
void node_count_seen(struct tracker *t, struct node *n);
/* Takes the sample's command name, if the program's arguments are not known. */
void node_name(struct node *n, const struct sample *s);
/* The program's samples are complete: it takes its place among those with most. */
void node_rank(struct tracker *t, struct node *n);
void node_count_kind(struct tracker_sum *sum, const struct target *target);
/* Look at it again: each time after twice as long, or, where frames are missed until
 * then, when an eighth more has passed; at least every 4 seconds, or every 256 where
 * nothing is missed. */
void node_schedule(struct node *n, u64 now);
/* May it have more to show soon, without a notice that says so? */
bool node_is_waiting(const struct node *n);
/* Has it begun another program, and the notice of that is still to come? What is mapped
 * now is that one's, and this one's samples are not.  The notice may have been lost:
 * after a while the answer is no. */
bool node_is_overtaken(struct node *n, const struct process_entry *entry,
		       u64 now);
/* Is it known without a look that no interpreter is there yet? Then it is left alone
 * until the last look, before it is let go, which finds what was not told. */
bool node_is_stranger(const struct tracker *t, struct node *n, u64 now);
/* The process is none of ours: its samples were not lost, they were never
 * wanted. */
void node_let_go(struct tracker *t, struct node *n);
/* The process is not wanted, but a program that it executes, or that a child does, may be.
 * Where the kernel side tells only of what is in its table, an ignored entry stays. */
void node_ignore(struct tracker *t, struct node *n);
/* What it publishes, for node_published(); NULL: nothing. */
struct target_run *node_hold(struct node *n);
/* It was looked at, and held this before: what is not published any more was there, and
 * what is doubtful is stale. */
void node_published(struct tracker *t, struct node *n, struct target_run *held);
/* Give out the samples that can be walked by what is known now.  It is to be looked at
 * again when others wait for that. */
void node_walk(struct tracker *t, struct node *n);
/* The program has ended: it is out of the registry, its samples are not. */
void node_leave(struct tracker *t, struct node *n);
/* Is it wanted, when it was never examined? Counts it, or discards its samples. */
void node_decide(struct tracker *t, struct node *n);
/* The same two for all that have left; all that was told of what they mapped has
 * been read. */
void node_work_leaving(struct tracker *t);

#endif
