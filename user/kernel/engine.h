/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The loaded kernel side: programs, maps, ring buffer.
 *
 * The only part of the program that knows the generated skeleton.
 */
#ifndef JPBPF_USER_KERNEL_ENGINE_H
#define JPBPF_USER_KERNEL_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

struct engine; /* opaque */
struct source;

struct engine_config {
	bool user_only, kernel_only;
	bool lines;	    /* say where script frames are running */
	u32 walker_options; /* bit per enum walker_option_id */
	bool helper_reads;  /* read memory by the kernel's helper only */
	bool watch_all;	    /* tell of execs of processes outside the table */
	bool watch_ignored; /* tell of forks of ignored processes */
	u32 max_processes;  /* in the process table */
	u32 max_files;	    /* file ids */
	const struct source *source;
	unsigned frequency; /* samples a second and CPU, about */
	int arena_fd;	    /* arena_outer(); stays the caller's */
	const pid_t *tid;   /* threads to sample; none: all */
	size_t tids;
};

/* Open and load. NULL after log_err(). */
struct engine *engine_new(const struct engine_config *config);
void engine_free(struct engine *e);

/* Follow processes (fork, exec, exit). 0 or -errno after log_err(). */
int engine_attach(struct engine *e);
/* Run the sampling program on a perf event; takes the fd. 0 / -errno. */
int engine_attach_event(struct engine *e, int perf_fd);
/* Detach the sampling program: no sample is taken after this. */
void engine_stop(struct engine *e);

/* Descriptor to wait on for records, edge-triggered (user/intake/reader.c does). */
int engine_poll_fd(const struct engine *e);
/* Calls fn for each record, which leaves the ring with that, until there is none or
 * fn returns a negative number.  One thread at a time. */
void engine_consume(struct engine *e,
		    int (*fn)(void *ctx, const void *record, size_t len),
		    void *ctx);

/* Map by name, or -ENOENT. The fd stays the engine's. */
int engine_map(const struct engine *e, const char *name);
/* Sums over all. */
int engine_stats(const struct engine *e, struct counters *out);
size_t engine_map_bytes(const struct engine *e); /* memory of all maps, about */

/* One line per program: name, verified instructions, run count and time. */
struct engine_program {
	const char *name;
	u32 verified_insns;
	u64 runs, ns;
};
size_t engine_programs(const struct engine *e, struct engine_program *out,
		       size_t max);

/* The process table. */
int engine_put_process(struct engine *e, pid_t pid,
		       const struct process_entry *entry);
/* The same, but only if there is an entry: -ENOENT, the process has ended. */
int engine_change_process(struct engine *e, pid_t pid,
			  const struct process_entry *entry);
int engine_get_process(struct engine *e, pid_t pid,
		       struct process_entry *entry);
/* With what the walkers have of it. */
void engine_drop_process(struct engine *e, pid_t pid);
size_t engine_processes(const struct engine *e); /* number of entries */
/* Where a file's table is; without chunks, f->rules is the status of walks that
 * need it (0: CUT_NOT_READY). */
void engine_put_file(struct engine *e, u32 file, const struct unwind_file *f);

#endif
