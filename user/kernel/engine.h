/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The loaded kernel side: programs, maps, ring buffer.
 *
 * No other part of the program knows the generated skeleton.
 */
#ifndef JPBPF_USER_KERNEL_ENGINE_H
#define JPBPF_USER_KERNEL_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/call.h>
#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

struct engine;	     /* opaque */
struct engine_probe; /* opaque */
struct engine_watch; /* opaque */

#define ENGINE_MAX_PLACES 16384 /* at which calls begin or end */
struct walker;

/* How the kernel side runs.  A comment names the option that sets its member. */
struct engine_config {
	u32 sources;	    /* -e, bit per enum source_id; at least one */
	unsigned frequency; /* -F, Hz, unless each event is a sample */
	unsigned
		max_cost; /* --max-cost, percent of each CPU's time; 100: no limit */
	int *cpu;	  /* -C; cpus 0: every CPU online */
	size_t cpus;
	pid_t *tid; /* -t; tids 0: all */
	size_t tids;
	bool user_only;		  /* -U */
	bool kernel_only;	  /* -K */
	bool helper_reads;	  /* --helper-reads */
	bool threads;		  /* threads that are on no CPU, too (dump) */
	bool call_stacks;	  /* calls are counted by their stacks, too */
	u32 call_log;		  /* enum call_log: those told one by one */
	unsigned call_args;	  /* --args */
	bool call_value;	  /* --value */
	u64 call_min;		  /* --min, ns */
	unsigned call_rate;	  /* --max-rate */
	enum call_mode call_mode; /* --mode */
	u32 max_processes;	  /* entries of the table */
	u32 max_files;		  /* number of file ids */
	size_t max_ring;	  /* bytes of the ring */
	bool lines;	    /* also record where script frames are running */
	u32 walker_options; /* bit per enum walker_option_id */
	bool watch_all;	    /* report execs of unknown processes */
	bool watch_ignored; /* report forks of ignored processes */
	int arena_fd;	    /* arena_outer(); stays the caller's */
};

/* Open and load the programs.  NULL after log_err(). */
struct engine *engine_new(const struct engine_config *config);
void engine_free(struct engine *e);

/* Follow processes (fork, exec, exit, areas).  0 or -errno after log_err(). */
int engine_attach(struct engine *e);
/* Run the sampling program on a perf event; cookie: SOURCE_COOKIE().  Takes the
 * descriptor.  0 or -errno. */
int engine_attach_event(struct engine *e, int perf_fd, u64 cookie);
/* Sample each thread of the process that is on no CPU (engine_config.threads): their
 * samples are in the ring when this returns.  A sample's value is an address whose page
 * was absent, or 0.  0 or -errno. */
int engine_sample_threads(struct engine *e, pid_t pid);
/* Run the program for errors, or that for calls, at n offsets of the file fd in one process,
 * in their order.  cookie: those of jpbpf/probe.h, or places' numbers.  NULL with errno: it
 * is attached nowhere. */
struct engine_probe *engine_attach_probe(struct engine *e, bool calls,
					 pid_t pid, int fd, const u64 *offset,
					 const u64 *cookie, size_t n);
void engine_detach_probe(struct engine_probe *p);
/* Run the program for calls whenever one of n words is written (CALL_WATCHES at most, of so
 * many bytes), in each thread that the process has or gets.  proc: root of the proc file
 * system.  NULL with errno; -ENOSPC: a thread has no watchpoint left. */
struct engine_watch *engine_attach_watch(struct engine *e, const char *proc,
					 pid_t pid, const u64 *word, size_t n,
					 u32 size);
/* The place for hits behind which the process's instruction is ip; NULL: none any more. */
void engine_watch_place(struct engine *e, pid_t pid, u64 ip, const u32 *place);
/* Hits for which no program ran are counted. */
void engine_detach_watch(struct engine *e, struct engine_watch *w);
/* Store a place of calls (jpbpf/call.h).  Its number, or -errno. */
int engine_put_place(struct engine *e, const struct call_place *place);
/* Say whether calls of a function are wanted. */
void engine_answer(struct engine *e, const struct call_answer *answer);
/* struct call_place.hits */
u64 engine_place_hits(const struct engine *e, u32 place);
/* Add to call_lost.made. */
void engine_count_made(struct engine *e, u64 n);
/* Follow no new calls from that time on (ns).  0: those that are open stay so, too. */
void engine_follow_calls(struct engine *e, u64 time);
/* Wait for the programs that began before: what they count can be read. */
void engine_settle_calls(const struct engine *e);
void engine_calls_lost(const struct engine *e, struct call_lost *lost);
/* Take no sample, and follow no new calls, from that time on (ns, CLOCK_MONOTONIC). */
void engine_sample_until(struct engine *e, u64 time);
/* Detach the sampling program: no sample is taken after this, and no call followed. */
void engine_stop(struct engine *e);

/* A descriptor to wait on for records, edge-triggered (user/intake/reader.c does). */
int engine_poll_fd(const struct engine *e);
/* Call fn for each record and remove it from the ring, until there is none or fn
 * returns a negative number.  Not for two threads at a time. */
void engine_consume(struct engine *e,
		    int (*fn)(void *ctx, const void *record, size_t len),
		    void *ctx);

/* The descriptor of a map by name, or -ENOENT.  The descriptor stays the engine's. */
int engine_map(const struct engine *e, const char *name);
/* Sums of the counters over all walk slots.  0 or -errno. */
int engine_stats(const struct engine *e, struct counters *out);
size_t engine_map_bytes(const struct engine *e); /* of memory, about */

/* Tell by log_asked() of each program: verified instructions, run count and time. */
void engine_tell_programs(const struct engine *e);

/* Set an entry of the process table.  An entry made after its process has ended would
 * stay for ever, so had_one means that one is only changed.  0; -ESRCH: it has gone, so
 * the process has ended; -E2BIG: no room; or another -errno. */
int engine_put_process(struct engine *e, pid_t pid,
		       const struct process_entry *entry, bool had_one);
int engine_get_process(struct engine *e, pid_t pid,
		       struct process_entry *entry);
/* Whether the kernel side has noted since that time (ns) that the process maps something
 * (struct fresh). */
bool engine_has_noted(struct engine *e, pid_t pid, u64 since);
/* Remove the entry and the walkers' values of the process. */
void engine_drop_process(struct engine *e, pid_t pid);
size_t engine_processes(const struct engine *e); /* number of entries */

/* Store the keys of all languages, once per run, and of the texts that the user asked
 * for; NULL ends them. */
void walker_keys_store(const struct engine *e, const char *const *asked);
/* Store a walker's value of a process; value has w->process.value_size bytes.  0, also
 * when the walker has no such map, or -errno (-E2BIG: no room). */
int walker_entry_put(struct engine *e, const struct walker *w, pid_t pid,
		     const void *value);
void walker_entry_drop(struct engine *e, const struct walker *w, pid_t pid);

/* Set the place of a file's table.  Without chunks, f->rules is the status of walks
 * that need the table (0: CUT_NOT_READY). */
void engine_put_file(struct engine *e, u32 file, const struct unwind_file *f);

#endif
