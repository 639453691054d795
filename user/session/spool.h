/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Records that were taken from the ring buffer and are to be looked at later.
 *
 * While unwind tables are being made nobody looks at records, and what is sampled of
 * new processes comes with its stack: the ring would be full in some milliseconds.
 */
#ifndef JPBPF_USER_SESSION_SPOOL_H
#define JPBPF_USER_SESSION_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct spool {
	u8 *data; /* NULL: there is none */
	size_t len;
};

/* Address space for it; memory only as it is used.  Without it nothing is spooled. */
void spool_init(struct spool *s);
void spool_release(struct spool *s);
/* Is there room for all that the ring can hold? */
bool spool_has_room(const struct spool *s);
/* Append a record, which is copied.  0; -ENOSPC: it was the last that fits. */
int spool_add(struct spool *s, const void *record, size_t len);
/* Give them to fn, in their order, and forget them. */
void spool_replay(struct spool *s,
		  void (*fn)(void *ctx, const void *record, size_t len),
		  void *ctx);

#endif
