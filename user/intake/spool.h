/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Records taken from the ring buffers, to be looked at later. */
#ifndef JPBPF_USER_INTAKE_SPOOL_H
#define JPBPF_USER_INTAKE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct spool {
	u8 *data;
	size_t len, size;
};

/* Reserve address space of size bytes; memory is used as records come.  0 or -errno. */
int spool_init(struct spool *s, size_t size);
void spool_release(struct spool *s);
/* Whether one more record of any length fits. */
bool spool_has_room(const struct spool *s);
/* Whether a record of len bytes fits. */
bool spool_fits(const struct spool *s, size_t len);
/* Where to write the next record, for which there must be room. */
void *spool_next(struct spool *s);
/* Add the record of len bytes written at spool_next(). */
void spool_add(struct spool *s, size_t len);
/* Give all records to fn, in the order in which they were added. */
void spool_each(const struct spool *s,
		void (*fn)(void *ctx, const void *record, size_t len),
		void *ctx);
void spool_clear(struct spool *s);

#endif
