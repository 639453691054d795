/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The ring buffers are emptied, whatever the session is doing: that of samples, texts
 * and notices, and those of new mappings.
 *
 * While it reads a file, makes a table or asks a process it looks at no record; but
 * what is sampled of new processes comes with its stack, and would fill the ring in
 * some milliseconds.  So a thread takes records out and lets them wait in a queue.
 */
#ifndef JPBPF_USER_INTAKE_READER_H
#define JPBPF_USER_INTAKE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/status.h>
#include <jpbpf/types.h>

/* Bytes of samples that the queue holds; status.h and the manual name the number. */
#define READER_LIMIT ((size_t)32 << 20)

struct engine;
struct mapwatch;
struct reader; /* opaque */
struct record_sink;

/* Takes the records of both from now on; they stay the caller's.  m may be NULL.
 * NULL with errno. */
struct reader *reader_new(struct engine *e, struct mapwatch *m,
			  const struct record_sink *sink);
void reader_free(struct reader *r); /* r may be NULL; stops it */
/* Begin emptying the ring in a thread with the caller's priority, no privileges and no
 * signals.  0 or -errno after log_err(). */
int reader_start(struct reader *r);
/* End that thread; what it took waits still.  Nothing happens when there is none,
 * r may be NULL. */
void reader_stop(struct reader *r);
/* Wake those who wait on this descriptor when records wait, samples and texts only
 * when there are many.  0 or -errno. */
int reader_watch(struct reader *r, int epoll_fd);
/* Give the sink all records that were written before the call, in the order of their
 * times; but mappings that a notice may come before wait: then false, ask again in a
 * moment. */
bool reader_take(struct reader *r);
/* Add the samples that did not fit into the queue and the records that made no sense, and take them off where the kernel
 * side has counted how their walks ended. */
void reader_count(struct reader *r, u64 status[WALK_STATUS_COUNT]);
/* Notices of mappings that were lost, there or before. */
u64 reader_maps_lost(struct reader *r);

#endif
