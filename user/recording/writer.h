/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes a recording.
 *
 * What is added waits in memory until there is a block of it, or until writer_flush().
 * The first error of the descriptor ends the recording: writer_flush() returns it, and nothing
 * is written any more.
 */
#ifndef JPBPF_USER_RECORDING_WRITER_H
#define JPBPF_USER_RECORDING_WRITER_H

#include "user/recording/recording.h"

struct writer; /* opaque */

/* fd stays the caller's. */
struct writer *writer_new(int fd, const struct recording_head *head);
void writer_free(struct writer *w);

/* The id of a text, or of the struct of a module, function, frame, stack, task or event.
 * What there is already is not written again. */
u32 writer_text(struct writer *w, const char *text);
u32 writer_id(struct writer *w, enum recording_kind kind, const void *what);

void writer_sample(struct writer *w, const struct recording_sample *s);
void writer_address(struct writer *w, const struct recording_address *a);
/* A mark, a loss or the summary. */
void writer_put(struct writer *w, enum recording_kind kind, const void *what);

/* Forget all ids, to have their memory back. */
void writer_forget(struct writer *w);
size_t writer_bytes(const struct writer *w); /* bytes of memory that ids take */
/* Write what waits.  0, or the first -errno. */
int writer_flush(struct writer *w);
u64 writer_written(const struct writer *w); /* bytes of the file until now */
u64 writer_samples(const struct writer *w); /* in the file */

#endif
