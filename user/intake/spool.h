/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Records that were taken from the ring buffer and are to be looked at later. */
#ifndef JPBPF_USER_INTAKE_SPOOL_H
#define JPBPF_USER_INTAKE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct spool {
	u8 *data;
	size_t len, size;
};

/* Address space for so many bytes; memory only as it is used.  0 or -errno. */
int spool_init(struct spool *s, size_t size);
void spool_release(struct spool *s);
/* Is there room for one more record, whatever its length? */
bool spool_has_room(const struct spool *s);
/* Is there room for a record of this length? */
bool spool_fits(const struct spool *s, size_t len);
/* Where the next record is written; there is room for one. */
void *spool_next(struct spool *s);
/* It has been, with this length. */
void spool_add(struct spool *s, size_t len);
/* Give them to fn, in their order. */
void spool_each(const struct spool *s,
		void (*fn)(void *ctx, const void *record, size_t len),
		void *ctx);
void spool_clear(struct spool *s);

#endif
