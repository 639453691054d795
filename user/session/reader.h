/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The ring buffer is emptied, whatever the session is doing.
 *
 * While it reads a file, makes a table or asks a process it looks at no record; but
 * what is sampled of new processes comes with its stack, and would fill the ring in
 * some milliseconds.  So a thread takes records out and lets them wait in a queue.
 */
#ifndef JPBPF_USER_SESSION_READER_H
#define JPBPF_USER_SESSION_READER_H

#include <stddef.h>

#include <jpbpf/types.h>

/* Bytes of samples that the queue holds, without the stacks of those that are kept
 * (pages.h); status.h and the README name the number. */
#define READER_LIMIT ((size_t)32 << 20)

struct engine;
struct pages;
struct reader; /* opaque */

/* Takes the engine's records from now on; fn gets them from reader_take(), those of
 * samples that are kept as held_make() writes them.  NULL with errno. */
struct reader *reader_new(struct engine *e,
			  void (*fn)(void *ctx, const void *record, size_t len),
			  void *ctx);
void reader_free(struct reader *r); /* r may be NULL; stops it */
/* Begin emptying the ring in a thread with the privileges that the caller has now,
 * and no signals.  0 or -errno after log_err(). */
int reader_start(struct reader *r);
/* End that thread; what it took waits still.  Nothing happens when there is none. */
void reader_stop(struct reader *r);
/* Wake those who wait on this descriptor when records wait.  0 or -errno. */
int reader_watch(struct reader *r, int epoll_fd);
/* Give out, in their order, all records that were written before the call. */
void reader_take(struct reader *r);
/* Where these have their pages; the reader's. */
struct pages *reader_pages(const struct reader *r);
/* Samples that did not fit into the queue. */
u64 reader_dropped(struct reader *r);

#endif
