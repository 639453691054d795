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

/* Each of these returns the id.  What there is already is not written again. */
u32 writer_text(struct writer *w, const char *text);
u32 writer_module(struct writer *w, const struct recording_module *m);
u32 writer_function(struct writer *w, const struct recording_function *f);
u32 writer_frame(struct writer *w, const struct frame *f);
u32 writer_stack(struct writer *w, const struct recording_stack *s);
u32 writer_task(struct writer *w, const struct recording_task *t);
u32 writer_event(struct writer *w, const struct recording_event *e);

void writer_sample(struct writer *w, const struct recording_sample *s);
void writer_address(struct writer *w, const struct recording_address *a);
/* kind: RECORDING_MARK or RECORDING_LOSS. */
void writer_note(struct writer *w, enum recording_kind kind,
		 const struct recording_note *n);
void writer_summary(struct writer *w, const struct recording_summary *s);

/* Forget all ids, to have their memory back. */
void writer_forget(struct writer *w);
size_t writer_bytes(const struct writer *w); /* bytes of memory that ids take */
/* Write what waits.  0, or the first -errno. */
int writer_flush(struct writer *w);
u64 writer_written(const struct writer *w); /* bytes of the file until now */

#endif
