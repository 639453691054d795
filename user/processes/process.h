/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One program in one process, from its first sign of life until its last sample has
 * been walked.  Used within the tracker only.
 */
#ifndef JPBPF_USER_PROCESSES_PROCESS_H
#define JPBPF_USER_PROCESSES_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/lib/hash.h"
#include "user/processes/deferred.h"
#include "user/processes/map_history.h"
#include "user/processes/mapping_table.h"
#include "user/processes/tracker.h"

struct engine_probe;
struct maps;
struct survey;
struct watch;

#define PROCESS_UNDECIDED 150000000ull /* ns to wait for an interpreter */
/* All records are read between two publications of a process, so samples by the last two
 * are still to come. */
#define REPLACEMENTS 4

enum walker_state {
	WALKER_ABSENT,
	WALKER_WAITING,	 /* interpreter not initialised yet */
	WALKER_UNPROVEN, /* perhaps another one; unused until proven */
	WALKER_PROVEN,
	WALKER_REFUSED,
};

/* One program in one process. */
struct process {
	u64 key; /* in tracker.processes: the pid, or more than any once it has left */
	pid_t pid;
	u32 serial;
	struct mapping_table *table; /* NULL until published */
	enum walker_state walker[WALKER_COUNT];
	u8 tries[WALKER_COUNT];	 /* failed proofs */
	u64 files[WALKER_COUNT]; /* a sum of those that it was proven with */
	struct engine_probe **probe; /* probes.c */
	size_t probes, probe_capacity;
	u32 probed;	   /* bit per walker whose probes were attached */
	u32 probed_serial; /* of the publication that was looked at for that */
	bool cxx;	   /* the C++ runtime's was */
	struct watch *watch; /* watch.c; NULL: no function can be watched */
	u32 traced; /* bit per walker whose places of calls were attached */
	u32 traced_serial; /* as probed_serial, for native functions */
	u32 *traced_file; /* ids of files whose native functions were attached */
	size_t traced_files, traced_capacity;
	bool counted;	 /* it is in tracker_sum.seen */
	bool dirty;	 /* examine its mappings again */
	bool partial;	 /* some mapped files found no room */
	u64 due;	 /* ns: when to examine it next; 0: no need */
	u64 not_before;	 /* ns: do not examine it sooner */
	u64 delay;	 /* ns: the last wait for the next look */
	u64 since;	 /* ns: when it was first undecided */
	u64 examined;	 /* ns: when reading its mappings last began */
	u64 seen;	 /* ns: when reading them last ended */
	u64 table_from;	 /* ns: when reading its table's mappings began */
	u64 table_since; /* ns: its table's mappings existed then */
	u64 published;	 /* ns: when the entry was last written */
	struct replacement {
		u32 serial; /* of a publication */
		u64 time;   /* ns: code of it was replaced then */
	} replaced[REPLACEMENTS];
	size_t replacements; /* of which the last are in replaced */
	u64 overtaken;	     /* ns: since when a later program runs; 0: none */
	struct map_history history;
	struct deferred_list deferred;
	size_t tables;	   /* tables_sum.made + 1 at the last walk */
	u64 samples;	   /* walked samples, by their weights */
	char *text;	   /* the command; NULL: not known yet */
	char *program;	   /* of it, the program and its script */
	char *cgroup;	   /* its path in cgroup v2; NULL: not known */
	bool interprets;   /* it was described as an interpreter */
	bool ended;	   /* all its notices have been read */
	bool vanished;	   /* it did not exist at the last look */
	bool notices_lost; /* some notices may have been lost */
	bool refused;	   /* it found no room, and that was counted */
	bool strays;	   /* it runs at addresses in no mapping */
	bool ignored;	   /* not wanted; its next program may be */
	bool stays;	   /* its next program is wanted, too */
	UT_hash_handle hh;
};

struct tracker {
	struct tracker_config config;
	struct process *processes;     /* by key */
	u64 left;		       /* processes that have left */
	struct process *walking;       /* its deferred samples are given */
	struct mapping_table *dropped; /* their users may not all be known */
	size_t bytes;		       /* of deferred samples, about */
	bool last;		       /* no table is built any more */
	bool late;		       /* because it takes too long */
	bool cxx;		       /* some process had the C++ runtime */
	struct tracker_sum sum;
};

/* The process that has the pid now.  NULL: none. */
struct process *process_find(struct tracker *t, pid_t pid);
/* Find the process, or make it. */
struct process *process_get(struct tracker *t, pid_t pid);
void process_free(struct tracker *t, struct process *p);
/* Whether the program has ended and is no longer found by its pid. */
static inline bool process_has_left(const struct process *p)
{
	return p->key > UINT32_MAX;
}

/* One bit per walker whose state is among the states, each of which is a bit. */
static inline u32 process_walkers(const struct process *p, u32 states)
{
	u32 bits = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (states >> p->walker[i] & 1)
			bits |= 1u << i;
	return bits;
}

/* Whether code of the publication had been replaced at that time (ns). */
static inline bool process_is_replaced(const struct process *p, u32 serial,
				       u64 time)
{
	for (size_t i = 0; i < p->replacements && i < REPLACEMENTS; i++)
		if (p->replaced[i].serial == serial &&
		    p->replaced[i].time <= time)
			return true;
	return false;
}

void process_count_seen(struct tracker *t, struct process *p);
/* Takes the command and what else recordings say of the process, of an interpreter also
 * its script. */
void process_describe(const struct tracker *t, struct process *p,
		      bool interprets);
/* Until a child is looked at, it is called like its parent. */
void process_inherit(struct process *child, const struct process *parent);
/* Takes the sample's command name, if the program's arguments are not known. */
void process_name(struct process *p, const struct sample *s);
/* The program's samples are complete: it takes its place among those with most. */
void process_rank(struct tracker *t, struct process *p);
void process_count_kind(struct tracker_sum *sum, const struct process *target);
/* Schedule the next look, each time after twice as long; where frames are missing until
 * then, after an eighth longer.  The longest delay is 4 s, or 256 s where no frames are
 * missing. */
void process_schedule(struct process *p, u64 now);
/* Whether a further look may find more without a notice that says so. */
bool process_is_waiting(const struct process *p);
/* Whether the process has begun another program whose notice is still to come.  What is
 * mapped now belongs to the new program, the samples of p do not.  The notice may have
 * been lost: after a while the result is false. */
bool process_is_overtaken(struct process *p, const struct process_entry *entry,
			  u64 now);
/* Whether the history shows, without a look, that no interpreter is there yet.  The
 * process is then left alone until one last look before it is let go; that look finds
 * mappings that were not reported. */
bool process_is_stranger(const struct tracker *t, struct process *p, u64 now);
/* Drop a process that is not wanted.  Its samples count as discarded, not as lost. */
void process_let_go(struct tracker *t, struct process *p);
/* The process is not wanted, but a program that it or a child of it executes may be. In
 * TRACK_LISTED mode the kernel side reports only processes in its table, so an ignored
 * entry stays there. */
void process_ignore(struct tracker *t, struct process *p);
/* Samples walked by the present publication are cut from that time (ns) on, until the
 * process is published anew. */
void process_replaced(struct process *p, u64 time);
/* The process has a new table in place of `old` (NULL: none), which was published with that
 * serial.  The history remembers the mappings that are no longer published.  Where other
 * code is published in place of one, and neither the kernel side (is_noted) nor an event
 * told when that came, samples by the earlier publication are cut. */
void process_published(struct process *p, const struct mapping_table *old,
		       u32 serial, bool is_noted);
/* Publish the process as ready with what the survey of its maps shows, unless that is already
 * published, and ask for the missing unwind tables (samples are deferred meanwhile).
 * before: the entry, read before the maps; zeroes: there was none.  0 or -errno: -ESRCH
 * the process has gone, -EAGAIN it began another program meanwhile (a notice follows),
 * -E2BIG or -ENOSPC no room. */
int publication_make(struct tracker *t, struct process *p,
		     const struct survey *s, const struct maps *maps,
		     const struct process_entry *before);
/* Attach probes where errors are raised, in files that the last publication shows for the
 * first time. */
void probes_attach(struct tracker *t, struct process *p);
void probes_release(struct process *p);
/* Attach some, for errors or for calls, and keep them; cookie: as of engine_attach_probe().
 * Returns the number of those attached; there is a warning for the others. */
size_t probes_add(struct tracker *t, struct process *p, bool calls,
		  const struct module *m, const u64 *vaddr, const u64 *cookie,
		  size_t n);
/* Attach probes where calls begin and end, in walkers' files once they are proven. */
void call_probes_attach(struct tracker *t, struct process *p);
/* Attach the places of a walker that each call comes to, and watch chosen functions later
 * instead.  Returns the number of places that are attached. */
size_t watch_begin(struct tracker *t, struct process *p, const struct module *m,
		   u32 walker, const struct walker_call *call,
		   const u64 *number, size_t n);
/* Change from uprobes to watchpoints or back, where that is due.  Returns when to look again
 * (ns). */
u64 watch_work(struct tracker *t, struct process *p, u64 now);
void watch_free(struct tracker *t, struct process *p);
/* Do what is due for one process, apart from walks.  p may be freed. */
void process_work(struct tracker *t, struct process *p, u64 now);
/* Walk the deferred samples that can be walked by what is known now, if that has
 * changed. */
void process_walk(struct tracker *t, struct process *p);
/* The program has ended, or nothing more will be learnt of it.  It is no longer found by
 * its pid; its deferred samples stay. */
void process_leave(struct tracker *t, struct process *p);
/* Decide of each leaving process whether it is wanted, and walk its deferred samples.
 * Call it when all that was reported of their mappings has been read. */
void process_work_leaving(struct tracker *t);
/* Close files and forget events that are no longer needed, when that is due
 * (modules_may_retire()).  now: ns. */
void process_reclaim(struct tracker *t, u64 now);

#endif
