/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The reader empties the ring buffers, whatever the session is doing: the ring of
 * samples, texts and notices, and the rings of new mappings.
 *
 * The session looks at no record while it reads a file, builds a table or examines a
 * process.  Samples of new processes are deferred with a copy of their stack and would
 * fill the ring within milliseconds.  A thread therefore takes the records out and
 * keeps them in a queue.
 */
#ifndef JPBPF_USER_INTAKE_READER_H
#define JPBPF_USER_INTAKE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/status.h>
#include <jpbpf/types.h>

struct engine;
struct mapwatch;
struct reader; /* opaque */
struct record_sink;

/* Reads the records of e and m, which stay the caller's.  m may be NULL.  The sink is
 * copied.  NULL with errno. */
struct reader *reader_new(struct engine *e, struct mapwatch *m,
			  const struct record_sink *sink);
void reader_free(struct reader *r); /* stops it too; r may be NULL */
/* Begin emptying the rings in a thread with the caller's priority, without privileges
 * and signals.  0 or -errno after log_err(). */
int reader_start(struct reader *r);
/* End sampling at that time (ns, CLOCK_MONOTONIC), whatever the session is doing then. */
void reader_end_at(struct reader *r, u64 time);
/* End that thread.  The records that it took stay in the queue.  r may be NULL; a
 * reader without a thread is left as it is. */
void reader_stop(struct reader *r);
/* A descriptor that is readable when there are records: at once for notices, deferred
 * samples and mappings, and only when there are many for samples and texts. */
int reader_fd(const struct reader *r);
/* Give the sink all records written before the call, in the order of their times.
 * Returns false when mappings are held back because an earlier notice may come: call
 * again in a moment. */
bool reader_take(struct reader *r);
/* Add the samples that found no memory (LOST_NO_MEMORY) and the malformed
 * records (HOST_RECORDS).  Subtract those samples from the statuses under which the
 * kernel side counted them. */
void reader_count(struct reader *r, u64 status[WALK_STATUS_COUNT]);
/* Bytes of the queue at the worst moment; when the thread has ended. */
size_t reader_most(const struct reader *r);
/* Number of mapping records lost, in the kernel's rings or in the queue. */
u64 reader_maps_lost(struct reader *r);

#endif
